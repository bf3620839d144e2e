"""Whether a table keeps its contract, in one pass: all demands of all columns as one row of yes and no.

Pandera goes column by column and check by check, which costs a table of three rows as much as one of thousands. So it
is asked only about tables that break a contract: for which rows do, and in which words (``validate``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import polars as pl

from transforms.contracts.columns import Column
from transforms.contracts.contract import Contract
from transforms.contracts.frames import types


def keeps_contract(contract: Contract, rows: pl.DataFrame) -> bool:
    """Pandera's verdict on the rows of one table, without its words."""
    return rows.schema == types(contract) and bool(rows.select(pl.all_horizontal(_demands(contract))).item())


@cache
def _demands(contract: Contract) -> list[pl.Expr]:
    """What must hold of the whole table, each an expression of one boolean."""
    demands = [demand for column in contract.columns.values() for demand in _of_column(column)]
    return [*demands, pl.struct(contract.key).n_unique() == pl.len()] if len(contract.key) > 1 else demands


def _of_column(column: Column) -> Iterator[pl.Expr]:
    values = pl.col(column.name)
    if not column.nullable:
        yield values.null_count() == 0
        if column.type == "Float64":
            yield ~values.is_nan().any()
    if column.unique:
        yield values.n_unique() == pl.len()
    for check, stated in column.checks.items():
        # A null is no value: whether it may be there is said apart.
        yield CHECKS[check](values, **stated).all(ignore_nulls=True)


def _matches(values: pl.Expr, pattern: str) -> pl.Expr:
    """Pandera anchors a pattern at the start, and at the end only where it says so."""
    return values.str.contains(pattern if pattern.startswith("^") else f"^{pattern}")


CHECKS: dict[str, Callable[..., pl.Expr]] = {
    "greater_than": lambda values, min_value: values > min_value,
    "greater_than_or_equal_to": lambda values, min_value: values >= min_value,
    "less_than": lambda values, max_value: values < max_value,
    "isin": lambda values, allowed_values: values.is_in(allowed_values),
    "str_matches": _matches,
    "str_length": lambda values, min_value: values.str.len_chars() >= min_value,
}
"""What a check asks of a value, by Pandera's name of the check; the arguments have Pandera's names too."""
