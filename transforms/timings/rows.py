"""The entries of many timing files in the order they stand, on their way into one frame."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
import polars as pl

__all__ = ["INT64", "UNREAD", "Entry", "Remark", "Rows"]

INT64 = range(-(2**63), 2**63)


class Entry(msgspec.Struct, gc=False, eq=False, forbid_unknown_fields=True):
    """One entry in the shape upstream writes; durations in milliseconds, None for a string that is not there."""

    mean: float
    std: float
    min: float
    max: float
    num_trials: Annotated[int, msgspec.Meta(ge=INT64.start, le=INT64.stop - 1)]
    hardware: str | None = None
    device: str | None = None


UNREAD = Entry(0.0, 0.0, 0.0, 0.0, 0)
"""Stands in the columns for an entry whose figures were not read; the row's remark says why."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What the columns cannot say about a row."""

    value: object
    """The entry as it is written (a `document.Value`), for the raw text of a refusal."""
    fault: str | None = None
    detail: str | None = None
    metrics: str | None = None
    """The source metrics, where the entry is not just the seven keys of `Entry`."""
    precision: str | None = None
    """What the file says its figures were measured in, where it says something."""
    median: float | None = None
    """The median of the trials in milliseconds, where it is told."""


_COLUMNS = {
    "mean": pl.Float64(),
    "std": pl.Float64(),
    "min": pl.Float64(),
    "max": pl.Float64(),
    "num_trials": pl.Int64(),
    "hardware": pl.String(),
    "device": pl.String(),
}
"""The fields of an entry."""


@dataclass(slots=True)
class Rows:
    """Columns in the making. Grain: one row per (file, level, key); files by their number in the input."""

    levels: list[tuple[int, str, int]] = field(default_factory=list)
    """File, level and how many of the following rows are theirs."""
    keys: list[str] = field(default_factory=list)
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _COLUMNS})
    remarks: dict[int, Remark] = field(default_factory=dict)
    """By row; every row of a file read carefully has one, others only where there is something to say."""

    def add_level(self, file: int, level: str, keys: Iterable[str], entries: list[Entry]) -> None:
        """Append the entries of one level, given with their keys."""
        self.levels.append((file, level, len(entries)))
        self.keys += keys
        # Taken apart here, while the entries are in the processor's cache, and one by one: both halve the time.
        into = self.columns
        into["mean"] += [entry.mean for entry in entries]
        into["std"] += [entry.std for entry in entries]
        into["min"] += [entry.min for entry in entries]
        into["max"] += [entry.max for entry in entries]
        into["num_trials"] += [entry.num_trials for entry in entries]
        into["hardware"] += [entry.hardware for entry in entries]
        into["device"] += [entry.device for entry in entries]

    def extend(self, rows: "Rows") -> None:
        """Append the rows of a file."""
        first = len(self.keys)
        self.remarks |= {first + row: remark for row, remark in rows.remarks.items()}
        self.levels += rows.levels
        self.keys += rows.keys
        for name, column in rows.columns.items():
            self.columns[name] += column

    def frame(self) -> pl.DataFrame:
        """The rows as columns, with what the remarks say (fault, metrics, precision, median) beside them."""
        frame = self._levels().with_columns(
            pl.Series("problem_key", self.keys, pl.String),
            *(pl.Series(name, self.columns[name], kind) for name, kind in _COLUMNS.items()),
        )
        return frame.with_row_index("row").join(self._remarks(), on="row", how="left", maintain_order="left")

    def _levels(self) -> pl.DataFrame:
        """`file` and `level` of every row."""
        schema = {"file": pl.UInt32, "level": pl.String, "rows": pl.UInt32}
        levels = pl.DataFrame(self.levels, schema, orient="row")
        level_of_row = levels.select(pl.int_range(pl.len()).repeat_by("rows").explode(empty_as_null=False))
        return levels.drop("rows")[level_of_row.to_series()]

    def _remarks(self) -> pl.DataFrame:
        texts = dict.fromkeys(("fault", "fault_detail", "metrics", "precision"), pl.String)
        schema = {"row": pl.UInt32, **texts, "median": pl.Float64}
        remarks = [
            (row, r.fault, r.detail, r.metrics, r.precision, r.median)
            for row, r in self.remarks.items()
            if r.fault or r.metrics or r.precision
        ]
        return pl.DataFrame(remarks, schema, orient="row")
