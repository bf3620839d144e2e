"""Lineages that keep their files elsewhere, from the repository to the tables and the summary (DESIGN.md section 2)."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from flows.sequence import Directly, rebuild
from flows.sources.git import GitSource
from flows.steps.discover import discover
from flows.steps.workspace import Workspace
from tests.github import GitHub
from tests.histories import (
    EAGER,
    GitHistory,
    all_tables,
    failed_checks,
    module,
    module_path,
    query,
    stored_tables,
    timing_path,
    timings,
)
from warehouse.home import Home

RELU = "19_ReLU.py"
EVERY_RUN = "select source, host, mean_ns, eligible, present from runs order by all"


@pytest.fixture
def history(tmp_path) -> GitHistory:
    return GitHistory(tmp_path / "repository")


def below(root: str, mean: float = 1.0, host: str = "BoxA") -> dict[str, str]:
    """A root with one figure and the module that it was measured on."""
    return {
        f"{root}/{timing_path(host)}": timings(n19_ReLU=mean),
        f"{root}/{module_path(RELU)}": module("ReLU"),
    }


def test_the_one_root_of_a_repository_is_taken_and_the_summary_says_which(kbw, home, history):
    archived = "KBench/results/timing/old/baseline_time_boxb.json"
    history.commit("2025-01-01", {**below("KBench"), archived: timings(n19_ReLU=2.0), "README.md": "many things"})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert done.returncode == 0, done.stderr
    assert "  root      KBench\n" in done.stdout
    assert "not read" not in done.stdout
    runs = "select source, host, mode, eligible from runs order by host"
    assert query(home, runs) == [("lab/x", "BoxA", EAGER, True), ("lab/x", "boxb", EAGER, True)]
    assert query(home, "select path, kind from files order by 1") == [
        ("KBench/KernelBench/level1/19_ReLU.py", "module"),
        ("KBench/results/timing/BoxA/baseline_time_torch.json", "timing"),
        (archived, "timing"),
    ]
    assert failed_checks(home) == {}
    assert "nothing new" in kbw("ingest", f"git:{history.path}", "--name", "lab/x").stdout


def test_a_folder_may_hold_its_root_below_its_top(kbw, home, tmp_path):
    for path, text in below("KBench").items():
        (tmp_path / "mine" / path).parent.mkdir(parents=True)
        (tmp_path / "mine" / path).write_text(text)
    done = kbw("ingest", f"dir:{tmp_path / 'mine'}")
    assert "root      KBench" in done.stdout
    assert query(home, "select source, host, eligible from runs") == [("mine", "BoxA", True)]


@pytest.mark.parametrize("dry", [["--dry-run"], []], ids=["rehearsal", "ingest"])
def test_timing_files_outside_every_root_are_named_as_not_read(kbw, history, dry):
    strays = ("tests/timings/baseline_time.json", "vendor_baseline/baseline_time_torch.json")
    files = {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")}
    history.commit("2025-01-01", {**files, **dict.fromkeys(strays, timings(n19_ReLU=3.0))})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x", *dry)
    assert f"not read  {strays[0]}, {strays[1]} (not below results/timing)" in done.stdout
    assert " 1 runs" in done.stdout
    history.commit("2025-01-02", {"more/baseline_time_b.json": "{}"})
    answer = json.loads(kbw("ingest", f"git:{history.path}", "--name", "lab/x", "--json", "--dry-run").stdout)
    assert (answer["root"], answer["not_read"]) == ("", ["more/baseline_time_b.json", *strays])


def test_modules_are_those_of_the_nearest_folder_above_or_of_the_one_place_there_is(kbw, home, history):
    history.commit(
        "2025-01-01", {timing_path(): timings(n19_ReLU=1.0), f"datasets/{module_path(RELU)}": module("ReLU")}
    )
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert "modules   from datasets/KernelBench" in done.stdout
    assert query(home, EVERY_RUN) == [("lab/x", "H100_lab", 1_000_000, True, True)]


def test_modules_in_several_places_are_nobody_s_and_the_summary_asks_whose(kbw, home, history):
    places = {f"{place}/level1/{RELU}": module("ReLU") for place in ("made", "datasets")}
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), **places})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert "modules   none: they stand in several places (datasets, made); say whose were measured with" in done.stdout
    assert query(home, "select eligible from runs") == [(False,)]


def test_of_several_roots_one_must_be_named_and_each_is_a_lineage(kbw, home, history):
    history.commit("2025-01-01", {**below("a", 1.0), **below("b/c", 2.0)})
    command = ("ingest", f"git:{history.path}", "--name", "lab/x")
    done = kbw(*command)
    assert done.returncode == 1
    assert "lab/x: figures stand in a, b/c, each a lineage of its own; name one with --root" in done.stderr
    assert "no root nowhere; figures stand in a, b/c" in kbw(*command, "--root", "nowhere").stderr
    done = kbw(*command, "--root", "./b/c/")
    assert done.stdout.startswith("lab/x//b/c: 1 revisions")
    assert "not read  a/results/timing/BoxA/baseline_time_torch.json" in done.stdout
    assert "other roots are lineages of their own: --root a" in done.stdout
    assert "lab/x//b/c: nothing new" in kbw(*command).stdout, "the only one that was ever read goes on"
    kbw(*command, "--root", "a")
    assert query(home, EVERY_RUN) == [
        ("lab/x//a", "BoxA", 1_000_000, True, True),
        ("lab/x//b/c", "BoxA", 2_000_000, True, True),
    ]
    assert "each a lineage of its own" in kbw(*command).stderr
    assert failed_checks(home) == {}


def test_the_top_is_taken_where_it_is_one_of_several_roots(kbw, home, history):
    top = {timing_path("BoxT"): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")}
    history.commit("2025-01-01", {**top, **below("a")})
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert "not read  a/results/timing/BoxA/baseline_time_torch.json" in done.stdout
    assert query(home, "select source, host from runs") == [("lab/x", "BoxT")]
    assert kbw("ingest", f"git:{history.path}", "--name", "lab/x", "--root", "a").returncode == 0
    assert query(home, "select source, host from runs order by 1") == [("lab/x", "BoxT"), ("lab/x//a", "BoxA")]


def test_where_the_head_has_no_root_the_newest_commit_that_had_one_says_it(kbw, home, history):
    files = below("KBench")
    history.commit("2025-01-01", files)
    history.commit("2025-01-02", dict.fromkeys(files))
    history.commit("2025-01-03", {"README.md": "all gone"})
    assert kbw("ingest", f"git:{history.path}", "--name", "lab/x").returncode == 0
    assert query(home, EVERY_RUN) == [("lab/x", "BoxA", 1_000_000, True, False)]


def test_a_root_that_older_commits_do_not_have_shows_nothing_in_them(kbw, home, history):
    top = {timing_path(): timings(n19_ReLU=3.0), module_path(RELU): module("ReLU")}
    history.commit("2025-01-01", top)
    history.commit("2025-01-02", {**dict.fromkeys(top), **below("KBench")})
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert query(home, EVERY_RUN) == [("lab/x", "BoxA", 1_000_000, True, True)]
    assert query(home, "select count(*) from revisions") == [(1,)]


def test_a_root_is_remembered_when_the_files_move_and_another_is_only_read_when_that_is_meant(kbw, home, history):
    history.commit("2025-01-01", below("old"))
    command = ("ingest", f"git:{history.path}", "--name", "lab/x")
    kbw(*command)
    history.commit("2025-01-02", {**dict.fromkeys(below("old")), **below("new", 2.0)})
    assert history.path
    done = kbw(*command)
    assert "root      old" in done.stdout
    assert "not read  new/results/timing/BoxA/baseline_time_torch.json (not below old/results/timing)" in done.stdout
    assert query(home, EVERY_RUN) == [("lab/x", "BoxA", 1_000_000, True, False)]
    refused = kbw(*command, "--root", "new")
    assert refused.returncode == 1
    assert "was read at root old before, and would be read at new" in refused.stderr
    done = kbw(*command, "--root", "new", "--change-settings")
    assert "bound     anew, by what was told or is known now" in done.stdout
    assert query(home, EVERY_RUN) == [("lab/x", "BoxA", 2_000_000, True, True)]
    before = stored_tables(home)
    rebuild(home, Directly())
    assert stored_tables(home) == before
    assert failed_checks(home) == {}


@pytest.fixture
def in_a_subfolder(history) -> GitHistory:
    """A root below the top whose modules stand elsewhere, and a second one."""
    elsewhere = {f"datasets/{module_path(RELU)}": module("ReLU")}
    first = {path: text for path, text in below("Eval").items() if "timing" in path}
    history.commit("2025-01-01", {**first, **elsewhere, "Eval/requirements.txt": "torch==2.5.0\n"})
    history.commit("2025-01-02", {"README.md": "nothing measured"})
    history.commit("2025-01-03", {f"Eval/{timing_path('BoxA')}": timings(n19_ReLU=0.5)})
    history.commit("2025-01-04", {"stray/baseline_time.json": "{}", f"datasets/{module_path(RELU)}": module("R", 32)})
    return history


def test_git_and_github_show_the_same_with_a_root_below_the_top(kbw, home, in_a_subfolder, tmp_path, monkeypatch):
    beside = tmp_path / "beside"
    by_git = kbw("ingest", f"git:{in_a_subfolder.path}", "--name", "lab/KernelBench", "--home", beside)
    with GitHub(in_a_subfolder.path) as github:
        github.set_environment(monkeypatch)
        by_github = kbw("ingest", "github:lab/KernelBench")
        assert by_github.returncode == 0, by_github.stderr
        github.forget()
        assert "nothing new" in kbw("ingest", "github:lab/KernelBench").stdout
        assert len(github.requests) == 1
        in_a_subfolder.commit("2025-01-05", {f"Eval/{timing_path('BoxB')}": timings(n19_ReLU=0.25)})
        assert in_a_subfolder.path
        kbw("ingest", "github:lab/KernelBench")
        kbw("ingest", f"git:{in_a_subfolder.path}", "--name", "lab/KernelBench", "--home", beside)
    for done in (by_git, by_github):
        told = "  root      Eval\n  modules   from datasets/KernelBench\n  not read  stray/baseline_time.json"
        assert told in done.stdout
    assert all_tables(home) == all_tables(Home(beside))
    assert query(home, EVERY_RUN) == [
        ("lab/KernelBench", "BoxA", 500_000, True, True),
        ("lab/KernelBench", "BoxA", 1_000_000, True, False),
        ("lab/KernelBench", "BoxB", 250_000, True, True),
    ]
    assert query(home, "select requirements_torch from sources") == [("torch==2.5.0",)]
    trees = [path.relative_to(root) for root in (home.root, Path(beside)) for path in root.glob("landing/trees/*/*")]
    assert len(trees) == 2 * len(set(trees))


def test_the_published_digests_name_a_file_by_its_path_below_results_timing(kbw, home, in_a_subfolder):
    kbw("ingest", f"git:{in_a_subfolder.path}", "--name", "lab/x")
    named = kbw("manifest", "BoxA/torch/level1/19_ReLU.py", "--pin", "newest", "--digests")
    assert query(home, "select run_digest from interop") == [(json.loads(named.stdout)["run"],)]
    run = json.loads(kbw("manifest", "BoxA/torch/level1/19_ReLU.py", "--pin", "newest", "--kind", "run").stdout)
    assert '"BoxA/baseline_time_torch.json"' in json.dumps(run)


@pytest.fixture
def branched(history) -> GitHistory:
    """A main line, a side branch with figures of its own, and an older state under a name with an ``@``."""
    history.commit("2025-01-01", {timing_path("BoxA"): timings(n1_Double=1.5), module_path("1_Double.py"): module("D")})
    history.branch("try@2")
    history.branch("experiment")
    history.commit("2025-01-05", {timing_path("BoxB"): timings(n1_Double=1.0)}, branch="experiment")
    history.commit("2025-02-01", {timing_path("BoxC"): timings(n1_Double=1.4)})
    return history


def test_a_side_branch_does_not_overwrite_the_main_line_whose_name_it_is_given(kbw, home, branched):
    main = ("ingest", f"git:{branched.path}", "--name", "t/b")
    side = ("ingest", f"git:{branched.path}@experiment", "--name")
    assert kbw(*main).returncode == 0
    before = stored_tables(home)
    refused = kbw(*side, "t/b")
    assert refused.returncode == 1
    assert "experiment is not the main line, whose name t/b is; its lineage is t/b@experiment" in refused.stderr
    assert stored_tables(home) == before
    assert kbw(*side, "t/b@experiment").returncode == 0
    assert query(home, "select source, host from runs where present order by all") == [
        ("t/b", "BoxA"),
        ("t/b", "BoxC"),
        ("t/b@experiment", "BoxA"),
        ("t/b@experiment", "BoxB"),
    ]
    assert kbw(*side, "t/b", "--accept-rewritten").returncode == 0
    assert query(home, "select host from runs where source = 't/b' and not reachable") == [("BoxC",)]


def test_the_last_at_sign_that_names_an_existing_ref_splits_path_and_ref(kbw, home, branched):
    done = kbw("ingest", f"git:{branched.path}@try@2", "--name", "t/b@try@2")
    assert done.returncode == 0, done.stderr
    assert query(home, "select source, host from runs") == [("t/b@try@2", "BoxA")]


def test_an_older_state_of_the_main_line_is_the_main_line(kbw, home, branched):
    assert kbw("ingest", f"git:{branched.path}@{branched.id(1)[:12]}", "--name", "t/b").returncode == 0
    assert kbw("ingest", f"git:{branched.path}", "--name", "t/b").returncode == 0
    assert query(home, "select host from runs where present order by 1") == [("BoxA",), ("BoxC",)]


def test_a_source_by_itself_reads_where_it_was_told_to(in_a_subfolder, tmp_path):
    """The step asks where the files are; nothing before it does."""
    with closing(GitSource(str(in_a_subfolder.path), None, "lab/x")) as source:
        found = discover(Workspace.real(Home(tmp_path / "home")), source)
    assert (found.layout.root, found.layout.modules) == ("Eval", "datasets/KernelBench")
    assert found.surroundings.unread == ("stray/baseline_time.json",)
