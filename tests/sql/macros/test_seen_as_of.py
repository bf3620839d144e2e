"""As of a moment: the newest commit in the line among those committed by then."""

from __future__ import annotations

import pytest

from tests.histories import LAB
from tests.sql.rows import Rows

BACKWARDS = ("2025-01-01", "2025-03-01", "2025-02-01", "2025-04-01")
"""The third revision bears an older date than the second, which it follows."""


@pytest.mark.parametrize(
    ("moment", "position"),
    [
        ("2024-12-31", None),
        ("2025-01-01", 0),
        ("2025-01-31", 0),
        ("2025-02-01", 2),
        ("2025-03-01", 2),
        ("2026-01-01", 3),
    ],
)
def test_where_dates_run_backwards_position_decides(rows: Rows, moment, position):
    rows.revisions(*BACKWARDS)
    expected = [] if position is None else [(LAB, position)]
    assert rows.ask("select source, position from seen_as_of($moment)", moment=moment) == expected


def test_presence_is_judged_by_position_too(rows: Rows):
    """In February the third revision is known, and with it that the second, dated March, took the first's run away."""
    rows.revisions(*BACKWARDS)
    rows.run("taken away by the second", 1, until=1)
    rows.run("shown by the second", 2, since=1)
    found = "select run_id, until_position from presence_as_of('2025-02-15') order by run_id"
    assert rows.ask(found) == [("shown by the second", None), ("taken away by the second", 1)]
    assert rows.ask("select run_id, until_position from presence_as_of('2025-01-15')") == [
        ("taken away by the second", None)
    ]


def test_a_head_that_is_no_revision_counts_at_the_position_after_the_last(rows: Rows):
    rows.revisions("2025-01-01")
    rows.ask("update sources set head = 'head', head_at = '2025-02-01'")
    assert rows.ask("select revision, position from seen_as_of('2025-03-01')") == [("head", 1)]
    assert rows.ask("select revision, position from seen_as_of('2025-01-15')") == [(f"{LAB} 0", 0)]


def test_what_is_not_reachable_is_never_the_newest(rows: Rows):
    rows.revisions("2025-01-01")
    rows.put("revisions", source=LAB, revision="left", reachable=False, committed_at="2025-02-01")
    assert rows.ask("select position from seen_as_of('2025-03-01')") == [(0,)]
    assert sorted(rows.ask("select revision from commits()")) == [(f"{LAB} 0",), ("left",)]


def test_each_source_has_a_newest_of_its_own(rows: Rows):
    rows.revisions("2025-01-01", "2025-02-01")
    rows.revisions("2025-01-15", source="other/KernelBench")
    found = rows.ask("select source, position from seen_as_of('2025-01-20') order by source")
    assert found == [(LAB, 0), ("other/KernelBench", 0)]
