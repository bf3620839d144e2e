"""Which of equal figures in several sources is the original."""

from __future__ import annotations

import pytest

from tests.histories import LAB, UPSTREAM, day
from tests.sql.rows import Rows

KEY = "the same figures"
COPIES = "select run_id, copy_of, eligible, ineligible_reasons from runs order by run_id"


def put(rows: Rows, run_id: str, source: str, date: str, **columns: object) -> None:
    rows.run(run_id, 1, source=source, observed_at=day(date), copy_key=KEY, workload_id="a workload", **columns)


SOURCES = {
    "the earlier one is the original": ([(LAB, "2025-01-02"), ("z/KernelBench", "2025-01-01")], "z/KernelBench"),
    "at the same moment the upstream project goes first": ([("A/a", "2025-01-01"), (UPSTREAM, "2025-01-01")], UPSTREAM),
    "upstream is a copy of what stood earlier elsewhere": ([("a/a", "2025-01-01"), (UPSTREAM, "2025-01-02")], "a/a"),
    "at the same moment without upstream the name decides": ([("b/b", "2025-01-01"), ("a/a", "2025-01-01")], "a/a"),
}


@pytest.mark.parametrize("case", SOURCES)
def test_who_is_the_original(rows: Rows, case):
    sources, original = SOURCES[case]
    for source, date in sources:
        put(rows, source, source, date)
    rows.derive("copies", "binding_doubts", "eligibility")
    (copy,) = {source for source, _ in sources} - {original}
    assert sorted(rows.ask(COPIES)) == sorted([(original, None, True, []), (copy, original, False, ["copy"])])


def test_what_is_not_reachable_is_neither_original_nor_copy(rows: Rows):
    put(rows, "left", "a/a", "2025-01-01", reachable=False, eligible=False)
    put(rows, "stands", LAB, "2025-01-02")
    rows.derive("copies")
    assert rows.ask("select run_id, copy_of from runs order by run_id") == [("left", None), ("stands", None)]
