"""``kbw diff``, ``kbw explain``, gaps and removals as a person asks for them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.histories import COMPILED, GitHistory, figures, ingest_git, module, module_path, timing_path, timings
from warehouse.home import Home

RELU, TANH = "19_ReLU.py", "22_Tanh.py"
JULY, JANUARY = "88df56b931a0", "b6c52595fbb7"
HEAD = "423217d9fda91e0c2d67e4a43bf62f96f6d104f1"


def made_in(folder: Path) -> GitHistory:
    """ReLU is measured again and then redrawn, Tanh is taken away for a month, a compiled figure comes."""
    made = GitHistory(folder / "repository")
    modules = {module_path(RELU): module("ReLU"), module_path(TANH): module("Tanh", body="torch.tanh(x)")}
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0, n22_Tanh=2.0), **modules})
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.5)})
    made.commit(
        "2025-03-01",
        {
            timing_path(): timings(n19_ReLU=1.25, n22_Tanh=2.0),
            timing_path(mode=COMPILED): timings(n19_ReLU=figures(1.25, 0.2)),
            module_path(RELU): module("ReLU", draw="randn"),
        },
    )
    return made


@pytest.fixture(scope="module")
def ingested(tmp_path_factory) -> tuple[GitHistory, Home]:
    """The history, and a home into which it was ingested. To be read only."""
    folder = tmp_path_factory.mktemp("trust")
    made, home = made_in(folder), Home(folder / "home")
    ingest_git(home, made)
    return made, home


@pytest.fixture
def history(ingested, kbw, monkeypatch) -> GitHistory:
    """The history; commands read the home into which it was ingested."""
    made, home = ingested
    monkeypatch.setenv("KBW_HOME", str(home.root))
    return made


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
    assert json.loads(kbw("diff", history.id(1), "newest", "--host", "nowhere", "--json").stdout)["figures"] == []
    assert json.loads(kbw("diff", history.id(1), "head", "--level", "level2", "--json").stdout)["problems"] == []


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


def test_the_diff_of_march_and_july_counts_what_changed(on_sample):
    done = on_sample("diff", "7dd9cfa0", JULY)
    for words in ("53 inputs_redrawn", "184 inputs_changed", "1 computation_changed", "238 changed"):
        assert words in done.stdout
    declared = on_sample("diff", "7dd9cfa0", "head").stdout
    assert "unknown, requirements say torch==2.9.* and the README says PyTorch 2.5.0+cu124" in declared
    assert "clear the L2 cache" in declared


def test_explain_goes_from_the_bytes_to_each_doubt(kbw, history):
    done = kbw("explain", "H100_lab/torch/level1/19_ReLU.py")
    assert done.returncode == 0, done.stderr
    written = timings(n19_ReLU=1.25, n22_Tanh=2.0).encode()
    for words in (
        "1.25 ms",
        '"mean":1.25',
        f"landed as {len(written)} bytes, SHA-256 {hashlib.sha256(written).hexdigest()}",
        f"first shown by {history.id(3)}, 2025-03-01",
        "Refused    of this host and mode, ever: nothing",
        "inputs x fp32[16, 8]",
        "1.50x of the one before, beyond intervals and rounding; measured again, the code is equal",
        "0.83x of the one before, beyond intervals and rounding; inputs are drawn otherwise",
        "Rank       1 of 2 in its cohort, tied with 1 (shared rank 1)",
        "age: observed 2025-03-01",
    ):
        assert words in done.stdout, words


def test_explain_gives_the_evidence_of_a_withdrawn_figure_of_changed_code(kbw, history):
    known = json.loads(kbw("explain", "H100_lab/torch/level1/19_ReLU.py", "--json").stdout)
    first = known["versions"][0]["run_id"]
    told = kbw("explain", first).stdout
    assert f"withdrawn: no longer shown by {history.id(2)} (2025-02-01)" in told
    assert f"problem_changed: first seen at {history.id(3)} (2025-03-01)" in told
    assert "Rank       none: it does not stand" in told
    assert "inputs_redrawn: inputs are drawn otherwise, the computation is the same" in told


CHANGED = {
    "H100_Modal/torch/level1/12_Matmul_with_diagonal_matrices_.py": "something else is computed",
    "H100_PCIe_LambdaLabs/torch/level1/12_Matmul_with_diagonal_matrices_.py": "computation_changed: on equal inputs",
    "H100_Modal/torch/level1/97_ScaledDotProductAttention.py": "inputs then q fp16[32, 32, 512, 1024]",
    "H100_PCIe_LambdaLabs/torch/level1/97_ScaledDotProductAttention.py": "at head q fp32[32, 32, 512, 1024]",
}


@pytest.mark.parametrize("run", CHANGED)
def test_explain_names_where_the_change_was_first_seen_and_the_head(on_sample, run):
    """Upstream changed both in January 2026; the first commit looked at that shows it is of 2026-01-20."""
    told = on_sample("explain", run).stdout
    (line,) = [line for line in told.splitlines() if line.startswith("  problem_changed: ")]
    assert f"first seen at {JANUARY}" in line and "(2026-01-20), of the commits looked at" in line
    assert CHANGED[run] in line
    assert f"head {HEAD} (2026-03-05)" in told


def test_explain_tells_of_a_source_that_does_not_carry_its_files_of_mixed_gpus_and_of_refusals(on_sample):
    told = on_sample("explain", "A10G_modal/torch/level1/19_ReLU.py").stdout
    assert "does not carry the file's bytes" in told
    assert "GPUs in it: NVIDIA A10, NVIDIA A10G" in told
    assert "its file holds figures of several GPUs" in told
    several = on_sample("explain", "T4_modal/torch/level1/19_ReLU.py").stderr
    latest = several.split("2 runs have this id: ")[1][:12]
    assert "1 not_measured" in on_sample("explain", latest).stdout


def test_explaining_what_is_not_there_is_told_in_one_line(kbw, history):
    done = kbw("explain", "H100_lab/torch/level1/99_Nothing.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no run has this id" in done.stderr and done.stderr.count("\n") == 1
    several = kbw("explain", "")
    assert "several runs are named so" in several.stderr


def test_a_run_without_a_module_is_explained(kbw, home, tmp_path):
    made = GitHistory(tmp_path / "bare")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=figures(1.0, hardware=None))})
    ingest_git(home, made)
    done = kbw("explain", "H100_lab/torch/level1/19_ReLU.py")
    assert done.returncode == 0, done.stderr
    assert "Module     none that can be read: workload_unresolved" in done.stdout
    assert "reported as nothing" in done.stdout
    assert "Rank       none: workload_unresolved" in done.stdout


def test_history_shows_what_was_taken_away_and_the_gap(kbw, history):
    done = kbw("history", "Tanh")
    assert "Taken away with nothing in its place" in done.stdout
    assert "28 days, until 2025-03-01" in done.stdout
    (removal,) = json.loads(kbw("history", "Tanh", "--json").stdout)["removals"]
    assert (removal["removed_revision"], removal["gap_days"]) == (history.id(2), 28)
    (removal,) = json.loads(kbw("history", "Tanh", "--as-of", "2025-02-15", "--json").stdout)["removals"]
    assert removal["returned_at"] is None
    assert "Taken away" not in kbw("history", "ReLU").stdout


def test_gaps_are_listed_with_their_commands(on_sample):
    done = on_sample("coverage", "--gaps", "--limit", "3")
    assert "generate_baseline_time_modal.py" in done.stdout
    rows = json.loads(on_sample("coverage", "--gaps", "--limit", "0", "--mode", "torch", "--json").stdout)
    assert [row["gap_rank"] for row in rows] == sorted(row["gap_rank"] for row in rows)
    assert {row["mode"] for row in rows} == {"torch"}
    assert len(rows) > 25 == len(json.loads(on_sample("coverage", "--gaps", "--json").stdout))


def test_stale_says_how_the_problem_changed(on_sample):
    told = on_sample("stale", "--reason", "problem_changed").stdout
    assert "other shapes, dtypes" in told
    rows = json.loads(on_sample("stale", "--reason", "problem_changed", "--json").stdout)
    assert {row["change"] for row in rows} == {"computation_changed", "inputs_changed"}
