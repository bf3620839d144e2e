"""Frames in the columns of their contracts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import polars as pl
from polars.datatypes import DataType

from transforms.contracts.shapes import Shape, shape

_TYPES: dict[str, DataType] = {
    "String": pl.String(),
    "Int64": pl.Int64(),
    "Float64": pl.Float64(),
    "Boolean": pl.Boolean(),
    "Time": pl.Datetime("us"),
    "Texts": pl.List(pl.String()),
}
"""The types that contracts know, by the names that ``shapes`` gives them."""


@cache
def types(wanted: Shape) -> pl.Schema:
    """Names and types of the columns of a shape, in its order."""
    return pl.Schema({name: _TYPES[column.type] for name, column in wanted.columns.items()})


def schema(table: str) -> pl.Schema:
    """Names and types of a table's columns, in the order of its contract."""
    return types(shape(table))


def frame(table: str, rows: Iterable[Sequence[object]]) -> pl.DataFrame:
    """Rows, each with its values in the order of the contract's columns, as the table."""
    return pl.DataFrame(list(rows), schema=schema(table), orient="row")


def part(table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> pl.DataFrame:
    """Rows of some of a table's columns, typed as the contract says."""
    types = schema(table)
    return pl.DataFrame(list(rows), schema={name: types[name] for name in columns}, orient="row")
