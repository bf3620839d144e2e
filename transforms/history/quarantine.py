"""What was refused, where, and from which revision to which it was there (DESIGN.md sections 4 and 9)."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from transforms.contracts.frames import schema
from transforms.contracts.objects import OBJECTS
from transforms.history.lineage import History
from transforms.history.series import Stretch
from transforms.timings.reader import TimingReadings


def quarantine_rows(history: History, timeline: Iterable[Stretch], readings: TimingReadings) -> pl.DataFrame:
    """Refusals of the files that ``timeline`` shows, in the columns of the contract.

    Two paths that give one host and mode in one revision contradict each other: every entry of both is refused.
    """
    sightings = _sightings(timeline)
    alone = sightings.filter(pl.col("contradicting").is_null())
    refused = pl.concat(
        [
            alone.join(readings.refusals, on="blob").select(_SEEN),
            sightings.join(_whole_files(readings.files), on="blob").select(_SEEN),
            sightings.filter(pl.col("contradicting").is_not_null())
            .join(_every_entry(readings), on="blob")
            .select(*(c for c in _SEEN if c != "detail"), detail=pl.col("contradicting"))
            .select(_SEEN),
        ]
    )
    key = OBJECTS["quarantine"].key
    revisions = [shown.revision for shown in history.revisions]
    named = dict(enumerate(revisions))
    return (
        refused.with_columns(source=pl.lit(history.source), last=pl.col("until").fill_null(len(revisions)) - 1)
        .sort("since", "path")
        .group_by(key, maintain_order=True)
        .agg(
            first_revision=pl.col("since").min().replace_strict(named, return_dtype=pl.String),
            last_revision=pl.col("last").max().replace_strict(named, return_dtype=pl.String),
            present=pl.col("until").is_null().any(),
            path=pl.col("path").last(),
            detail=pl.col("detail").last(),
            raw=pl.col("raw").last(),
        )
        .select(schema("quarantine").names())
        .sort(key)
    )


_SEEN = ("host", "mode", "path", "level", "problem_key", "reason", "detail", "raw", "since", "until")


def _sightings(timeline: Iterable[Stretch]) -> pl.DataFrame:
    """Grain: one file in one stretch; ``contradicting`` says which files give the same series, where several do."""
    rows = [
        (*stretch.series, path, blob, stretch.since, stretch.until, _contradiction(stretch))
        for stretch in timeline
        for path, blob in stretch.showing
    ]
    schema = {
        "host": pl.String,
        "mode": pl.String,
        "path": pl.String,
        "blob": pl.String,
        "since": pl.Int64,
        "until": pl.Int64,
        "contradicting": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _contradiction(stretch: Stretch) -> str | None:
    if len(stretch.showing) == 1:
        return None
    host, mode = stretch.series
    paths = " and ".join(path for path, _ in stretch.showing)
    return f"{paths} both give host {host}, mode {mode}; neither is trusted"


def _whole_files(files: pl.DataFrame) -> pl.DataFrame:
    nothing = pl.lit(None, dtype=pl.String)
    return files.filter(pl.col("reason").is_not_null()).select(
        "blob", "reason", "detail", "raw", level=nothing, problem_key=nothing
    )


def _every_entry(readings: TimingReadings) -> pl.DataFrame:
    kept = readings.entries.select("blob", "level", "problem_key", raw=pl.col("source_metrics"))
    refused = readings.refusals.select("blob", "level", "problem_key", "raw")
    return pl.concat([kept, refused]).with_columns(reason=pl.lit("duplicate_key"))
