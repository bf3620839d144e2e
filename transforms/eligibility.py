"""Which runs may hold a record, and why others may not.

Each reason is decided where its fact is known, and named here. ``copy`` is known to SQL alone, since it takes all
sources at once: ``sql/derived/copies.sql`` sets it, and states the reasons of such a run anew, in this order.
``sql/checks/runs_are_eligible_for_a_reason.sql`` holds every run to its reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

UNREACHABLE = "unreachable"
"""Only a former history of a rewritten branch shows it."""

COPY = "copy"
"""It repeats the figures of a run that was there earlier in another source. Set by SQL."""

WORKLOAD_UNRESOLVED = "workload_unresolved"
"""There is no readable module beside its figures, so nobody knows what was measured. Set here, kept by SQL."""

REASONS = (UNREACHABLE, COPY, WORKLOAD_UNRESOLVED)
"""In the order in which a run lists them."""


def of_binding() -> dict[str, pl.Expr]:
    """``eligible`` and ``ineligible_reasons`` of runs that were bound to their code: ``workload_id``, or null."""
    import polars as pl

    unresolved = pl.col("workload_id").is_null()
    none = pl.lit([], dtype=pl.List(pl.String))
    reason = pl.lit([WORKLOAD_UNRESOLVED], dtype=pl.List(pl.String))
    return {"eligible": ~unresolved, "ineligible_reasons": pl.when(unresolved).then(reason).otherwise(none)}


def of_unreachable() -> dict[str, pl.Expr]:
    """The same of runs that only a former history shows, which have their other reasons already."""
    import polars as pl

    return {"eligible": pl.lit(False), "ineligible_reasons": pl.concat_list(pl.lit(UNREACHABLE), "ineligible_reasons")}
