"""Write ``transforms/contracts/contracts.json``: what the contracts demand, for whoever starts without Pandera."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pandera.polars as pa

from transforms.contracts.shapes import CONTRACTS, Column, Shape
from transforms.contracts.tables import Table
from transforms.contracts.views import OBJECTS

PATH = Path(__file__).resolve().parent.parent / "transforms" / "contracts" / CONTRACTS

_TYPES = {"Datetime(time_unit='us', time_zone=None)": "Time", "List(String)": "Texts"}


def text() -> str:
    """The file's text: a column a line, so that a change of one is a line in its history."""
    return _object({name: _shape_text(shape_of(contract)) for name, contract in OBJECTS.items()}, "") + "\n"


def shape_of(contract: type[Table]) -> Shape:
    """What a contract demands. Without a key of several columns, its grain is its first unique one."""
    schema = contract.to_schema()
    columns = {name: _column(about) for name, about in schema.columns.items()}
    alone = next((name for name, column in columns.items() if column.unique), None)
    key = tuple(schema.unique or ([alone] if alone else []))
    stated = getattr(contract.Config, "metadata", None) or {}
    return Shape(key=key, order=tuple(stated.get("order", key)), columns=columns)


def _column(about: pa.Column) -> Column:
    dtype = str(about.dtype)
    return Column(
        type=_TYPES.get(dtype, dtype),
        nullable=about.nullable,
        unique=about.unique,
        checks={str(check.name): _stated(check.statistics or {}) for check in about.checks},
    )


def _stated(values: dict[str, object]) -> dict[str, object]:
    """A check's values, without those that were not given."""
    return {name: value for name, value in values.items() if value is not None}


def _shape_text(shape: Shape) -> str:
    columns = {name: json.dumps(msgspec.to_builtins(column)) for name, column in shape.columns.items()}
    parts = {"key": json.dumps(shape.key), "order": json.dumps(shape.order), "columns": _object(columns, "    ")}
    return _object(parts, "  ")


def _object(members: dict[str, str], indent: str) -> str:
    inner = ",\n".join(f"{indent}  {json.dumps(name)}: {text}" for name, text in members.items())
    return f"{{\n{inner}\n{indent}}}"


def main() -> None:
    """Write the file."""
    PATH.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
