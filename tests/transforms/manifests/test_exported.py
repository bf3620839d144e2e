"""Every digest of an export can be made again from its other columns, and a changed fact is seen."""

from __future__ import annotations

import polars as pl
import pytest

from tests.transforms.manifests.made_up import PROBLEM, problems
from transforms.contracts.objects import TABLES
from transforms.manifests.exported import pinned_problems, pinned_rows, recompute
from warehouse.database import open_published


@pytest.fixture(scope="module")
def tables(sample_home) -> dict[str, pl.DataFrame]:
    with open_published(sample_home.database) as connection:
        return {name: connection.table(name).pl() for name in TABLES}


def wrong(tables: dict[str, pl.DataFrame]) -> dict[str, int]:
    """How many digests of each kind do not hold."""
    return {found.kind: len(found.wrong) for found in recompute(tables) if not found.holds}


def test_pinned_problems_are_written_down_and_read_back():
    rows = pinned_rows("tiny/bench", "c0ffee", [PROBLEM])
    assert pinned_problems(rows) == [PROBLEM]
    assert pinned_rows("tiny/bench", "c0ffee", problems(12))["problem"].is_sorted()


def test_every_digest_of_the_sample_holds(tables):
    assert wrong(tables) == {}
    assert all(found.digests for found in recompute(tables))


@pytest.mark.parametrize(
    ("table", "column", "value", "kinds"),
    [
        ("runs", "mode", "torch_other", {"run_id", "copy_key"}),
        ("environments", "host", "other", {"environment_id"}),
        ("workloads", "code_digest", "0" * 64, {"workload_id"}),
        ("runs", "protocol_id", "0" * 64, {"cohort_id"}),
        ("pinned_problems", "module_size_bytes", 1, {"implementation_digest", "run_digest"}),
    ],
)
def test_a_changed_fact_is_seen_in_the_digests_that_it_is_part_of(tables, table, column, value, kinds):
    first = pl.int_range(pl.len()) == 0
    rows = tables[table].sort(TABLES[table].key)
    if table == "runs":
        rows = rows.sort("present", "cohort_id", nulls_last=True)  # one that is not present: of it nothing is pinned
    if table == "pinned_problems":
        first = pl.lit(True)
    kind = rows.schema[column]
    damaged = rows.with_columns(pl.when(first).then(pl.lit(value, kind)).otherwise(column).alias(column))
    assert wrong({**tables, table: damaged}).keys() == kinds
