"""Runs that only former histories show: kept, and marked as such.

Rankings, records and presence are those of the history that can be reached now. The histories of a rewritten branch
interleave in time, so that replaying them together would invent withdrawals and returns: of a former one nothing is
kept but the runs themselves, with the environments and workloads that they refer to.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from transforms import eligibility
from transforms.history.runs import RunTables


def with_unreachable(now: RunTables, former: Sequence[RunTables]) -> RunTables:
    """Add to the runs of the history of now those that it shows at no revision.

    ``former`` are in the order of the rewrites: a run of several is described by the last of them.
    """
    if not former:
        return now
    runs = pl.concat([one.runs for one in reversed(former)]).unique("run_id", keep="first", maintain_order=True)
    marked = runs.join(now.runs, on="run_id", how="anti").with_columns(
        present=pl.lit(False), reachable=pl.lit(False), **eligibility.of_unreachable()
    )
    return RunTables(
        runs=pl.concat([now.runs, marked]).sort("run_id"),
        presence=now.presence,
        environments=_with(now.environments, [one.environments for one in former], marked, "environment_id"),
        workloads=_with(now.workloads, [one.workloads for one in former], marked, "workload_id"),
    )


def _with(now: pl.DataFrame, former: Sequence[pl.DataFrame], marked: pl.DataFrame, key: str) -> pl.DataFrame:
    """What the history of now refers to, and what of the former ones the marked runs do."""
    referred = pl.concat(former).join(marked, on=key, how="semi")
    return pl.concat([now, referred]).unique(key, keep="first", maintain_order=True).sort(key)
