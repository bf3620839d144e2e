"""How a record moves, event by event."""

from __future__ import annotations

import pytest

from tests.sql.rows import Rows

EVENTS = "select position, cause, run_id, previous_run_id from record_history order by position"

# Runs as (id, mean, mode, intervals of presence), over five revisions, and the events that follow from them.
STORIES = {
    "another run beats one that still stands": (
        [("old", 2, "a", (0, None)), ("new", 1, "b", (1, None))],
        [(0, "first", "old", None), (1, "faster", "new", "old")],
    ),
    "the holder's mode has new figures and leads": (
        [("old", 2, "a", (0, 1)), ("new", 3, "a", (1, None))],
        [(0, "first", "old", None), (1, "remeasured", "new", "old")],
    ),
    "the holder's mode has new figures and another mode leads": (
        [("old", 1, "a", (0, 1)), ("new", 3, "a", (1, None)), ("other", 2, "b", (0, None))],
        [(0, "first", "old", None), (1, "overtaken", "other", "old")],
    ),
    "the holder's mode is gone and another leads": (
        [("old", 1, "a", (0, 1)), ("other", 2, "b", (0, None))],
        [(0, "first", "old", None), (1, "holder_gone", "other", "old")],
    ),
    "nothing is left, then it comes back": (
        [("old", 1, "a", (0, 1), (2, None))],
        [(0, "first", "old", None), (1, "withdrawn", None, "old"), (2, "returned", "old", "old")],
    ),
    "runs of one revision are simultaneous: only the best makes an event": (
        [("best", 1, "c", (0, None)), ("second", 2, "b", (0, None)), ("third", 3, "a", (0, None))],
        [(0, "first", "best", None)],
    ),
    "an equal mean that comes later takes nothing": (
        [("old", 1, "z", (0, None)), ("equal", 1, "a", (1, None))],
        [(0, "first", "old", None)],
    ),
    "equal means that come together: the mode's name decides": (
        [("second", 1, "b", (0, None)), ("first", 1, "a", (0, None))],
        [(0, "first", "first", None)],
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_story_of_figures_is_told_by_its_events(rows: Rows, story):
    runs, events = STORIES[story]
    rows.revisions(*(f"2025-01-0{n}" for n in range(1, 6)))
    rows.mode("a", "b", "c", "z")
    for run_id, mean, mode, (since, until), *again in runs:
        rows.run(run_id, mean, mode=mode, since=since, until=until, again=again[0] if again else None)
    rows.derive("record_history")
    assert rows.ask(EVENTS) == events


def test_dates_that_run_backwards_do_not_turn_the_story_round(rows: Rows):
    rows.revisions("2025-03-01", "2025-02-01", "2025-01-01")
    rows.mode("a", "b")
    rows.run("old", 3, mode="a")
    rows.run("new", 2, mode="b", since=1)
    rows.derive("record_history")
    assert rows.ask(EVENTS) == [(0, "first", "old", None), (1, "faster", "new", "old")]
    assert rows.one("select improvement from record_history where position = 1") == pytest.approx(1 / 3)
    assert rows.ask("select cause from record_history_as_of('2025-01-15')") == [("first",), ("faster",)]
