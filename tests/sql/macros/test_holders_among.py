"""Who holds a record, since when, and how far ahead of the next."""

from __future__ import annotations

from tests.sql.rows import Rows

HOLDER = "select run_id, present, held_since::date::varchar, lead_changes, next_run_id, margin_ratio, clear from {}"
THEN = "record_holders_as_of('{}')"


def answers(rows: Rows, moment: str = "2030-01-01") -> list[tuple[object, ...]]:
    """What is stored, which must be what the macro answers for a moment after everything."""
    stored = rows.ask(HOLDER.format("record_holders"))
    assert rows.ask(HOLDER.format(THEN.format(moment))) == stored
    return stored


def test_alone_there_is_no_margin_and_nothing_to_be_clear_of(rows: Rows):
    rows.revisions("2025-01-01")
    rows.mode("torch")
    rows.run("alone", 5)
    rows.derive("record_history", "record_holders")
    assert answers(rows) == [("alone", True, "2025-01-01", 0, None, None, None)]


def test_clear_means_that_no_interval_of_any_other_overlaps(rows: Rows):
    rows.revisions("2025-01-01")
    rows.mode("a", "b", "c")
    rows.run("holder", 10, mode="a", half_ns=1)
    rows.run("near", 20, mode="b", half_ns=1)
    rows.run("far but vague", 30, mode="c", half_ns=19)
    rows.derive("record_history", "record_holders")
    assert answers(rows) == [("holder", True, "2025-01-01", 0, "near", 2.0, False)]


def test_held_since_is_the_last_change_in_the_line_where_dates_run_backwards(rows: Rows):
    """The record changed hands at the second revision, whose date is older than the first's."""
    rows.revisions("2025-03-01", "2025-02-01")
    rows.mode("a", "b")
    rows.run("old", 10, mode="a")
    rows.run("new", 5, mode="b", since=1)
    rows.derive("record_history", "record_holders")
    assert answers(rows) == [("new", True, "2025-02-01", 1, "old", 2.0, True)]


def test_a_withdrawn_holder_is_measured_against_those_that_were_present_beside_it_last(rows: Rows):
    rows.revisions("2025-01-01", "2025-01-02", "2025-01-03")
    rows.mode("a", "b", "c")
    rows.run("holder", 10, mode="a", until=2)
    rows.run("gone before", 11, mode="b", until=1)
    rows.run("gone together", 40, mode="c", until=2)
    rows.derive("record_history", "record_holders")
    assert answers(rows) == [("holder", False, "2025-01-01", 0, "gone together", 4.0, True)]
    assert rows.ask(HOLDER.format(THEN.format("2025-01-01 12:00"))) == [
        ("holder", True, "2025-01-01", 0, "gone before", 1.1, True)
    ]


def test_of_a_past_moment_only_what_had_been_shown_counts(rows: Rows):
    rows.revisions("2025-01-01", "2025-01-02")
    rows.mode("a", "b")
    rows.run("first", 10, mode="a")
    rows.run("faster", 5, mode="b", since=1)
    rows.derive("record_history", "record_holders")
    assert rows.ask(HOLDER.format(THEN.format("2025-01-01 12:00"))) == [
        ("first", True, "2025-01-01", 0, None, None, None)
    ]
    assert rows.ask(HOLDER.format(THEN.format("2024-12-31"))) == []
