"""``kbw ingest`` as a person runs it: what it says, what it refuses, and how it ends (DESIGN.md section 15)."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from flows.sources import sample
from tests.histories import (
    GitHistory,
    figures,
    module,
    module_path,
    one_figure,
    query,
    timing_json,
    timing_path,
    timings,
)
from tools.build_sample import build

RELU = "19_ReLU.py"
UPSTREAM = "sample:ScalingIntelligence/KernelBench"


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def test_ingesting_the_sample_ends_with_a_summary_some_records_and_the_next_commands(kbw, home):
    done = kbw("ingest", UPSTREAM)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for words in (
        "ScalingIntelligence/KernelBench: 14 revisions, 2024-12-01 to 2026-03-05",
        "new        14 revisions, 10,105 runs of its own",
        "unresolved 14 new runs: module_missing",
        "holds      10,105 runs, 1,000 present",
        "measured   on 10 GPUs on 14 hosts",
        "14 not_measured",
        "changed hands",
        "today      of 1,000 figures that stand: 10 error, 494 warn, 496 note",
        "noisy",
        "3,551, 500 of them standing",
        "level1/40_LayerNorm",
        "docs/records.md",
        str(home.database),
        "kbw records",
        "kbw sql",
    ):
        assert words in done.stdout


def test_what_an_ingest_changed_is_told_apart_from_what_the_source_holds(kbw, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    history.commit("2025-02-01", {timing_path("H100_b"): timings(n19_ReLU=2.0, n40_Lost=1.0)})
    told = kbw("ingest", f"git:{history.path}", "--name", "lab/x").stdout
    assert "new        1 revisions, 2 runs of its own" in told
    assert "unresolved 1 new runs: module_missing" in told
    assert "holds      3 runs, 3 present" in told
    history.commit("2025-03-01", {timing_path("H100_b"): None})
    told = kbw("ingest", f"git:{history.path}", "--name", "lab/x").stdout
    assert "new        1 revisions, 0 runs of its own" in told
    assert "withdrawn  2 runs" in told
    assert "holds      3 runs, 1 present" in told


def test_copies_are_told_apart_from_figures_of_a_sources_own(kbw, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    history.commit("2025-02-01", {timing_path("H100_b"): timings(n19_ReLU=2.0)})
    told = kbw("ingest", f"git:{history.path}", "--name", "lab/y").stdout
    assert "new        2 revisions, 1 runs of its own, 1 copies" in told
    assert "holds      2 runs, 1 of them copies, 2 present" in told
    assert "today      of 1 figures that stand" in told


def test_an_unknown_gpu_and_a_file_without_a_figure_are_named(kbw, history):
    """The path of the second is known; nothing in it names a problem."""
    odd = {f"{RELU}": figures(1.0, hardware="Flux 9000")}
    history.commit(
        "2025-02-01",
        {
            timing_path("flux"): timing_json({"level1": odd}),
            timing_path("H100_c"): timing_json({"level1": {"relu": figures(1.0)}}),
        },
    )
    told = kbw("ingest", f"git:{history.path}", "--name", "lab/x").stderr
    assert 'unknown GPU: "Flux 9000" on flux (1 runs)' in told
    assert '[hosts."flux"] gpu = "..."' in told
    assert f"{timing_path('H100_c')}: every entry was refused (1, bad_problem_name)" in told


def test_ingesting_again_says_that_nothing_is_new(kbw):
    kbw("ingest", UPSTREAM)
    done = kbw("ingest", UPSTREAM)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "ScalingIntelligence/KernelBench: nothing new at 423217d9fda9\n"


@pytest.fixture
def two_lineages(history, tmp_path, monkeypatch):
    """A sample of two: that history, and a fork of it with figures of another host."""
    other = GitHistory(tmp_path / "other")
    files = {timing_path(): timings(n19_ReLU=1.0), timing_path("L40S_lab"): timings(n19_ReLU=2.0)}
    other.commit("2025-02-01", {**files, module_path(RELU): module("ReLU")})
    build({"lab/x": str(history.path), "fork/x": str(other.path)}, tmp_path / "sample")
    monkeypatch.setattr(sample, "SHIPPED", tmp_path / "sample")
    return other


def test_the_whole_sample_says_what_each_lineage_holds_of_its_own(kbw, two_lineages):
    done = kbw("ingest", "sample")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.split()}
    assert rows["lab/x"][1:4] == ["1", "0", "0"]
    assert rows["fork/x"][1:4] == ["1", "1", "0"]
    assert "2 lineages: 2 figures of their own; 1 copies of what another had first are folded" in done.stdout
    again = kbw("ingest", "sample")
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "nothing new")


def test_the_whole_sample_in_json_has_the_counts_of_each_lineage_and_of_all(kbw, two_lineages):
    answer = json.loads(kbw("ingest", "sample", "--json").stdout)
    assert [(one["source"], one["runs"]) for one in answer["lineages"]] == [("lab/x", 1), ("fork/x", 2)]
    assert (answer["changed"], answer["runs"], answer["failures"]) == (True, 3, [])


def test_a_rehearsal_of_the_whole_sample_names_each_lineage(kbw, home, two_lineages):
    done = kbw("ingest", "sample", "--dry-run")
    assert "fork/x: would add 1 revisions, 2 runs" in done.stdout
    assert not home.root.exists()


def test_a_lineage_that_is_newer_here_than_in_the_sample_stops_no_other(kbw, home, history, two_lineages):
    history.commit("2025-03-01", {timing_path(): timings(n19_ReLU=0.5)})
    assert kbw("ingest", f"git:{history.path}", "--name", "lab/x").returncode == 0
    done = kbw("ingest", "sample")
    assert done.returncode == 1
    assert "lab/x: does not contain revision" in done.stderr
    assert query(home, "select source from sources order by all") == [("fork/x",), ("lab/x",)]


def test_a_rehearsal_says_what_would_change_and_writes_nothing(kbw, home, history):
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "would add 1 revisions, 1 runs" in done.stdout
    assert "nothing was written" in done.stdout
    assert not home.root.exists()


def test_an_ingest_in_json_has_the_counts(kbw, history):
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x", "--json")
    answer = json.loads(done.stdout)
    assert {k: answer[k] for k in ("source", "changed", "runs", "present", "runs_new", "refused_files")} == {
        "source": "lab/x",
        "changed": True,
        "runs": 1,
        "present": 1,
        "runs_new": 1,
        "refused_files": [],
    }


def test_a_refused_file_ends_with_status_3_and_its_name_and_the_rest_is_there(kbw, home, history):
    history.commit("2025-02-01", {timing_path("H100_bad"): "<html>", timing_path("H100_good"): timings(n19_ReLU=2.0)})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert done.returncode == 3
    assert "refused results/timing/H100_bad/baseline_time_torch.json: not_json" in done.stderr
    assert query(home, "select count(*) from runs") == [(2,)]


def test_an_entry_left_unmeasured_does_not_change_the_status(kbw, history):
    history.commit("2025-02-01", {timing_path(): timing_json({"level1": {RELU: None}})})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert done.returncode == 0, done.stderr
    assert "1 not_measured" in done.stdout


def test_a_clone_takes_its_name_from_its_origin(kbw, home, history):
    subprocess.run(
        ["git", "-C", history.path, "remote", "add", "origin", "git@github.com:lab/KernelBench.git"], check=True
    )
    assert kbw("ingest", f"git:{history.path}").returncode == 0
    assert query(home, "select source, url from sources") == [("lab/KernelBench", "https://github.com/lab/KernelBench")]


def failures(tmp_path: Path, history: GitHistory) -> dict[str, tuple[list[str], str]]:
    """Command lines that must fail, and a piece of the one line that says why and what to do."""
    empty, bare = tmp_path / "empty", tmp_path / "without"
    subprocess.run(["git", "init", "--quiet", empty], check=True)
    other = GitHistory(bare)
    other.commit("2025-01-01", {"README.md": "nothing to see"})
    readme = GitHistory(tmp_path / "readme")
    readme.commit("2025-01-01", {"results/timing/README.md": "soon"})
    (tmp_path / "folder").mkdir()
    return {
        "missing path": (["git:/no/such/place"], "/no/such/place: no such file or folder; name a git repository"),
        "no repository": ([f"git:{tmp_path / 'folder'}"], "not a git repository or bundle"),
        "empty repository": ([f"git:{empty}"], "has no commit yet"),
        "no timing files": ([f"git:{other.path}", "--name", "x/y"], "under results/timing"),
        "a README alone": ([f"git:{readme.path}", "--name", "x/y"], "no revision shows a results/timing/<host>"),
        "wrong ref": ([f"git:{history.path}@nope"], "no branch, tag or commit 'nope'; there is: main"),
        "no name": ([f"git:{other.path}"], "give the lineage a name: --name owner/repo"),
        "no source": (["svn:here"], "not a source; there are"),
        "missing folder": (["dir:/no/such/place"], "no such folder"),
        "folder without timings": ([f"dir:{tmp_path / 'folder'}"], "holds no results/timing"),
        "a date that is none": ([f"dir:{history.path}", "--observed-at", "soon"], "not a date or time"),
        "options of another source": (["sample", "--observed-at", "2025-01-01"], "for dir: sources"),
        "modules of no source": ([f"dir:{history.path}", "--problems", "x/y"], "no such source in the warehouse"),
    }


FAILURES = (
    "missing path",
    "no repository",
    "empty repository",
    "no timing files",
    "a README alone",
    "wrong ref",
    "no name",
    "no source",
    "missing folder",
    "folder without timings",
    "a date that is none",
    "options of another source",
    "modules of no source",
)


@pytest.mark.parametrize("kind", FAILURES)
def test_what_cannot_be_ingested_is_told_in_one_line_and_ends_with_1(kbw, home, tmp_path, history, kind):
    arguments, words = failures(tmp_path, history)[kind]
    done = kbw("ingest", *arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert words in done.stderr
    assert re.fullmatch(r"kbw: [^\n]+\n", done.stderr)
    assert not home.database.exists()


def test_every_kind_of_failure_is_tried(tmp_path, history):
    assert set(failures(tmp_path, history)) == set(FAILURES)


def test_a_failed_ingest_leaves_the_published_file_as_it_was(kbw, home, tmp_path, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    before = (home.database.read_bytes(), home.database.stat().st_mtime_ns)
    for arguments, _ in failures(tmp_path, history).values():
        assert kbw("ingest", *arguments).returncode == 1
    assert (home.database.read_bytes(), home.database.stat().st_mtime_ns) == before


def test_a_shallow_clone_is_refused_since_it_hides_when_figures_appeared(kbw, tmp_path, history):
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=2.0)})
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{history.path}", shallow], check=True)
    done = kbw("ingest", f"git:{shallow}", "--name", "lab/x")
    assert done.returncode == 1
    assert "git fetch --unshallow" in done.stderr
