"""Timing files in, entries and refusals out (DESIGN section 4).

Nothing is dropped and nothing is guessed: every file has a row in `files`, every entry of a file that was read a row in
`entries` or in `refusals`.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import msgspec
import polars as pl

from transforms.timings.careful import read_carefully
from transforms.timings.document import (
    EXCERPT,
    LARGEST_FILE,
    FileRefused,
    Value,
    compact,
    excerpt,
    parse,
    printable,
    without_mark,
)
from transforms.timings.rows import Rows
from transforms.timings.rules import judge, with_details, with_measures
from transforms.timings.typed import read_typed

__all__ = ["ENTRIES", "FILES", "REFUSALS", "TimingReadings", "read_timings"]

ENTRIES = pl.Schema(
    {
        "blob": pl.String(),
        "level": pl.String(),
        "problem": pl.String(),
        "level_key": pl.String(),
        "problem_key": pl.String(),
        "mean": pl.Float64(),
        "std": pl.Float64(),
        "min": pl.Float64(),
        "max": pl.Float64(),
        "num_trials": pl.Int64(),
        "hardware": pl.String(),
        "device": pl.String(),
        "precision": pl.String(),
        "median": pl.Float64(),
        "source_metrics": pl.String(),
        "rounding": pl.Float64(),
        "flags": pl.List(pl.String()),
    }
)
REFUSALS = pl.Schema(
    {
        "blob": pl.String(),
        "level": pl.String(),
        "problem_key": pl.String(),
        "reason": pl.String(),
        "detail": pl.String(),
        "raw": pl.String(),
    }
)
FILES = pl.Schema(
    {
        "blob": pl.String(),
        "reason": pl.String(),
        "detail": pl.String(),
        "raw": pl.String(),
        "noted_keys": pl.List(pl.String()),
        "entries": pl.Int64(),
        "kept": pl.Int64(),
        "refused": pl.Int64(),
    }
)

RAW = 2000
"""Characters of a refused entry's text that are kept."""
BATCH = 32 * 1024 * 1024
"""Bytes of files whose entries are Python objects at one time; bounds memory, and is large enough for columns."""

File = tuple[str, bytes]
"""A blob id and the blob's bytes."""


@dataclass(frozen=True)
class TimingReadings:
    """What timing files hold. An entry is a (level, key) of a file: a key that stands twice is one entry, refused.

    - `entries`: one row per kept entry, in the order of the files and of their text. `level_key` and `problem_key`
      are the keys as written. Figures, and `rounding`, the
      half-width of the mean, in reported milliseconds. `flags` lack `unknown_mode`, which is a matter of the path.
    - `refusals`: one row per refused entry, with its compact JSON text as it is written.
    - `unnamed`: of these, the entries that lack nothing but the name of a problem: their key or level may yet name one
      of the modules beside the file (`names.loose_name`). Columns as `entries`, `problem` null.
    - `files`: one row per file, in order; `reason` is null where the file was read. `entries` is `kept` + `refused`.
    """

    entries: pl.DataFrame
    refusals: pl.DataFrame
    files: pl.DataFrame
    unnamed: pl.DataFrame


@dataclass
class _Batch:
    """Files that are judged together."""

    files: list[File] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)
    refused: dict[int, FileRefused] = field(default_factory=dict)
    noted: dict[int, list[str]] = field(default_factory=dict)

    def add(self, blob: str, data: bytes, carefully: bool) -> None:
        number = len(self.files)
        self.files.append((blob, data))
        try:
            rows = None if carefully or len(data) > LARGEST_FILE else read_typed(number, without_mark(data))
            if rows is None:
                rows, self.noted[number] = read_carefully(number, data)
        except FileRefused as refusal:
            self.refused[number] = refusal
        except Exception as error:  # a file of a stranger's must not end an ingest, whatever was not thought of here
            self.refuse(number, error)
        else:
            self.rows.extend(rows)

    def refuse(self, number: int, error: BaseException) -> None:
        """Refuse a file on which the reader itself failed."""
        detail = " ".join(f"{type(error).__name__}: {error}".split())
        self.refused[number] = FileRefused("reader_failed", printable(detail)[:EXCERPT])


def read_timings(files: Sequence[File], *, carefully: bool = False) -> TimingReadings:
    """Read and judge timing files, given as distinct blob ids with their bytes.

    `carefully` reads every file the careful way; the outcome is the same, later. Never raises for what a file holds.
    """
    readings = [reading for batch in _batches(files, carefully) for reading in _settled(batch)]
    return TimingReadings(
        entries=pl.concat([ENTRIES.to_frame(), *(r.entries for r in readings)]),
        refusals=pl.concat([REFUSALS.to_frame(), *(r.refusals for r in readings)]),
        files=pl.concat([FILES.to_frame(), *(r.files for r in readings)]),
        unnamed=pl.concat([ENTRIES.to_frame(), *(r.unnamed for r in readings)]),
    )


def _batches(files: Sequence[File], carefully: bool) -> Iterator[_Batch]:
    batch, size = _Batch(), 0
    for blob, data in files:
        batch.add(blob, data, carefully)
        size += len(data)
        if size >= BATCH:
            yield batch
            batch, size = _Batch(), 0
    yield batch


def _settled(batch: _Batch) -> list[TimingReadings]:
    """The readings of a batch: at once, or, where judging it fails, of each file, and of the one at fault none."""
    try:
        return [_settle(batch)]
    except (Exception, pl.exceptions.PanicException) as error:
        if len(batch.files) == 1:
            return [_settle(_refused(*batch.files[0], error))]
    return [reading for blob, data in batch.files for reading in _settled(_alone(blob, data))]


def _alone(blob: str, data: bytes) -> _Batch:
    batch = _Batch()
    batch.add(blob, data, carefully=True)
    return batch


def _refused(blob: str, data: bytes, error: BaseException) -> _Batch:
    batch = _Batch([(blob, data)])
    batch.refuse(0, error)
    return batch


def _settle(batch: _Batch) -> TimingReadings:
    rows = judge(batch.rows.frame()).with_columns(level_key="level")
    blobs = pl.Series([blob for blob, _ in batch.files], dtype=pl.String)
    rows = rows.with_columns(blob=blobs.gather(rows["file"]))
    keep = pl.col("reason").is_null()
    refused = with_details(rows.filter(~keep))
    return TimingReadings(
        entries=with_measures(rows.filter(keep)).select(list(ENTRIES)),
        refusals=refused.with_columns(_raw_texts(batch, refused)).select(list(REFUSALS)),
        files=_file_rows(batch, rows),
        unnamed=with_measures(rows.filter("unnamed")).select(list(ENTRIES)),
    )


def _raw_texts(batch: _Batch, refused: pl.DataFrame) -> pl.Series:
    """What each refused entry looks like in its file: from the row's remark, or looked up in the file again."""
    remarks = batch.rows.remarks
    texts: dict[int, str] = {}
    elsewhere: dict[int, list[tuple[int, str, str]]] = defaultdict(list)
    for row, file, level, key in refused.select("row", "file", "level", "problem_key").iter_rows():
        if row in remarks:
            texts[row] = compact(cast(Value, remarks[row].value))
        else:
            elsewhere[file].append((row, level, key))
    for file, places in elsewhere.items():
        texts |= _look_up(batch.files[file][1], places)
    return pl.Series("raw", [texts[row][:RAW] for row in refused["row"]], pl.String)


def _look_up(data: bytes, places: list[tuple[int, str, str]]) -> dict[int, str]:
    """The texts of some entries (row, level, key) of a file that was read the fast way: its keys stand once."""
    levels = msgspec.json.decode(without_mark(data), type=dict[str, dict[str, msgspec.Raw]])
    return {row: compact(parse(bytes(levels[level][key]).decode())) for row, level, key in places}


def _file_rows(batch: _Batch, rows: pl.DataFrame) -> pl.DataFrame:
    outcomes = pl.DataFrame(
        [
            (number, blob, *_outcome(data, batch.refused.get(number)), batch.noted.get(number, []))
            for number, (blob, data) in enumerate(batch.files)
        ],
        {
            "file": pl.UInt32,
            **{name: FILES[name] for name in ("blob", "reason", "detail", "raw", "noted_keys")},
        },
        orient="row",
    )
    kept = pl.col("reason").is_null()
    counts = rows.group_by("file").agg(entries=pl.len(), kept=kept.sum(), refused=(~kept).sum())
    counted = outcomes.join(counts, on="file", how="left", maintain_order="left")
    return counted.select(
        pl.col(name).fill_null(0).cast(kind) if kind == pl.Int64 else name for name, kind in FILES.items()
    )


def _outcome(data: bytes, refusal: FileRefused | None) -> tuple[str | None, str | None, str | None]:
    return (None, None, None) if refusal is None else (refusal.reason, refusal.detail, excerpt(data))
