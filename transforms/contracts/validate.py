"""Hold a batch to its contracts: rows that break one go to quarantine, a broken shape stops the publish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from transforms.contracts.broken import ContractBroken
from transforms.contracts.frames import schema
from transforms.contracts.objects import OBJECTS
from transforms.contracts.one_pass import keeps_contract


@dataclass(frozen=True)
class Checked:
    """Rows that keep the contract, and those that do not with the contract's own words in ``broken``."""

    kept: pl.DataFrame
    refused: pl.DataFrame


def check(name: str, rows: pl.DataFrame) -> Checked:
    """Split the rows of one table by its contract; raises ContractBroken when columns, types or order differ."""
    if keeps_contract(OBJECTS[name], rows):
        return Checked(rows, rows.clear().with_columns(broken=pl.lit(None, dtype=pl.String)))
    return _split(name, rows, _failures(name, rows))


def _failures(name: str, rows: pl.DataFrame) -> pl.DataFrame:
    """What is wrong with a table that breaks its contract, in Pandera's words; imported now that they are wanted."""
    import pandera.polars as pa

    from transforms.contracts.pandera_schemas import pandera_schema

    try:
        pandera_schema(OBJECTS[name]).validate(rows, lazy=True)
    except pa.errors.SchemaErrors as errors:
        failures: pl.DataFrame = errors.failure_cases
        return failures
    raise ContractBroken(f"{name}: breaks its contract, and Pandera does not say where")


def _split(name: str, rows: pl.DataFrame, failures: pl.DataFrame) -> Checked:
    words = failures.with_columns(
        word=pl.concat_str(pl.col("column").fill_null(name), pl.lit(": "), pl.col("check"), ignore_nulls=True)
    )
    whole = words.filter(pl.col("index").is_null())
    if whole.height:
        raise ContractBroken(f"{name}: {'; '.join(sorted(set(whole['word'].drop_nulls())))}")
    broken = (
        words.group_by(pl.col("index").cast(pl.UInt32))
        .agg(broken=pl.col("word").unique().sort().str.join("; "))
        .sort("index")
    )
    numbered = rows.with_row_index("index")
    return Checked(
        kept=numbered.join(broken, on="index", how="anti", maintain_order="left").drop("index"),
        refused=numbered.join(broken, on="index", how="inner", maintain_order="left").drop("index"),
    )


def check_batch(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Hold every table of one source's batch to its contract.

    Runs that break theirs move to ``quarantine`` and take their presence with them. Of the other tables no row may
    break: they are made here, not read, so a broken row is a defect and stops the publish.
    """
    held = dict(tables)
    runs = check("runs", held["runs"])
    if runs.refused.height:
        held["runs"] = runs.kept
        held["presence"] = held["presence"].join(runs.refused, on="run_id", how="anti", maintain_order="left")
        moved = _as_quarantine(runs.refused, tables["presence"], tables["revisions"])
        held["quarantine"] = pl.concat([held["quarantine"], moved]).sort(OBJECTS["quarantine"].key)
    check_batch_of({name: rows for name, rows in held.items() if name != "runs"})
    return held


def check_batch_of(tables: Mapping[str, pl.DataFrame]) -> Mapping[str, pl.DataFrame]:
    """Hold tables that are made here to their contracts; raises ContractBroken at the first row that breaks one."""
    for name, rows in tables.items():
        refused = check(name, rows).refused
        if refused.height:
            raise ContractBroken(f"{name}: {refused['broken'][0]} in {refused.row(0)}")
    return tables


def _as_quarantine(refused: pl.DataFrame, presence: pl.DataFrame, revisions: pl.DataFrame) -> pl.DataFrame:
    """Runs that broke the contract, as quarantine rows: reason ``contract``, the contract's words as the detail.

    Several runs of one host, mode and problem make one row, from the first revision of any of them to the last; the
    rest is the last's.
    """
    newest = pl.lit(revisions["position"].max(), dtype=pl.Int64)
    seen = presence.group_by("run_id").agg(
        first=pl.col("from_position").min(), last=pl.col("until_position").fill_null(newest + 1).max() - 1
    )
    named = dict(revisions.select("position", "revision").iter_rows())
    return (
        refused.join(seen, on="run_id", how="left")
        .sort("last", "run_id")
        .group_by("source", "host", "mode", "level", problem_key=pl.col("problem"), maintain_order=True)
        .agg(
            reason=pl.lit("contract"),
            first_revision=pl.col("first").min().replace_strict(named, return_dtype=pl.String),
            last_revision=pl.col("last").max().replace_strict(named, return_dtype=pl.String),
            present=pl.col("present").any(),
            path=pl.col("path").last(),
            detail=pl.col("broken").last(),
            raw=pl.col("source_metrics").last().str.slice(0, 2000),
        )
        .select(schema("quarantine").names())
    )
