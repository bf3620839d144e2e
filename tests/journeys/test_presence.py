"""Which runs a history makes, and from when to when each is present (DESIGN sections 2, 4 and 5)."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from flows.sequence import Directly, ingest
from flows.sources.folder import FolderSource
from tests.histories import (
    A100,
    COMPILED,
    EAGER,
    H100,
    GitHistory,
    day,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_json,
    timing_path,
    timings,
)
from warehouse.home import Home

RELU = "19_ReLU.py"
GELU = "26_GELU.py"
HERE = timing_path()
MOVED = "results/timing/old/H100_lab/baseline_time_torch.json"
README = "results/timing/README.md"
WITH_RELU = {module_path(RELU): module("ReLU")}


@pytest.fixture
def history(tmp_path: Path) -> GitHistory:
    return GitHistory(tmp_path / "repository")


def intervals(home: Home) -> list[tuple]:
    """(mean in ms, from, until) of every interval of every run, by when it began."""
    return query(
        home,
        "select mean_ns / 1e6, from_at, until_at from presence join runs using (run_id) order by from_at, mean_ns",
    )


def record_events(home: Home) -> list[tuple]:
    """(date, cause, new mean in ms, improvement) of every event, of the first cohort first."""
    return query(
        home,
        "select changed_at, cause, history.mean_ns / 1e6, round(improvement, 6) from record_history as history "
        "order by min(changed_at) over (partition by cohort_id), cohort_id, history.position",
    )


def stale(home: Home) -> list[tuple]:
    """(mean in ms, whether present, whether its problem changed, equivalent) of every run."""
    return query(
        home,
        "select mean_ns / 1e6, present, list_contains(reasons, 'problem_changed'), equivalent "
        "from staleness join runs using (run_id) order by observed_at, mean_ns",
    )


def test_a_file_taken_away_and_put_back_gives_its_run_a_second_interval(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {HERE: None})
    history.commit("2025-03-01", {HERE: timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert intervals(home) == [
        (1.5, day("2025-01-01"), day("2025-02-01")),
        (1.5, day("2025-03-01"), None),
    ]
    assert query(home, "select count(*), min(observed_at), bool_and(present) from runs") == [
        (1, day("2025-01-01"), True)
    ]


def test_a_b_a_are_two_runs_the_first_with_two_intervals(home, history):
    for date, mean in (("2025-01-01", 1.5), ("2025-02-01", 2.5), ("2025-03-01", 1.5)):
        history.commit(date, {HERE: timings(n19_ReLU=mean), **WITH_RELU})
    ingest_git(home, history)
    assert intervals(home) == [
        (1.5, day("2025-01-01"), day("2025-02-01")),
        (2.5, day("2025-02-01"), day("2025-03-01")),
        (1.5, day("2025-03-01"), None),
    ]
    assert query(home, "select mean_ns, observed_at, present from runs order by mean_ns") == [
        (1_500_000, day("2025-01-01"), True),
        (2_500_000, day("2025-02-01"), False),
    ]


def test_a_file_half_of_which_changed_was_not_measured_again(home, history):
    """ReLU's figures stay and its code changes; of the two entries that both versions hold one changed."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5, n26_GELU=2.0), **WITH_RELU})
    history.commit(
        "2025-02-01",
        {HERE: timings(n19_ReLU=1.5, n26_GELU=2.5, n30_Softsign=9.0), module_path(RELU): module("ReLU", n=32)},
    )
    ingest_git(home, history)
    runs = query(home, "select observed_at, present from runs where problem = '19_ReLU.py'")
    assert runs == [(day("2025-01-01"), True)]


def test_a_file_more_than_half_of_which_changed_was_measured_again(home, history):
    """Of three entries that both versions hold two changed: what ReLU's equal figures measured is its new code."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5, n26_GELU=2.0, n30_Softsign=9.0), **WITH_RELU})
    history.commit(
        "2025-02-01",
        {HERE: timings(n19_ReLU=1.5, n26_GELU=2.5, n30_Softsign=9.5), module_path(RELU): module("ReLU", n=32)},
    )
    ingest_git(home, history)
    assert query(
        home,
        "select observed_at, present, axes from runs join workloads using (workload_id) order by observed_at",
    ) == [(day("2025-01-01"), False, '{"rows":16}'), (day("2025-02-01"), True, '{"rows":32}')]


CHANGED = {
    "body.py": ("torch.tanh for torch.relu", module("M", body="torch.tanh(x)"), True, False),
    "shape.py": ("another shape", module("M", n=32), True, False),
    "draw.py": ("inputs drawn otherwise", module("M", draw="randn"), True, True),
    "comment.py": ("another comment", module("M", comment="said better"), False, None),
    "gone.py": ("no module any more", None, True, False),
    "same.py": ("nothing", module("M"), False, None),
}
"""Problem, what became of its module, and whether that changes it and leaves it equivalent."""


def test_equal_figures_beside_other_code_are_the_same_runs_whose_problems_changed(home, history):
    names = {f"{number}_{name}": name for number, name in enumerate(CHANGED, 1)}
    before = {module_path(name): module("M") for name in names}
    after = {module_path(name): CHANGED[what][1] for name, what in names.items() if what != "same.py"}
    content = timing_json({"level1": dict.fromkeys(names, figures(1.5))})
    history.commit("2025-01-01", {HERE: content, **before})
    history.commit("2025-02-01", {README: "reworded", **after})
    ingest_git(home, history)
    assert intervals(home) == [(1.5, day("2025-01-01"), None)] * len(names)
    found = query(
        home,
        "select problem, list_contains(reasons, 'problem_changed'), equivalent from staleness join runs using (run_id)",
    )
    assert {names[problem]: changed for problem, *changed in found} == {
        what: [changed, equivalent] for what, (_, _, changed, equivalent) in CHANGED.items()
    }


def test_a_head_that_is_no_revision_says_that_a_problem_changed(home, history):
    first = history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    ingest_git(home, history)
    assert stale(home) == [(1.5, True, False, None)]
    head = history.commit("2025-02-01", {module_path(RELU): module("ReLU", n=32)})
    ingest_git(home, history)
    assert query(home, "select head, newest_revision, revisions from sources") == [
        (history.id(head), history.id(first), 1)
    ]
    assert stale(home) == [(1.5, True, True, False)]


def test_a_problem_renamed_is_another_problem(home, history):
    renamed = "19_Rectifier.py"
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit(
        "2025-02-01",
        {HERE: timings(n19_Rectifier=1.5), module_path(RELU): None, module_path(renamed): module("ReLU")},
    )
    ingest_git(home, history)
    assert query(home, "select problem, present, observed_at from runs order by observed_at") == [
        (RELU, False, day("2025-01-01")),
        (renamed, True, day("2025-02-01")),
    ]
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.5, None),
        (day("2025-02-01"), "withdrawn", None, None),
        (day("2025-02-01"), "first", 1.5, None),
    ]
    assert query(home, "select count(distinct code_digest), count(*) from workloads") == [(1, 2)]


def test_a_file_moved_with_equal_content_changes_no_run(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {HERE: None, MOVED: timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert intervals(home) == [(1.5, day("2025-01-01"), None)]
    assert query(home, "select path from runs") == [(HERE,)]
    assert record_events(home) == [(day("2025-01-01"), "first", 1.5, None)]


def test_a_file_moved_with_other_content_is_the_next_version_of_the_same_host_and_mode(home, history):
    """GELU's equal figures go on; ReLU was measured again at another path."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5, n26_GELU=3.0), **WITH_RELU})
    history.commit("2025-02-01", {HERE: None, MOVED: timings(n19_ReLU=1.25, n26_GELU=3.0)})
    ingest_git(home, history)
    assert intervals(home) == [
        (1.5, day("2025-01-01"), day("2025-02-01")),
        (3.0, day("2025-01-01"), None),
        (1.25, day("2025-02-01"), None),
    ]
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.5, None),
        (day("2025-02-01"), "remeasured", 1.25, round(1 - 1.25 / 1.5, 6)),
    ]


def test_two_paths_for_one_host_and_mode_refuse_all_entries_until_one_goes(home, history):
    first = history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    both = history.commit("2025-02-01", {MOVED: timings(n19_ReLU=1.5, n26_GELU=2.0)})
    history.commit("2025-03-01", {HERE: None})
    ingest_git(home, history)
    assert first != both
    assert query(
        home, "select problem_key, reason, first_revision, last_revision, present from quarantine order by 1"
    ) == [
        (RELU, "duplicate_key", history.id(both), history.id(both), False),
        (GELU, "duplicate_key", history.id(both), history.id(both), False),
    ]
    assert intervals(home) == [
        (1.5, day("2025-01-01"), day("2025-02-01")),
        (1.5, day("2025-03-01"), None),
        (2.0, day("2025-03-01"), None),
    ]
    assert [event[1] for event in record_events(home)] == ["first", "withdrawn", "returned"]


def test_a_host_with_two_gpus_has_two_environments_and_two_cohorts(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=figures(1.5, hardware=H100)), **WITH_RELU})
    history.commit("2025-02-01", {timing_path(mode=COMPILED): timings(n19_ReLU=figures(2.5, hardware=A100))})
    ingest_git(home, history)
    assert query(home, "select host, hardware, known from environments order by hardware") == [
        ("H100_lab", A100, True),
        ("H100_lab", H100, True),
    ]
    assert query(home, "select hardware, mode, cohort_size, margin_ratio, clear from records order by 1") == [
        (A100, COMPILED, 1, None, None),
        (H100, EAGER, 1, None, None),
    ]
    assert query(home, "select count(distinct workload_id) from runs") == [(1,)]


def test_a_host_whose_gpu_changes_has_other_runs_of_equal_figures(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=figures(1.5, hardware=H100)), **WITH_RELU})
    history.commit("2025-02-01", {HERE: timings(n19_ReLU=figures(1.5, hardware=A100))})
    ingest_git(home, history)
    assert query(home, "select hardware, present from runs order by observed_at") == [(H100, False), (A100, True)]
    assert [event[1] for event in record_events(home)] == ["first", "withdrawn", "first"]


def test_a_merge_shows_what_its_side_branch_took_away_at_its_own_date(home, history):
    """The branch deletes on 6 July; the main line shows the file until the merge of 21 July."""
    history.commit("2025-07-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.branch("side")
    deleted = history.commit("2025-07-06", {HERE: None, timing_path("B_lab"): timings(n19_ReLU=9.0)}, branch="side")
    history.commit("2025-07-10", {timing_path(mode=COMPILED): timings(n19_ReLU=1.25)})
    merged = history.merge("2025-07-21", "side")
    ingest_git(home, history)
    assert intervals(home) == [
        (1.5, day("2025-07-01"), day("2025-07-21")),
        (1.25, day("2025-07-10"), None),
        (9.0, day("2025-07-21"), None),
    ]
    revisions = [row[0] for row in query(home, "select revision from revisions order by position")]
    assert revisions == [history.id(1), history.id(3), history.id(merged)]
    assert history.id(deleted) not in revisions


def test_a_merge_that_brings_nothing_under_the_timings_is_no_revision(home, history):
    history.commit("2025-07-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.branch("side")
    history.commit("2025-07-06", {module_path(GELU): module("GELU")}, branch="side")
    history.merge("2025-07-21", "side")
    ingest_git(home, history)
    assert query(home, "select count(*) from revisions") == [(1,)]
    assert query(home, "select problem from problems order by problem") == [(RELU,), (GELU,)]


def test_a_readme_commit_makes_no_run_younger(home, history):
    """Seen upstream on 2026-03-05: only the README under results/timing changed."""
    history.commit("2025-07-21", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2026-03-05", {README: "reworded"})
    ingest_git(home, history)
    assert query(home, "select observed_at, present from runs") == [(day("2025-07-21"), True)]
    assert query(home, "select newest_revision_at, revisions from sources") == [(day("2026-03-05"), 2)]
    assert query(home, "select cast(held_since as date) from records") == [(day("2025-07-21").date(),)]


def test_the_committer_says_when_not_the_author(home, history):
    """Every commit made here was authored a day before it was committed."""
    history.commit("2025-07-21T23:59:59", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    ingest_git(home, history)
    assert query(home, "select observed_at from runs") == [(day("2025-07-21T23:59:59"),)]


def test_a_refused_file_does_not_replace_the_version_before_it(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    broken = history.commit("2025-02-01", {HERE: '{"level1": '})
    still = history.commit("2025-03-01", {README: "reworded"})
    history.commit("2025-04-01", {HERE: timings(n19_ReLU=1.5)})
    outcome = ingest_git(home, history)
    assert outcome.refused_files == [(HERE, "not_json")]
    assert intervals(home) == [(1.5, day("2025-01-01"), None)]
    assert query(
        home, "select host, mode, level, problem_key, reason, first_revision, last_revision, present from quarantine"
    ) == [("H100_lab", EAGER, None, None, "not_json", history.id(broken), history.id(still), False)]


def test_a_file_refused_to_the_end_is_present_in_quarantine(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    broken = history.commit("2025-02-01", {HERE: "[]"})
    newest = history.commit("2025-03-01", {README: "reworded"})
    ingest_git(home, history)
    assert intervals(home) == [(1.5, day("2025-01-01"), None)]
    assert query(home, "select reason, first_revision, last_revision, present from quarantine") == [
        ("unexpected_shape", history.id(broken), history.id(newest), True)
    ]


def test_every_refused_file_is_named_also_where_two_have_equal_content(home, history):
    elsewhere = timing_path("B_lab")
    history.commit("2025-01-01", {HERE: "{", elsewhere: "{", timing_path("C_lab"): timings(n19_ReLU=1.5)})
    outcome = ingest_git(home, history)
    assert outcome.refused_files == [(elsewhere, "not_json"), (HERE, "not_json")]
    assert query(home, "select path, reason from quarantine order by path") == [
        (elsewhere, "not_json"),
        (HERE, "not_json"),
    ]


def test_a_path_that_is_no_text_does_not_keep_the_rest_from_being_read(home, history):
    history.commit(
        "2025-01-01",
        {HERE: timings(n19_ReLU=1.5), "results/timing/odd\udcff/baseline_time_torch.json": timings(n19_ReLU=2.5)},
    )
    ingest_git(home, history)
    assert query(home, "select mean_ns from runs where host = 'H100_lab'") == [(1_500_000,)]
    assert query(home, "select count(*) from files") == [(2,)]


def test_a_folder_that_goes_back_to_what_it_was_gives_its_run_a_second_interval(home, tmp_path):
    timing = tmp_path / "own" / HERE
    timing.parent.mkdir(parents=True)
    for date, mean in (("2025-01-01", 1.5), ("2025-02-01", 2.5), ("2025-03-01", 1.5)):
        timing.write_text(timings(n19_ReLU=mean))
        moment = day(date).replace(tzinfo=UTC)
        ingest(home, FolderSource(str(tmp_path / "own"), "own", moment), Directly())
    assert intervals(home) == [
        (1.5, day("2025-01-01"), day("2025-02-01")),
        (2.5, day("2025-02-01"), day("2025-03-01")),
        (1.5, day("2025-03-01"), None),
    ]


def test_runs_without_a_module_are_kept_and_not_ranked(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5, n40_Lost=2.0), **WITH_RELU})
    ingest_git(home, history)
    assert query(
        home,
        "select problem, workload_id is null, cohort_id is null, eligible, ineligible_reasons from runs order by 1",
    ) == [(RELU, False, False, True, []), ("40_Lost.py", True, True, False, ["module_missing"])]
    assert query(home, "select problem from records") == [(RELU,)]
    assert query(home, "select problem from leaderboard join runs using (run_id)") == [(RELU,)]
    assert query(home, "select problem, title, rank from baselines where problem = '40_Lost.py'") == [
        ("40_Lost.py", None, None)
    ]


def test_a_level_beyond_three_is_read_like_any_other(home, history):
    """Level 5 has modules here; of level 9 there is none."""
    history.commit(
        "2025-01-01",
        {
            HERE: timing_json({"level5": {RELU: figures(1.5)}, "level9": {RELU: figures(2.5)}}),
            module_path(RELU, "level5"): module("ReLU"),
        },
    )
    ingest_git(home, history)
    assert query(home, "select level, eligible, ineligible_reasons from runs order by level") == [
        ("level5", True, []),
        ("level9", False, ["module_missing"]),
    ]
    assert query(home, "select level, title, mean_ns from records") == [("level5", "ReLU", 1_500_000)]
