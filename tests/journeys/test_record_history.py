"""Who holds a record after each revision of a history, and why it changed (DESIGN section 10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.histories import (
    COMPILED,
    EAGER,
    TUNED,
    GitHistory,
    day,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)
from warehouse.home import Home

RELU = "19_ReLU.py"
HERE = timing_path()
WITH_RELU = {module_path(RELU): module("ReLU")}


@pytest.fixture
def history(tmp_path: Path) -> GitHistory:
    return GitHistory(tmp_path / "repository")


def record_events(home: Home) -> list[tuple]:
    """(date, cause, new mean in ms, improvement) of every event, of the first cohort first."""
    return query(
        home,
        "select changed_at, cause, history.mean_ns / 1e6, round(improvement, 6) from record_history as history "
        "order by min(changed_at) over (partition by cohort_id), cohort_id, history.position",
    )


def test_the_first_run_of_a_cohort_begins_its_history_and_a_faster_one_takes_the_lead(home, history):
    """1 - 1.2 / 1.5 = 0.2."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {timing_path(mode=COMPILED): timings(n19_ReLU=1.2)})
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.5, None),
        (day("2025-02-01"), "faster", 1.2, 0.2),
    ]
    assert query(home, "select mode, held_since, lead_changes, margin_ratio, clear, present from records") == [
        (COMPILED, day("2025-02-01"), 1, 1.25, True, True)
    ]
    assert query(
        home, "select mode, rank, vs_first, vs_baseline from leaderboard join runs using (run_id) order by 2"
    ) == [
        (COMPILED, 1, 1.0, 1.25),
        (EAGER, 2, 1.25, 1.0),
    ]


def test_of_the_runs_of_one_revision_only_the_best_makes_an_event(home, history):
    """1 - 0.75 / 1.5 = 0.5."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit(
        "2025-02-01",
        {timing_path(mode=COMPILED): timings(n19_ReLU=1.2), timing_path(mode=TUNED): timings(n19_ReLU=0.75)},
    )
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.5, None),
        (day("2025-02-01"), "faster", 0.75, 0.5),
    ]


def test_a_holder_measured_again_is_remeasured_even_when_the_record_gets_slower(home, history):
    """1 - 1.5 / 1.2 = -0.25."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.2), **WITH_RELU})
    history.commit("2025-02-01", {HERE: timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.2, None),
        (day("2025-02-01"), "remeasured", 1.5, -0.25),
    ]
    assert query(home, "select lead_changes from records") == [(0,)]


def test_a_holder_measured_again_that_leads_no_more_is_overtaken(home, history):
    """The compiled mode held 1.0 and now shows 2.0, so eager leads with 1.6: 1 - 1.6 / 1.0 = -0.6."""
    history.commit(
        "2025-01-01",
        {HERE: timings(n19_ReLU=1.6), timing_path(mode=COMPILED): timings(n19_ReLU=1.0), **WITH_RELU},
    )
    history.commit("2025-02-01", {timing_path(mode=COMPILED): timings(n19_ReLU=2.0)})
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.0, None),
        (day("2025-02-01"), "overtaken", 1.6, -0.6),
    ]
    assert query(home, "select mode, lead_changes from records") == [(EAGER, 1)]


def test_a_holder_whose_mode_goes_leaves_the_lead_to_another(home, history):
    """1 - 1.5 / 1.0 = -0.5."""
    history.commit(
        "2025-01-01",
        {HERE: timings(n19_ReLU=1.5), timing_path(mode=COMPILED): timings(n19_ReLU=1.0), **WITH_RELU},
    )
    history.commit("2025-02-01", {timing_path(mode=COMPILED): None})
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.0, None),
        (day("2025-02-01"), "holder_gone", 1.5, -0.5),
    ]


def test_figures_that_now_belong_to_other_code_end_the_history_of_the_old(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {HERE: timings(n19_ReLU=3.0), module_path(RELU): module("ReLU", n=32)})
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.5, None),
        (day("2025-02-01"), "problem_changed", None, None),
        (day("2025-02-01"), "first", 3.0, None),
    ]
    assert query(home, "select mean_ns, present from records order by mean_ns") == [
        (1_500_000, False),
        (3_000_000, True),
    ]


def test_figures_that_go_are_withdrawn_and_come_back_as_returned(home, history):
    """It came back with what it had: 1 - 1.5 / 1.5 = 0."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {HERE: None})
    history.commit("2025-03-01", {HERE: timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert record_events(home) == [
        (day("2025-01-01"), "first", 1.5, None),
        (day("2025-02-01"), "withdrawn", None, None),
        (day("2025-03-01"), "returned", 1.5, 0.0),
    ]
    assert query(home, "select held_since, present, lead_changes from records") == [(day("2025-03-01"), True, 0)]


def test_other_figures_that_come_after_a_withdrawal_are_returned_too(home, history):
    """1 - 1.2 / 1.5 = 0.2, against the last holder before."""
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {HERE: None})
    history.commit("2025-03-01", {timing_path(mode=COMPILED): timings(n19_ReLU=1.2)})
    ingest_git(home, history)
    assert record_events(home)[-1] == (day("2025-03-01"), "returned", 1.2, 0.2)


def test_a_withdrawn_record_is_held_by_its_last_holder_beside_those_that_stood_with_it(home, history):
    """1.5 / 1.2 = 1.25; the third mode had gone before and is not its neighbour any more."""
    history.commit(
        "2025-01-01",
        {
            HERE: timings(n19_ReLU=1.5),
            timing_path(mode=COMPILED): timings(n19_ReLU=1.2),
            timing_path(mode=TUNED): timings(n19_ReLU=1.25),
            **WITH_RELU,
        },
    )
    history.commit("2025-02-01", {timing_path(mode=TUNED): None})
    history.commit("2025-03-01", {HERE: None, timing_path(mode=COMPILED): None})
    ingest_git(home, history)
    assert query(home, "select mode, present, margin_ratio, clear, held_since, cohort_size from records") == [
        (COMPILED, False, 1.25, True, day("2025-01-01"), 2)
    ]


def test_equal_means_stay_with_the_earlier_observed(home, history):
    """The mode that comes later by date comes first by name."""
    history.commit("2025-01-01", {timing_path(mode=COMPILED): timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {HERE: timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert query(home, "select mode, margin_ratio, clear from records") == [(COMPILED, 1.0, False)]
    assert [event[1] for event in record_events(home)] == ["first"]
    assert query(home, "select mode, rank, rank_shared from leaderboard join runs using (run_id) order by rank") == [
        (COMPILED, 1, 1),
        (EAGER, 2, 1),
    ]


def test_equal_means_of_one_revision_go_by_the_name_of_the_mode(home, history):
    history.commit(
        "2025-01-01",
        {timing_path(mode=COMPILED): timings(n19_ReLU=1.5), HERE: timings(n19_ReLU=1.5), **WITH_RELU},
    )
    ingest_git(home, history)
    assert query(home, "select mode from records") == [(EAGER,)]


def test_a_tie_is_joined_only_by_a_run_that_ties_with_all_its_members(home, history):
    """95 % half-widths 1.96 x 0.5 / sqrt(100) = 0.098, and 0.005 of rounding: 0.103 to either side.

    1.0 ties with 1.2 (1.103 >= 1.097) and 1.2 with 1.4, but 1.0 not with 1.4; 1.6 then ties with 1.4.
    """
    means = {EAGER: 1.0, COMPILED: 1.2, TUNED: 1.4, "made_up": 1.6, "slow": 9.0}
    files = {
        timing_path(mode=mode): timings(n19_ReLU=figures(mean, 0.5 if mode != "slow" else 0.0))
        for mode, mean in means.items()
    }
    history.commit("2025-01-01", {**files, **WITH_RELU})
    ingest_git(home, history)
    assert query(home, "select mode, rank, rank_shared from leaderboard join runs using (run_id) order by rank") == [
        (EAGER, 1, 1),
        (COMPILED, 2, 1),
        (TUNED, 3, 2),
        ("made_up", 4, 2),
        ("slow", 5, 3),
    ]
    assert query(home, "select clear, round(margin_ratio, 6), cohort_size from records") == [(False, 1.2, 5)]


def test_rounding_alone_makes_a_tie(home, history):
    """No spread: 1.24 stands for 1.235 to 1.245 and 1.25 for 1.245 to 1.255, which touch; 1.27 is apart from both."""
    files = {
        timing_path(mode=mode): timings(n19_ReLU=figures(mean, 0.0))
        for mode, mean in ((EAGER, 1.24), (COMPILED, 1.25), (TUNED, 1.27))
    }
    history.commit("2025-01-01", {**files, **WITH_RELU})
    ingest_git(home, history)
    assert query(
        home, "select mode, rank_shared, low_ns, high_ns from leaderboard join runs using (run_id) order by rank"
    ) == [
        (EAGER, 1, 1_235_000, 1_245_000),
        (COMPILED, 1, 1_240_000 + 5_000, 1_255_000),
        (TUNED, 2, 1_265_000, 1_275_000),
    ]


def test_dates_that_go_backwards_leave_the_order_of_the_revisions(home, history):
    """A clock was wrong: the second commit bears an earlier date than the first."""
    history.commit("2025-03-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU})
    history.commit("2025-02-01", {timing_path(mode=COMPILED): timings(n19_ReLU=1.2)})
    ingest_git(home, history)
    assert [event[:3] for event in record_events(home)] == [
        (day("2025-03-01"), "first", 1.5),
        (day("2025-02-01"), "faster", 1.2),
    ]
    assert query(home, "select mode, held_since, observed_at from records") == [
        (COMPILED, day("2025-02-01"), day("2025-02-01"))
    ]
