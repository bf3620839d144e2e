"""When the code beside a version of a timing file cannot be what was measured."""

from __future__ import annotations

import pytest

from tests.histories import LAB
from tests.sql.rows import Rows

FLOOR_NS = 1000
"""1e6 operations at 1 TFLOP/s; nothing but arithmetic is told to cost time."""
DERIVED = ("copies", "binding_doubts", "eligibility")


def put(rows: Rows, below: int, above: int, *, uncosted: int = 0, blob: str = "b", **columns: object) -> None:
    """Figures of one version: below the floor, above it, and of code whose costs are not known."""
    means = [FLOOR_NS - 1] * below + [FLOOR_NS] * above + [1] * uncosted
    for number, mean in enumerate(means):
        known = number < below + above
        place = {"path": "p", "blob": blob, "environment_id": "e", "workload_id": "costed" if known else "uncosted"}
        rows.run(f"{blob} {number}", mean, **place, copy_key=f"{blob} {number}", **columns)


@pytest.fixture
def rows(rows: Rows) -> Rows:
    rows.revisions("2025-01-01")
    rows.put("gpus", hardware="a card", dram_gb_per_s=1e12, last_cache_mb=1, fp32_tflops=1)
    rows.put("environments", environment_id="e", source=LAB, host="H100_lab", hardware="a card", known_as="a card")
    empty = {"inputs": "[]", "axes": "{}", "parameter_bytes": 0, "input_bytes": 0, "output_bytes": 0}
    rows.put("workloads", workload_id="costed", flops=1_000_000, **empty)
    rows.put("workloads", workload_id="uncosted", **empty)
    return rows


@pytest.mark.parametrize(
    ("below", "above", "uncosted", "doubtful"),
    [
        (20, 180, 0, True),
        (20, 181, 0, False),
        (19, 0, 0, False),
        (20, 0, 500, True),
        (0, 200, 0, False),
    ],
)
def test_twenty_figures_and_a_tenth_of_those_whose_floor_is_known_make_a_version_doubtful(
    rows: Rows, below, above, uncosted, doubtful
):
    put(rows, below, above, uncosted=uncosted)
    rows.derive(*DERIVED)
    figures = below + above + uncosted
    found = rows.ask("select figures, figures_costed, figures_below_floor, doubtful from binding_doubts")
    assert found == [(figures, below + above, below, doubtful)]
    reasons = ["binding_doubtful"] if doubtful else []
    assert rows.ask("select distinct eligible, ineligible_reasons from runs") == [(not doubtful, reasons)]


def test_each_version_of_a_file_is_judged_by_its_own_figures(rows: Rows):
    put(rows, 20, 0, blob="misbound")
    put(rows, 0, 200, blob="later")
    rows.derive(*DERIVED)
    assert rows.ask("select blob, doubtful from binding_doubts order by blob") == [("later", False), ("misbound", True)]
    assert rows.ask("select distinct blob from runs where eligible") == [("later",)]


def test_copies_are_not_counted_and_not_doubted(rows: Rows):
    """Of a copied figure the original says on which code it was taken."""
    rows.revisions("2024-01-01", source="a/original")
    for number in range(20):
        rows.run(f"original {number}", 1, source="a/original", copy_key=f"b {number}", path="o", blob="o")
    put(rows, 20, 0)
    rows.derive(*DERIVED)
    assert rows.ask("select count(*) from binding_doubts where source = $lab", lab=LAB) == [(0,)]
    assert rows.ask("select distinct ineligible_reasons from runs where blob = 'b'") == [(["copy"],)]


def test_what_was_said_of_a_version_is_taken_back_when_it_holds_no_more(rows: Rows):
    put(rows, 20, 0)
    rows.derive(*DERIVED)
    rows.ask("update gpus set fp32_tflops = 100")
    rows.derive(*DERIVED)
    assert rows.ask("select distinct eligible, ineligible_reasons from runs") == [(True, [])]


@pytest.mark.parametrize(("cache_mb", "below"), [(1, True), (2, False), (None, None)])
def test_below_the_time_of_memory_counts_where_the_bytes_exceed_the_last_cache(rows: Rows, cache_mb, below):
    """2 MB at 1 GB/s take 2 ms; what fits into 2 MB of cache may have come from it."""
    rows.ask("update gpus set dram_gb_per_s = 1, fp32_tflops = 1000, last_cache_mb = $cache", cache=cache_mb)
    rows.ask("update workloads set input_bytes = 2097152 where workload_id = 'costed'")
    put(rows, 0, 1)
    assert rows.ask("select below_floor from run_floors(runs)") == [(below,)]


def test_the_precision_of_the_entry_goes_before_that_of_the_module(rows: Rows):
    rows.ask("update gpus set bf16_tflops = 100")
    put(rows, 0, 1, precision="bf16")
    assert rows.ask("select dtype, peak_tflops, compute_ns from run_floors(runs)") == [("bf16", 100, 10)]
