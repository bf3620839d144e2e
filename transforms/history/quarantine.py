"""What was refused, where, and from which revision to which it was there (DESIGN.md sections 4 and 9)."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from transforms.contracts.frames import schema
from transforms.contracts.objects import OBJECTS
from transforms.history.binding import interval_frame
from transforms.history.entries import VersionEntries
from transforms.history.lineage import History
from transforms.history.series import Stretch, VersionInterval
from transforms.timings.names import loose_name
from transforms.timings.reader import TimingReadings


def quarantine_rows(
    history: History,
    timeline: Iterable[Stretch],
    readings: TimingReadings,
    entries: VersionEntries,
    intervals: Iterable[VersionInterval],
) -> pl.DataFrame:
    """Refusals of the files that ``timeline`` shows, in the columns of the contract.

    Two paths that give one host, mode and part in one revision contradict each other: every entry of the series is
    refused. So are the entries of a version that clash with each other. A loose name that a module gave a meaning is
    no refusal; of the others the detail says what was looked for.
    """
    sightings = _sightings(timeline)
    alone = sightings.filter(pl.col("contradicting").is_null())
    loose = ["blob", "level", "problem_key"]
    given = entries.named.rename({"level_key": "level"})
    refusals = readings.refusals.join(given, on=loose, how="anti").join(
        _looked_for(readings.unnamed), on=loose, how="left", maintain_order="left"
    )
    refusals = refusals.with_columns(detail=pl.coalesce("looked_for", "detail"))
    refused = pl.concat(
        [
            alone.join(refusals, on="blob").select(_SEEN),
            _clashes(entries, intervals).select(_SEEN),
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
        for path, blob, _ in stretch.showing
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
    if not stretch.contradicting:
        return None
    host, mode = stretch.series
    return f"{' and '.join(stretch.contradicting)} both give host {host}, mode {mode}; neither is trusted"


def _clashes(entries: VersionEntries, intervals: Iterable[VersionInterval]) -> pl.DataFrame:
    """Entries that another of the same version contradicts, in each interval of the version."""
    others = pl.col("path").unique().sort().str.join(" and ").over("version", "level", "problem")
    clashing = entries.clashing.with_columns(
        reason=pl.lit("duplicate_key"),
        detail=pl.format("{} of {} stands more than once in {}, not alike", "problem", "level", others),
        raw=pl.col("source_metrics"),
        level=pl.col("level_key"),
    )
    return clashing.join(interval_frame(intervals), on="version", how="inner")


def _looked_for(unnamed: pl.DataFrame) -> pl.DataFrame:
    """What a loose name would have named, in words."""
    keys = unnamed.select("blob", "level", "problem_key").unique()
    words = []
    for _, level, key in keys.iter_rows():
        named = "/".join(loose_name(level, key))
        words.append(f"{key} names no problem of {level}; there is no module {named} beside it")
    return keys.with_columns(looked_for=pl.Series(words, dtype=pl.String))


def _whole_files(files: pl.DataFrame) -> pl.DataFrame:
    nothing = pl.lit(None, dtype=pl.String)
    return files.filter(pl.col("reason").is_not_null()).select(
        "blob", "reason", "detail", "raw", level=nothing, problem_key=nothing
    )


def _every_entry(readings: TimingReadings) -> pl.DataFrame:
    kept = readings.entries.select("blob", "level", "problem_key", raw=pl.col("source_metrics"))
    refused = readings.refusals.select("blob", "level", "problem_key", "raw")
    return pl.concat([kept, refused]).with_columns(reason=pl.lit("duplicate_key"))
