"""Contracts as Pandera's schemas: it has the last word on a table that seems to break its contract, and the words."""

from __future__ import annotations

import pandera.polars as pa

from transforms.contracts.contract import Contract
from transforms.contracts.frames import types


def pandera_schema(contract: Contract) -> pa.DataFrameSchema:
    """The strict and ordered schema of one contract."""
    kinds = types(contract)
    columns = {
        name: pa.Column(
            kinds[name],
            checks=[getattr(pa.Check, check)(**stated) for check, stated in column.checks.items()],
            nullable=column.nullable,
            unique=column.unique,
        )
        for name, column in contract.columns.items()
    }
    unique = list(contract.key) if len(contract.key) > 1 else None
    return pa.DataFrameSchema(columns, strict=True, ordered=True, unique=unique)
