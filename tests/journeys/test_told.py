"""What is said of a source is remembered with its lineage: whose modules, which date, which name (section 2)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from flows import sequence
from flows.sequence import Directly, rebuild
from tests.histories import (
    GitHistory,
    failed_checks,
    module,
    module_path,
    query,
    stored_tables,
    timing_path,
    timings,
    whole_tree,
)

RELU = "19_ReLU.py"
ELIGIBLE = "select host, mean_ns, eligible, present from runs where source = 'mine' order by all"


@pytest.fixture
def problems(tmp_path) -> GitHistory:
    """A lineage whose module has one code from January, another from March, and a third from May, at its head."""
    made = GitHistory(tmp_path / "problems")
    made.commit("2025-01-01", {timing_path("BoxP"): timings(n19_ReLU=9.0), module_path(RELU): module("ReLU", 16)})
    made.commit("2025-03-01", {timing_path("BoxP"): timings(n19_ReLU=8.0), module_path(RELU): module("ReLU", 32)})
    made.commit("2025-05-01", {module_path(RELU): module("ReLU", 64)})
    return made


@pytest.fixture
def mine(tmp_path) -> Callable[[float], Path]:
    """Write a folder with one figure, and no module; the folder."""

    def write(mean: float) -> Path:
        file = tmp_path / "mine" / "MyBox" / "baseline_time_torch.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(timings(n19_ReLU=mean))
        os.utime(file, (1_750_000_000, 1_750_000_000))  # 2025-06-15
        return tmp_path / "mine"

    return write


def rows_measured(home, source: str) -> list[tuple[str, int | None]]:
    """The day of each run of a source and the rows of the tensor that it was measured on."""
    found = query(
        home,
        "select observed_at::date::varchar, axes from runs left join workloads using (workload_id) "
        f"where runs.source = '{source}' order by 1",
    )
    return [(day, json.loads(axes)["rows"] if axes else None) for day, axes in found]


def test_a_source_with_commits_measured_the_modules_as_they_stood_at_each_commits_date(kbw, home, tmp_path, problems):
    fork = GitHistory(tmp_path / "fork")
    for day in ("2024-12-01", "2025-02-01", "2025-04-01", "2025-06-01"):
        fork.commit(day, {timing_path(f"Box{day[:7]}"): timings(n19_ReLU=1.0), module_path(RELU): module("own", 128)})
    refused = kbw("ingest", f"git:{fork.path}", "--name", "lab/fork", "--problems", "lab/p")
    assert refused.returncode == 1
    assert "--problems lab/p: no such source in the warehouse; ingest it first, or name one of: none" in refused.stderr
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    done = kbw("ingest", f"git:{fork.path}", "--name", "lab/fork", "--problems", "lab/p")
    assert "modules   those of lab/p" in done.stdout, done.stderr
    # Before its first commit its first; the last one is that of its head, which is no revision.
    days = [("2024-12-01", 16), ("2025-02-01", 16), ("2025-04-01", 32), ("2025-06-01", 64)]
    assert rows_measured(home, "lab/fork") == days
    assert failed_checks(home) == {}
    before = stored_tables(home)
    rebuild(home, Directly())
    assert stored_tables(home) == before


def test_a_revision_that_is_named_holds_for_every_commit(kbw, home, tmp_path, problems):
    fork = GitHistory(tmp_path / "fork")
    fork.commit("2025-02-01", {timing_path("BoxA"): timings(n19_ReLU=1.0)})
    fork.commit("2025-06-01", {timing_path("BoxB"): timings(n19_ReLU=1.0)})
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    at = f"lab/p@{problems.id(2)[:10]}"
    assert kbw("ingest", f"git:{fork.path}", "--name", "lab/fork", "--problems", at).returncode == 0
    assert rows_measured(home, "lab/fork") == [("2025-02-01", 32), ("2025-06-01", 32)]
    wrong = kbw("ingest", f"git:{fork.path}", "--name", "lab/other", "--problems", "lab/p@ffffffffff")
    assert "0 known revisions of lab/p begin with ffffffffff" in wrong.stderr


def test_what_stood_later_of_the_other_lineage_binds_anew_and_a_head_that_moved_on_does_not(
    kbw, home, tmp_path, problems
):
    fork = GitHistory(tmp_path / "fork")
    fork.commit("2025-06-01", {timing_path("BoxA"): timings(n19_ReLU=1.0)})
    told = ("ingest", f"git:{fork.path}", "--name", "lab/fork", "--problems", "lab/p")
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    kbw(*told)
    assert rows_measured(home, "lab/fork") == [("2025-06-01", 64)]
    problems.commit("2025-07-01", {"README.md": "the head moves on, past the fork's commit"})
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    assert "nothing new" in kbw(*told).stdout
    # A revision between: only now known, and it stood when the fork's figures were committed.
    problems.branch("main", 3)
    problems.commit("2025-05-20", {timing_path("BoxP"): timings(n19_ReLU=7.0), module_path(RELU): module("ReLU", 256)})
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    assert "bound     anew" in kbw(*told).stdout
    assert rows_measured(home, "lab/fork") == [("2025-06-01", 256)]
    assert failed_checks(home) == {}


def test_problems_that_are_forgotten_the_second_time_are_remembered(kbw, home, problems, mine):
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    assert kbw("ingest", f"dir:{mine(0.5)}", "--problems", "lab/p").returncode == 0
    assert "nothing new" in kbw("ingest", f"dir:{mine(0.5)}").stdout
    done = kbw("ingest", f"dir:{mine(0.4)}")
    assert "modules   those of lab/p" in done.stdout
    assert query(home, ELIGIBLE) == [("MyBox", 400_000, True, True), ("MyBox", 500_000, True, False)]


def test_problems_told_for_the_first_time_later_bind_what_was_unresolved(kbw, home, problems, mine):
    kbw("ingest", f"dir:{mine(0.5)}")
    kbw("ingest", f"dir:{mine(0.4)}")
    assert query(home, ELIGIBLE) == [("MyBox", 400_000, False, True), ("MyBox", 500_000, False, False)]
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    done = kbw("ingest", f"dir:{mine(0.4)}", "--problems", "lab/p")
    assert "bound     anew, by what was told or is known now" in done.stdout
    assert query(home, ELIGIBLE) == [("MyBox", 400_000, True, True), ("MyBox", 500_000, True, False)]
    assert query(home, "select count(*) from revisions where source = 'mine'") == [(2,)]
    assert failed_checks(home) == {}
    before = stored_tables(home)
    rebuild(home, Directly())
    assert stored_tables(home) == before


def test_what_is_told_and_then_not_published_is_left_to_the_next_ingest(kbw, home, problems, mine, monkeypatch):
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    kbw("ingest", f"dir:{mine(0.5)}")
    told = ("ingest", f"dir:{mine(0.5)}", "--problems", "lab/p")
    before = whole_tree(home.root)
    assert "bound     anew" in kbw(*told, "--dry-run").stdout
    assert whole_tree(home.root) == before
    with monkeypatch.context() as failing:
        failing.setattr(sequence, "publish", full)
        assert kbw(*told).returncode == 1
    assert query(home, ELIGIBLE) == [("MyBox", 500_000, False, True)]
    assert kbw("ingest", f"dir:{mine(0.5)}").returncode == 0
    assert query(home, ELIGIBLE) == [("MyBox", 500_000, True, True)]


def full(*_: object) -> None:
    raise OSError("the disk is full")


def test_other_problems_are_refused_until_that_is_meant(kbw, home, tmp_path, problems, mine):
    other = GitHistory(tmp_path / "other")
    other.commit("2025-01-01", {timing_path("BoxO"): timings(n19_ReLU=9.0), module_path(RELU): module("Other", 512)})
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    kbw("ingest", f"git:{other.path}", "--name", "lab/o")
    kbw("ingest", f"dir:{mine(0.5)}", "--problems", "lab/p")
    before = stored_tables(home)
    refused = kbw("ingest", f"dir:{mine(0.5)}", "--problems", "lab/o")
    assert refused.returncode == 1
    for words in ("measured lab/p by what was said before", "1 revisions would be bound to lab/o", "--change-settings"):
        assert words in refused.stderr
    assert stored_tables(home) == before
    assert kbw("ingest", f"dir:{mine(0.5)}", "--problems", "lab/o", "--change-settings").returncode == 0
    assert rows_measured(home, "mine") == [("2025-06-15", 512)]
    # Left out, it is said no more.
    assert kbw("ingest", f"dir:{mine(0.5)}", "--change-settings").returncode == 0
    assert rows_measured(home, "mine") == [("2025-06-15", None)]
    assert failed_checks(home) == {}


def test_modules_of_ones_own_do_not_give_way_by_the_way(kbw, home, problems):
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    kbw("ingest", f"git:{problems.path}", "--name", "lab/q")
    refused = kbw("ingest", f"git:{problems.path}", "--name", "lab/q", "--problems", "lab/p")
    assert "measured its own modules by what was said before" in refused.stderr
    own = kbw("ingest", f"git:{problems.path}", "--name", "lab/p", "--problems", "lab/p", "--change-settings")
    assert "its modules are those beside the figures already" in own.stderr


def test_a_folder_sees_that_a_problem_has_changed_since_it_was_measured(kbw, home, problems, mine):
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    kbw("ingest", f"dir:{mine(0.5)}", "--problems", "lab/p")
    problems.commit("2025-08-01", {module_path(RELU): module("ReLU", 1024)})
    kbw("ingest", f"git:{problems.path}", "--name", "lab/p")
    assert kbw("ingest", f"dir:{mine(0.5)}").returncode == 0
    reasons = "select list_contains(reasons, 'problem_changed') from staleness join runs using (run_id) "
    assert query(home, f"{reasons} where source = 'mine'") == [(True,)]
    assert rows_measured(home, "mine") == [("2025-06-15", 64)]
    assert query(home, "select count(*) from revisions where source = 'mine'") == [(1,)]
    assert "nothing new" in kbw("ingest", f"dir:{mine(0.5)}").stdout
    assert failed_checks(home) == {}


def test_who_dated_a_folder_once_dates_it_again(kbw, home, mine):
    dated = ("--observed-at", "2025-01-10")
    kbw("ingest", f"dir:{mine(0.5)}", *dated)
    assert "nothing new" in kbw("ingest", f"dir:{mine(0.5)}").stdout
    refused = kbw("ingest", f"dir:{mine(0.4)}")
    assert "mine: was dated by --observed-at before; say when its new state was measured" in refused.stderr
    assert kbw("ingest", f"dir:{mine(0.4)}", "--observed-at", "2025-01-20").returncode == 0
    again = kbw("ingest", f"dir:{mine(0.4)}", "--observed-at", "2025-01-25")
    assert "this state was dated 2025-01-20 00:00 UTC, and would be 2025-01-25 00:00 UTC" in again.stderr
    days = "select observed_at::date::varchar from runs order by 1"
    assert query(home, days) == [("2025-01-10",), ("2025-01-20",)]
    kbw("ingest", f"dir:{mine(0.4)}", "--observed-at", "2025-01-25", "--change-settings")
    assert query(home, days) == [("2025-01-10",), ("2025-01-25",)]


def test_a_folder_that_its_files_dated_is_not_dated_otherwise_by_the_way(kbw, home, mine):
    kbw("ingest", f"dir:{mine(0.5)}")
    refused = kbw("ingest", f"dir:{mine(0.5)}", "--observed-at", "2025-01-10")
    assert "mine: is dated by its files, last 2025-06-15" in refused.stderr
    kbw("ingest", f"dir:{mine(0.5)}", "--observed-at", "2025-01-10", "--change-settings")
    assert query(home, "select observed_at::date::varchar from runs") == [("2025-01-10",)]


def test_a_name_given_by_hand_is_remembered_for_the_same_path(kbw, home, mine, monkeypatch):
    kbw("ingest", f"dir:{mine(0.5)}", "--name", "me/box")
    monkeypatch.chdir(mine(0.4).parent)
    assert kbw("ingest", "dir:mine").returncode == 0
    assert query(home, "select distinct source from runs") == [("me/box",)]
    kbw("ingest", "dir:mine", "--name", "me/twin")
    ambiguous = kbw("ingest", "dir:mine")
    assert "was ingested under several names; say which with --name: me/box, me/twin" in ambiguous.stderr


def test_the_settings_say_the_same_and_may_be_what_counts(kbw, home, problems, mine):
    home.root.mkdir()
    folder = mine(0.5)
    listed = f'[[sources]]\nsource = "git:{problems.path}"\nname = "lab/p"\n[[sources]]\nsource = "dir:{folder}"\n'
    (home.root / "kbw.toml").write_text(listed)
    assert kbw("ingest", "--all").returncode == 0
    (home.root / "kbw.toml").write_text(f'{listed}problems = "lab/p"\nroot = "."\nchange_settings = true\n')
    done = kbw("ingest", "--all")
    assert done.returncode == 0, done.stderr
    assert query(home, ELIGIBLE) == [("MyBox", 500_000, True, True)]
    assert "mine: nothing new" in kbw("ingest", "--all").stdout


@pytest.mark.parametrize("below", ["", "KBench"])
def test_a_folder_in_a_git_work_tree_is_refused_with_what_would_date_it(kbw, home, tmp_path, below):
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "init", "--quiet", checkout], check=True)
    folder = checkout / below
    (folder / timing_path()).parent.mkdir(parents=True)
    (folder / timing_path()).write_text(timings(n19_ReLU=1.0))
    refused = kbw("ingest", f"dir:{folder}")
    assert refused.returncode == 1
    way_on = f"git:{checkout} --root KBench, or" if below else f"git:{checkout}, or"
    assert way_on in refused.stderr
    assert "--observed-at" in refused.stderr
    assert kbw("ingest", f"dir:{folder}", "--observed-at", "2025-01-01").returncode == 0
