"""``kbw diff``: what came, went and changed between two revisions."""

from __future__ import annotations

import json

from tests.flows.cli.commands.conftest import made_in
from tests.histories import COMPILED, GitHistory, ingest_git, module, module_path, timing_path, timings
from transforms.registry import upstream

RELU, TANH = "19_ReLU.py", "22_Tanh.py"
JULY, JANUARY = "88df56b931a0", "b6c52595fbb7"


def test_a_diff_has_what_came_went_and_changed_with_ratio_and_reason(kbw, history):
    done = kbw("diff", history.id(1), history.id(3)[:10], "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    found = {(row["problem"], row["mode"]): (row["what"], row["ratio"], row["reason"]) for row in answer["figures"]}
    assert found == {
        (RELU, "torch"): ("changed", 1.25, "inputs_redrawn"),
        (RELU, COMPILED): ("new", None, None),
    }
    (eager, compiled) = answer["summary"]
    assert (eager["same"], eager["changed"], eager["inputs_redrawn"], eager["median_ratio"]) == (1, 1, 1, 1.25)
    assert (compiled["new"], compiled["median_ratio"]) == (1, None)
    assert [(row["problem"], row["what"], row["reason"]) for row in answer["problems"]] == [
        (RELU, "changed", "inputs_redrawn")
    ]


def test_a_diff_can_be_narrowed_and_reads_as_sentences(kbw, history):
    done = kbw("diff", history.id(1), history.id(2))
    assert "measured again, the code is equal" in done.stdout
    assert "1.50x" in done.stdout
    gone = json.loads(kbw("diff", history.id(1), history.id(2), "--json").stdout)["figures"]
    assert [(row["problem"], row["what"]) for row in gone] == [(RELU, "changed"), (TANH, "gone")]
    assert json.loads(kbw("diff", history.id(1), history.id(3), "--mode", "compile", "--json").stdout)["summary"][0][
        "new"
    ]
    for nothing in (("--host", "nowhere"), ("--level", "level2"), ("--mode", "inductor")):
        assert kbw("diff", history.id(1), "newest", *nothing).returncode == 2


def test_a_diff_of_what_is_not_there_says_so_in_one_line(kbw, history):
    for revisions, words in ((("f00", "newest"), "no revision begins so"), (("", "newest"), "revisions match")):
        done = kbw("diff", *revisions)
        assert (done.returncode, done.stdout) == (1, "")
        assert words in done.stderr and done.stderr.count("\n") == 1


def test_a_diff_of_two_sources_is_refused(kbw, home, tmp_path):
    history = made_in(tmp_path)
    ingest_git(home, history)
    other = GitHistory(tmp_path / "other")
    other.commit("2025-01-05", {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")})
    ingest_git(home, other, name="other/fork")
    done = kbw("diff", history.id(1), other.id(1))
    assert done.returncode == 1
    assert "of different sources" in done.stderr
    assert "give --source" in kbw("diff", "newest", "newest").stderr
    assert kbw("diff", "newest", "newest", "--source", "other/fork").returncode == 0


def test_commits_that_forks_share_are_upstreams_or_the_first_s(kbw, home, tmp_path):
    """Their figures are the same: a diff that names no source need not be refused."""
    history = made_in(tmp_path)
    named = (history.id(1), history.id(2))
    for name in ("other/fork", "zeta/fork"):
        ingest_git(home, history, name=name)
    assert "other/fork" in kbw("diff", *named).stdout
    ingest_git(home, history, name=upstream())
    assert upstream() in kbw("diff", *named).stdout
    assert "zeta/fork" in kbw("diff", *named, "--source", "zeta/fork").stdout


def test_the_diff_of_march_and_july_counts_what_changed(on_sample):
    done = on_sample("diff", "7dd9cfa0", JULY)
    for words in ("53 inputs_redrawn", "184 inputs_changed", "1 computation_changed", "238 changed"):
        assert words in done.stdout
    declared = on_sample("diff", "7dd9cfa0", "head").stdout
    assert "unknown, requirements say torch==2.9.* and the README says PyTorch 2.5.0+cu124" in declared
    assert "clear the L2 cache" in declared
