"""Which runs may hold a record, and why others may not (DESIGN.md section 6).

Each reason is decided where its fact is known, and named here. What the lineage alone decides is set here;
``sql/derived/eligibility.sql`` adds what takes all sources at once, or the hardware's figures.
``sql/checks/runs_are_eligible_for_a_reason.sql`` holds every run to its reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

UNREACHABLE = "unreachable"
"""Only a former history of a rewritten branch shows it."""

MODULE_MISSING = "module_missing"
"""No module of its problem's name stands beside its figures, so nobody knows what was measured."""

MODULE_NOT_PYTHON = "module_not_python"
"""There is one, and it cannot be parsed: it has no code to compare."""

COPY = "copy"
"""It repeats the figures of a run that was there earlier in another source. Set by SQL."""

BINDING_DOUBTFUL = "binding_doubtful"
"""Too much of the version it appeared in is faster than the hardware, under the code beside it. Set by SQL."""

REASONS = (UNREACHABLE, MODULE_MISSING, MODULE_NOT_PYTHON, COPY, BINDING_DOUBTFUL)
"""In the order in which a run lists them."""


def of_binding() -> dict[str, pl.Expr]:
    """``eligible`` and ``ineligible_reasons`` of runs that were bound to their code.

    From ``code_digest`` (null: not known) and ``has_module``: whether a module stood beside the figures.
    """
    import polars as pl

    none = pl.lit([], dtype=pl.List(pl.String))
    known = pl.col("code_digest").is_not_null()
    there = pl.col("has_module").fill_null(False)
    reason = (
        pl.when(known)
        .then(none)
        .when(there)
        .then(pl.lit([MODULE_NOT_PYTHON], dtype=pl.List(pl.String)))
        .otherwise(pl.lit([MODULE_MISSING], dtype=pl.List(pl.String)))
    )
    return {"eligible": known, "ineligible_reasons": reason}


def of_unreachable() -> dict[str, pl.Expr]:
    """The same of runs that only a former history shows, which have their other reasons already."""
    import polars as pl

    return {"eligible": pl.lit(False), "ineligible_reasons": pl.concat_list(pl.lit(UNREACHABLE), "ineligible_reasons")}
