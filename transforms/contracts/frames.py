"""Frames in the columns of their contracts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import polars as pl
from polars.datatypes import DataType

from transforms.contracts.columns import Type
from transforms.contracts.contract import Contract
from transforms.contracts.objects import OBJECTS

_TYPES: dict[Type, DataType] = {
    "String": pl.String(),
    "Int64": pl.Int64(),
    "Float64": pl.Float64(),
    "Boolean": pl.Boolean(),
    "Time": pl.Datetime("us"),
    "Texts": pl.List(pl.String()),
}


@cache
def types(contract: Contract) -> pl.Schema:
    """Names and types of a contract's columns, in its order."""
    return pl.Schema({name: _TYPES[column.type] for name, column in contract.columns.items()})


def schema(table: str) -> pl.Schema:
    """Names and types of a table's columns, in the order of its contract."""
    return types(OBJECTS[table])


def frame(table: str, rows: Iterable[Sequence[object]]) -> pl.DataFrame:
    """Rows, each with its values in the order of the contract's columns, as the table."""
    return pl.DataFrame(list(rows), schema=schema(table), orient="row")


def part(table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> pl.DataFrame:
    """Rows of some of a table's columns, typed as the contract says."""
    types_of_all = schema(table)
    return pl.DataFrame(list(rows), schema={name: types_of_all[name] for name in columns}, orient="row")
