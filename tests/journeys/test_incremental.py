"""However a history came here, in one step or several, in this order or that: the tables are the same."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flows.sequence import Directly, ingest, rebuild
from flows.sources.git import GitSource
from tests.histories import (
    A100,
    COMPILED,
    EAGER,
    LAB,
    TUNED,
    UPSTREAM,
    GitHistory,
    all_tables,
    failed_checks,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_json,
    timing_path,
    timings,
    whole_tree,
)
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home

RELU = "19_ReLU.py"
GELU = "26_GELU.py"


def eight_commits(folder: Path) -> GitHistory:
    """Figures that come, change, move, are refused, go and return; modules that change; a merge; a head of its own."""
    history = GitHistory(folder)
    history.commit(
        "2025-01-01",
        {
            timing_path(): timings(n19_ReLU=1.5, n26_GELU=2.5, n40_Lost=4.0),
            timing_path(mode=COMPILED): timings(n19_ReLU=1.25, n26_GELU=None),
            module_path(RELU): module("ReLU"),
            module_path(GELU): module("GELU", body="torch.sigmoid(x)"),
        },
    )
    history.commit("2025-01-02", {timing_path(mode=COMPILED): "{", timing_path("B_lab"): timings(n19_ReLU=3.0)})
    history.branch("side")
    history.commit("2025-01-03", {timing_path("B_lab"): None}, branch="side")
    history.commit("2025-01-04", {module_path(RELU): module("ReLU", draw="randn")})
    history.merge("2025-01-05", "side")
    history.commit(
        "2025-01-06",
        {
            timing_path(): None,
            "results/timing/old/H100_lab/baseline_time_torch.json": timings(n19_ReLU=1.5, n26_GELU=2.0),
            timing_path(mode=COMPILED): timings(n19_ReLU=1.5, n26_GELU=2.0),
            "results/timing/README.md": "Measured with PyTorch `2.5.0` and CUDA `12.4`.",
        },
    )
    history.commit("2025-01-07", {timing_path("B_lab"): timings(n19_ReLU=3.0)})
    history.commit("2025-01-08", {module_path(GELU): module("GELU", n=32, body="torch.sigmoid(x)")})
    return history


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> GitHistory:
    return eight_commits(tmp_path_factory.mktemp("history") / "repository")


@pytest.fixture(scope="module")
def at_once(history: GitHistory, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home that took the whole history in one step. Tests read it and leave it as it is."""
    home = Home(tmp_path_factory.mktemp("at_once"))
    ingest_git(home, history)
    return home


@pytest.fixture
def home(at_once: Home, tmp_path: Path) -> Home:
    """A home of its own with the whole history, as ``at_once`` has it."""
    return _copied(at_once, tmp_path / "home")


def _copied(home: Home, folder: Path) -> Home:
    """A home with what another has, down to the times of its files."""
    copied = Home(folder)
    shutil.copytree(home.root, copied.root, copy_function=shutil.copy2)
    # A copied file is another file: let the heartbeat name it, as if it had been published here.
    beat = json.loads(copied.heartbeat.read_bytes())
    found = copied.database.stat()
    beat["published"] = {"inode": found.st_ino, "size": found.st_size, "mtime_ns": found.st_mtime_ns}
    copied.heartbeat.write_text(json.dumps(beat))
    return copied


MAIN_LINE = (1, 2, 4, 5, 6, 7)
"""Marks of the commits of the main branch at which an ingest may have stopped (3 is on the side branch, 8 the last)."""


@pytest.fixture(scope="module")
def stopped_at(history: GitHistory, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Home]:
    """Homes that took the history commit by commit, as far as each mark. Tests copy them."""
    homes: dict[int, Home] = {}
    folder = tmp_path_factory.mktemp("stopped")
    for before, mark in zip((None, *MAIN_LINE), MAIN_LINE, strict=False):
        homes[mark] = _copied(homes[before], folder / str(mark)) if before else Home(folder / str(mark))
        ingest_git(homes[mark], history, mark)
    return homes


@pytest.mark.parametrize("mark", MAIN_LINE)
def test_a_history_in_two_steps_or_more_gives_the_tables_of_one_step(mark, stopped_at, history, at_once, tmp_path):
    home = _copied(stopped_at[mark], tmp_path / "home")
    outcome = ingest_git(home, history)
    assert outcome.discovered is not None and not outcome.discovered.fresh
    assert all_tables(home) == all_tables(at_once)


def test_two_independent_sources_in_both_orders_give_the_same_tables(history, tmp_path):
    other = GitHistory(tmp_path / "other")
    other.commit(
        "2025-03-01",
        {timing_path("own_host"): timings(n19_ReLU=0.5, n99_Own=1.0), module_path(RELU): module("ReLU")},
    )
    one, two = Home(tmp_path / "one"), Home(tmp_path / "two")
    ingest_git(one, history)
    ingest_git(one, other, name="other/KernelBench")
    ingest_git(two, other, name="other/KernelBench")
    ingest_git(two, history)
    assert all_tables(one) == all_tables(two)


def upstream_and_fork(folder: Path) -> tuple[GitHistory, GitHistory]:
    """A fork that carries upstream's two figures of one problem, took them a day later, and measured a third mode."""
    upstream, fork = GitHistory(folder / "upstream"), GitHistory(folder / "fork")
    carried = {
        timing_path(): timings(n19_ReLU=1.5),
        timing_path(mode=COMPILED): timings(n19_ReLU=1.25),
        module_path(RELU): module("ReLU"),
    }
    upstream.commit("2025-01-01", carried)
    fork.commit("2025-01-02", carried)
    fork.commit("2025-01-03", {timing_path(mode=TUNED): timings(n19_ReLU=1.0)})
    return upstream, fork


@pytest.mark.parametrize("order", [(UPSTREAM, LAB), (LAB, UPSTREAM)], ids=["upstream first", "fork first"])
def test_a_fork_that_carries_upstreams_files_is_a_copy_whichever_comes_first(order, tmp_path):
    upstream, fork = upstream_and_fork(tmp_path)
    home = Home(tmp_path / "home")
    for name in order:
        ingest_git(home, upstream if name == UPSTREAM else fork, name=name)
    assert query(
        home,
        "select copied.mode, original.source, copied.eligible, copied.ineligible_reasons from runs as copied "
        "left join runs as original on copied.copy_of = original.run_id where copied.source = 'lab/KernelBench' "
        "order by copied.mode",
    ) == [
        (EAGER, UPSTREAM, False, ["copy"]),
        (COMPILED, UPSTREAM, False, ["copy"]),
        (TUNED, None, True, []),
    ]
    assert query(home, "select count(*) from runs where copy_of is not null and source <> 'lab/KernelBench'") == [(0,)]
    assert query(
        home, "select source, mode, lead_changes from records join runs using (run_id, source, mode) order by source"
    ) == [(UPSTREAM, COMPILED, 0), (LAB, TUNED, 0)]
    assert query(
        home, "select source, runs.mode, rank, cohort_size from leaderboard join runs using (run_id) order by 1, 3"
    ) == [(UPSTREAM, COMPILED, 1, 2), (UPSTREAM, EAGER, 2, 2), (LAB, TUNED, 1, 1)]


def test_a_fork_of_copies_alone_holds_no_record(tmp_path):
    upstream = GitHistory(tmp_path / "upstream")
    upstream.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), module_path(RELU): module("ReLU")})
    home = Home(tmp_path / "home")
    ingest_git(home, upstream, name=LAB)
    assert query(home, "select source from records") == [(LAB,)]
    ingest_git(home, upstream, name=UPSTREAM)
    assert query(home, "select source from records") == [(UPSTREAM,)]
    assert query(home, "select source, copy_of is not null from runs order by source") == [
        (UPSTREAM, False),
        (LAB, True),
    ]


def test_a_second_ingest_writes_only_the_heartbeat(home, history):
    before = whole_tree(home.root)
    outcome = ingest_git(home, history)
    after = whole_tree(home.root)
    assert outcome.published is None
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed - {"ingest.lock"} == {"heartbeat.json"}
    assert before["warehouse.duckdb"] == after["warehouse.duckdb"]


def test_a_rebuild_from_landing_gives_the_same_tables(home):
    before = all_tables(home)
    rebuild(home, Directly())
    assert all_tables(home) == before


def test_an_ingest_without_its_database_gives_the_same_tables(home, history):
    before = all_tables(home)
    home.database.unlink()
    ingest_git(home, history)
    assert all_tables(home) == before


def test_a_database_made_by_other_rules_is_made_again(home, history):
    before = all_tables(home)
    beat = json.loads(home.heartbeat.read_bytes())
    home.heartbeat.write_text(json.dumps({**beat, "rules_version": "0-of-another-time"}))
    outcome = ingest_git(home, history)
    assert outcome.discovered is not None and outcome.discovered.fresh
    assert query(home, "select rebuilt from ingests order by ingest_id") == [(True,), (True,)]
    assert all_tables(home) == before
    assert ingest_git(home, history).published is None


def test_a_check_is_noted_also_when_the_database_had_to_be_made_again(home, history):
    before = Heartbeat.read(home.heartbeat).sources[LAB]
    home.database.unlink()
    ingest_git(home, history)
    assert Heartbeat.read(home.heartbeat).sources[LAB].checked_at > before.checked_at


class KilledWhile(Directly):
    """An ingest whose process dies as it begins a step."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self._last = step

    def __call__(self, step: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        if step.__name__ == self._last:
            raise KeyboardInterrupt
        return super().__call__(step, *arguments)


def test_an_ingest_that_died_is_made_up_for_by_the_next_also_when_another_source_came_between(
    history, stopped_at, at_once, tmp_path
):
    """It had landed what it was about to publish."""
    home = _copied(stopped_at[4], tmp_path / "home")
    with closing(GitSource(str(history.path), None, LAB)) as source, pytest.raises(KeyboardInterrupt):
        ingest(home, source, KilledWhile("normalise"))
    other = GitHistory(tmp_path / "other")
    other.commit("2025-03-01", {timing_path("own_host"): timings(n99_Own=1.0)})
    ingest_git(home, other, name="other/KernelBench")
    ingest_git(home, history)
    runs = "select run_id, present from runs where source = 'lab/KernelBench' order by run_id"
    assert query(home, runs) == query(at_once, runs)
    assert query(home, "select revisions from sources where source = 'lab/KernelBench'") == query(
        at_once, "select revisions from sources"
    )


def test_a_dry_run_into_an_empty_home_writes_nothing(history, tmp_path):
    home = Home(tmp_path / "nowhere")
    outcome = ingest_git(home, history, dry_run=True)
    assert outcome.published is not None
    assert not home.root.exists()


def test_a_dry_run_says_what_would_change_and_writes_nothing(history, stopped_at, tmp_path):
    home = _copied(stopped_at[1], tmp_path / "home")
    before = whole_tree(home.root)
    outcome = ingest_git(home, history, dry_run=True)
    assert whole_tree(home.root) == before
    assert outcome.published is not None
    counts = outcome.published.changes[LAB].counts
    # Of the first commit 1.5, 2.5, 4.0 and 1.25; then B's 3.0; then 2.0, and 1.5 and 2.0 of the other mode.
    # Of the four first 1.5 alone stands to the end.
    assert (counts["runs_new"], counts["runs_withdrawn"], counts["runs"], counts["present"]) == (4, 3, 8, 5)


# Any history: few hosts, modes, problems and figures, so that what is rare upstream is common here.

HOSTS = ("A_lab", "b_lab")
MODES = (EAGER, COMPILED, "made_up")
PROBLEMS = (RELU, GELU, "30_Softsign.py")
MODULES = (
    module("First"),
    module("First", comment="said otherwise"),
    module("First", draw="randn"),
    module("First", body="torch.tanh(x)"),
    "def get_inputs(",
    None,
)

entries = st.one_of(
    st.sampled_from(
        [figures(1.5), figures(1.25), figures(1.501), figures(2.0, hardware=A100), figures(2.0, hardware=None)]
    ),
    st.sampled_from([figures(1.5), None, figures(-1.0)]),
)
contents = st.one_of(
    st.dictionaries(st.sampled_from(PROBLEMS), entries, min_size=1, max_size=3).map(
        lambda e: timing_json({"level1": e})
    ),
    st.sampled_from([None, None, "{", "[]", timing_json({"level1": {}, "level9": {"1_None.py": figures(1.0)}})]),
)
timing_changes = st.tuples(
    st.builds(
        lambda folder, host, mode: f"results/timing/{folder}{host}/baseline_time_{mode}.json",
        st.sampled_from(["", "", "", "old/"]),
        st.sampled_from(HOSTS),
        st.sampled_from(MODES),
    ),
    contents,
)
module_changes = st.tuples(st.sampled_from(PROBLEMS).map(module_path), st.sampled_from(MODULES))
other_changes = st.tuples(
    st.sampled_from(["results/timing/README.md", "requirements.txt", "src/eval.py"]),
    st.sampled_from(["torch==2.5.0\n", "Measured with PyTorch `2.9`.\n", None]),
)
commits = st.lists(st.one_of(timing_changes, timing_changes, module_changes, other_changes), max_size=4).map(dict)
first_commits = st.builds(
    lambda modules, file, more: {**modules, **more, timing_path(HOSTS[0]): file},
    st.fixed_dictionaries({module_path(p): st.sampled_from(MODULES[:4]) for p in PROBLEMS}),
    contents.filter(lambda text: text is not None),
    commits,
)
histories = st.tuples(first_commits, st.lists(st.tuples(st.booleans(), commits), min_size=1, max_size=6))


def made(
    folder: Path, first: dict[str, Any], rest: Iterable[tuple[bool, dict[str, Any]]]
) -> tuple[GitHistory, list[int]]:
    """A history and the marks of its main line. A change may be made on a side branch and merged a day later."""
    history = GitHistory(folder)
    tree: set[str] = set()
    marks = []
    for number, (aside, wanted) in enumerate([(False, first), *rest]):
        changes = {path: text for path, text in wanted.items() if text is not None or path in tree}
        tree = (tree | {p for p, text in changes.items() if text is not None}) - {
            p for p, t in changes.items() if t is None
        }
        date = f"2025-01-{2 * number + 1:02}"
        if aside:
            history.branch(f"side{number}")
            history.commit(date, changes, branch=f"side{number}")
            marks.append(history.merge(f"2025-01-{2 * number + 2:02}", f"side{number}"))
        else:
            marks.append(history.commit(date, changes))
    return history, marks


@settings(max_examples=3, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(history=histories, split=st.integers(0, 5))
def test_any_history_in_two_steps_gives_the_tables_of_one_step_and_passes_all_checks(history, split):
    with TemporaryDirectory() as folder:
        made_history, marks = made(Path(folder) / "repository", *history)
        once, twice = Home(Path(folder) / "once"), Home(Path(folder) / "twice")
        ingest_git(once, made_history)
        ingest_git(twice, made_history, marks[split % (len(marks) - 1)])
        ingest_git(twice, made_history)
        assert all_tables(twice) == all_tables(once)
        assert failed_checks(once) == {}
        assert query(once, RECORD_HISTORY) == sorted(events(once))


# What record_history must say, by the words of section 10 and nothing else, from runs and presence.

RECORD_HISTORY = "select cohort_id, position, cause, run_id, previous_run_id from record_history order by all"

Event = tuple[str, int, str, str | None, str | None]


def events(home: Home) -> Iterator[Event]:
    """Every event of every cohort, worked out one position after the other."""
    names = ("id", "cohort", "source", "host", "level", "problem", "mode", "workload", "mean", "at", "eligible")
    columns = "run_id, cohort_id, source, host, level, problem, mode, workload_id, mean_ns, observed_at, eligible"
    runs = [dict(zip(names, run, strict=True)) for run in query(home, f"select {columns} from runs")]
    intervals: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    for run, since, until in query(home, "select run_id, from_position, until_position from presence"):
        intervals[run].append((since, until))
    by_cohort: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for run in runs:
        if run["eligible"]:
            by_cohort[run["cohort"]].append(run)
    ((positions,),) = query(home, "select max(position) + 1 from revisions")
    for cohort, members in by_cohort.items():
        yield from _events_of(cohort, members, runs, intervals, positions)


def _events_of(
    cohort: str,
    members: list[dict[str, Any]],
    everyone: list[dict[str, Any]],
    intervals: dict[str, list[tuple[int, int | None]]],
    positions: int,
) -> Iterator[Event]:
    leader = holder = None
    for position in range(positions):
        standing = [
            run
            for run in members
            if any(since <= position and (until is None or position < until) for since, until in intervals[run["id"]])
        ]
        best = min(standing, key=lambda run: (run["mean"], run["at"], run["mode"]), default=None)
        if (best and best["id"]) == (leader and leader["id"]):
            continue
        if best is None:
            assert holder is not None
            place = ("source", "host", "level", "problem")
            now_of_other_code = any(
                run["workload"] != holder["workload"]
                and all(run[p] == holder[p] for p in place)
                and any(since == position for since, _ in intervals[run["id"]])
                for run in everyone
            )
            cause = "problem_changed" if now_of_other_code else "withdrawn"
        elif holder is None:
            cause = "first"
        else:
            cause = "returned" if leader is None else _cause_of_a_new_leader(best, holder, standing)
        yield cohort, position, cause, best and best["id"], holder and holder["id"]
        leader, holder = best, best or holder


def _cause_of_a_new_leader(best: dict[str, Any], holder: dict[str, Any], standing: list[dict[str, Any]]) -> str:
    if any(run["id"] == holder["id"] for run in standing):
        return "faster"
    if best["mode"] == holder["mode"]:
        return "remeasured"
    return "overtaken" if any(run["mode"] == holder["mode"] for run in standing) else "holder_gone"


def test_a_file_that_was_refused_and_mended_long_ago_is_no_news(tmp_path):
    home = Home(tmp_path / "home")
    history = GitHistory(tmp_path / "history")
    history.commit("2025-01-01", {timing_path(): "{", module_path(RELU): module("ReLU")})
    assert [reason for _, reason in ingest_git(home, history).refused_files] == ["not_json"]
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.0)})
    assert ingest_git(home, history).refused_files == []
    history.commit("2025-03-01", {timing_path(): timings(n19_ReLU=0.9)})
    assert ingest_git(home, history).refused_files == []
    assert query(home, "select reason, present from quarantine") == [("not_json", False)]
