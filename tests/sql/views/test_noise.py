"""Where a remark begins: at a figure that stands in the rule, not near it."""

from __future__ import annotations

import pytest

from tests.sql.rows import Rows

FIGURES = {
    "mean at 1.5 times the fastest trial": ({"min_ns": 100, "std_ns": 1}, 150, []),
    "mean just above it": ({"min_ns": 100, "std_ns": 1}, 151, ["skewed"]),
    "std at a quarter of the mean": ({"min_ns": 100, "std_ns": 25}, 100, []),
    "std just above it": ({"min_ns": 100, "std_ns": 26}, 100, ["wide_spread"]),
}


@pytest.mark.parametrize("case", FIGURES)
def test_a_remark_is_made_above_its_limit(rows: Rows, case):
    columns, mean, remarks = FIGURES[case]
    rows.revisions("2025-01-01")
    rows.mode("torch", baseline=True)
    rows.run("a run", mean, **columns)
    assert rows.one("select remarks from noise") == remarks


@pytest.mark.parametrize(("compiled", "remarks"), [(104, []), (105, ["slower_than_eager"])])
def test_slower_than_eager_means_apart_from_it(rows: Rows, compiled, remarks):
    """Eager is 100 +- 2 and compiled +- 2: 104 touches, 105 does not."""
    rows.revisions("2025-01-01")
    rows.mode("torch", baseline=True)
    rows.mode("compiled")
    quiet = {"min_ns": 90, "std_ns": 1, "half_ns": 2}
    rows.run("eager", 100, **quiet)
    rows.run("compiled", compiled, mode="compiled", **quiet)
    assert rows.one("select remarks from noise where run_id = 'compiled'") == remarks
