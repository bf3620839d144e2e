"""Ranks within a cohort: by mean, then by what appeared earlier in the lineage, then by the mode's name."""

from __future__ import annotations

import pytest

from tests.sql.rows import Rows

RANKS = "select run_id, rank, rank_shared from leaderboard order by rank"
TIES = {
    "the smaller mean leads": ([("slow", 2, "a", 0), ("fast", 1, "b", 1)], "fast"),
    "equal means: the earlier in the lineage leads": ([("later", 1, "a", 1), ("earlier", 1, "b", 0)], "earlier"),
    "equal means, seen together: the mode's name decides": ([("second", 1, "b", 0), ("first", 1, "a", 0)], "first"),
}


@pytest.mark.parametrize("case", TIES)
def test_who_leads(rows: Rows, case):
    runs, leader = TIES[case]
    rows.revisions("2025-01-01", "2025-01-02")
    rows.mode("a", "b")
    for run_id, mean, mode, since in runs:
        rows.run(run_id, mean, mode=mode, since=since)
    rows.derive("leaderboard", "record_history", "record_holders")
    assert rows.ask("select run_id from leaderboard where rank = 1") == [(leader,)]
    assert rows.one("select run_id from record_holders") == leader
    assert rows.one("select run_id from leaderboard_as_of('2030-01-01') where rank = 1") == leader


def test_earlier_means_earlier_in_the_lineage_where_dates_run_backwards(rows: Rows):
    """The second revision bears an older date than the first: its run still came second."""
    rows.revisions("2025-01-02", "2025-01-01")
    rows.mode("a", "z")
    rows.run("first", 1, mode="z", since=0, observed_at=None)
    rows.run("second", 1, mode="a", since=1)
    rows.derive("leaderboard", "record_history", "record_holders")
    assert rows.ask("select run_id, rank from leaderboard order by rank") == [("first", 1), ("second", 2)]
    assert rows.ask("select run_id, cause from record_history") == [("first", "first")]


def test_the_next_behind_the_holder_is_chosen_by_the_same_rule(rows: Rows):
    rows.revisions("2025-01-01", "2025-01-02")
    rows.mode("a", "b", "c", "d")
    rows.run("holder", 1, mode="d")
    rows.run("later", 2, mode="a", since=1)
    rows.run("second name", 2, mode="c")
    rows.run("first name", 2, mode="b")
    rows.derive("record_history", "record_holders")
    assert rows.ask("select run_id, next_run_id, margin_ratio from record_holders") == [("holder", "first name", 2.0)]
    assert rows.ask("select next_run_id from record_holders_as_of('2030-01-01')") == [("first name",)]


def test_a_rank_is_shared_only_with_all_members_of_a_tie(rows: Rows):
    """10 +- 2 and 13 +- 2 overlap; 15 +- 1 overlaps the second and not the first, so it begins a rank of its own."""
    rows.revisions("2025-01-01")
    rows.mode("a", "b", "c", "d")
    for run_id, mean, half, mode in (("x", 10, 2, "a"), ("y", 13, 2, "b"), ("z", 15, 1, "c"), ("w", 17, 1, "d")):
        rows.run(run_id, mean, half_ns=half, mode=mode)
    rows.derive("leaderboard")
    assert rows.ask(RANKS) == [("x", 1, 1), ("y", 2, 1), ("z", 3, 2), ("w", 4, 2)]


def test_intervals_that_touch_overlap_and_rounding_widens_them(rows: Rows):
    rows.revisions("2025-01-01")
    rows.mode("a", "b", "c")
    rows.run("x", 10, half_ns=1, mode="a")
    rows.run("touches", 12, half_ns=1, mode="b")
    rows.run("rounded", 15, mode="c", ci95_low_ns=14, ci95_high_ns=16, rounding_ns=1)
    rows.derive("leaderboard")
    assert rows.ask(RANKS) == [("x", 1, 1), ("touches", 2, 1), ("rounded", 3, 2)]
    assert rows.ask("select low_ns, high_ns from leaderboard where run_id = 'rounded'") == [(13, 17)]


def test_a_figure_is_compared_with_the_first_and_with_the_fastest_eager_one(rows: Rows):
    rows.revisions("2025-01-01")
    rows.mode("torch", baseline=True)
    rows.mode("compiled", "slow")
    rows.run("eager", 6, mode="torch")
    rows.run("compiled", 2, mode="compiled")
    rows.run("slow", 8, mode="slow")
    rows.derive("leaderboard")
    found = rows.ask("select run_id, vs_first, vs_baseline, cohort_size from leaderboard order by rank")
    assert found == [("compiled", 1.0, 3.0, 3), ("eager", 3.0, 1.0, 3), ("slow", 4.0, 0.75, 3)]


def test_what_is_not_eligible_or_not_present_has_no_rank(rows: Rows):
    rows.revisions("2025-01-01", "2025-01-02")
    rows.mode("a", "b", "c")
    rows.run("gone", 1, mode="a", until=1)
    rows.run("barred", 2, mode="b", eligible=False)
    rows.run("stands", 3, mode="c")
    rows.derive("leaderboard")
    assert rows.ask(RANKS) == [("stands", 1, 1)]
    assert rows.ask("select run_id, rank from leaderboard_as_of('2025-01-01 12:00') order by rank") == [
        ("gone", 1),
        ("stands", 2),
    ]
