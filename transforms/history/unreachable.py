"""Runs that only lost lines show: kept, and marked as such.

Rankings, records and presence are those of the line that can be reached now. The lines of a rewritten branch interleave
in time, so that replaying them together would invent withdrawals and returns: of a lost line nothing is kept but the
runs themselves, with the environments and workloads that they refer to.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from transforms.history.runs import RunTables

UNREACHABLE = "unreachable"
"""Why such a run may hold no record."""


def with_unreachable(now: RunTables, lost: Sequence[RunTables]) -> RunTables:
    """Add to the runs of the line of now those that it shows at no revision. ``lost`` in the order of the rewrites.

    A run of several lost lines is described by the last of them.
    """
    if not lost:
        return now
    runs = pl.concat([line.runs for line in reversed(lost)]).unique("run_id", keep="first", maintain_order=True)
    marked = runs.join(now.runs, on="run_id", how="anti").with_columns(
        present=pl.lit(False),
        reachable=pl.lit(False),
        eligible=pl.lit(False),
        ineligible_reasons=pl.concat_list(pl.lit(UNREACHABLE), "ineligible_reasons"),
    )
    return RunTables(
        runs=pl.concat([now.runs, marked]).sort("run_id"),
        presence=now.presence,
        environments=_with(now.environments, [line.environments for line in lost], marked, "environment_id"),
        workloads=_with(now.workloads, [line.workloads for line in lost], marked, "workload_id"),
    )


def _with(now: pl.DataFrame, lost: Sequence[pl.DataFrame], marked: pl.DataFrame, key: str) -> pl.DataFrame:
    """What the line of now refers to, and what of the lost lines the marked runs do."""
    referred = pl.concat(lost).join(marked, on=key, how="semi")
    return pl.concat([now, referred]).unique(key, keep="first", maintain_order=True).sort(key)
