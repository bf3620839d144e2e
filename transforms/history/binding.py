"""Which code each figure was measured on, and how long it was present (the table of DESIGN.md section 5)."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from transforms.history.series import Version, VersionInterval

FIGURES = ("mean", "std", "min", "max", "num_trials")
_ENTRY = ("series", "level", "problem")
_MEASURED = ("hardware", *FIGURES)
"""What must be equal for an entry's figures to be the same: a set of figures belongs to the machine it names."""


def version_frame(intervals: Iterable[VersionInterval]) -> pl.DataFrame:
    """Grain: one version of a series. ``series`` is the number of the (host, mode) within this batch."""
    versions = _versions(intervals)
    series = {one: number for number, one in enumerate(dict.fromkeys(v.series for v in versions))}
    rows = [
        (version, series[v.series], *v.series, v.number, v.path, v.blob, v.position)
        for version, v in enumerate(versions)
    ]
    schema = {
        "version": pl.Int64,
        "series": pl.Int64,
        "host": pl.String,
        "mode": pl.String,
        "number": pl.Int64,
        "path": pl.String,
        "blob": pl.String,
        "position": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def interval_frame(intervals: Iterable[VersionInterval]) -> pl.DataFrame:
    """Grain: one interval of positions of a version; ``version`` numbers them as ``version_frame`` does."""
    numbers = {version: number for number, version in enumerate(_versions(intervals))}
    rows = [(numbers[one.version], one.since, one.until) for one in intervals]
    return pl.DataFrame(rows, schema={"version": pl.Int64, "since": pl.Int64, "until": pl.Int64}, orient="row")


def _versions(intervals: Iterable[VersionInterval]) -> list[Version]:
    return list(dict.fromkeys(one.version for one in intervals))


def bind(entries: pl.DataFrame) -> pl.DataFrame:
    """Replace ``code_digest`` (the code at the version's first revision) by that of the code that was measured.

    Grain in and out: one entry of one version, with ``series, number, level, problem``, hardware and figures. Versions
    are taken in the order in which they were seen, each against the one before it, all series at once.
    """
    layers = {key[0]: layer for key, layer in entries.partition_by("number", as_dict=True).items()}
    bound: dict[object, pl.DataFrame] = {}
    for number in sorted(layers):
        before = bound.get(number - 1)
        bound[number] = layers[number] if before is None else _bind_to_version_before(layers[number], before)
    return pl.concat(bound.values()) if bound else entries


def _bind_to_version_before(now: pl.DataFrame, before: pl.DataFrame) -> pl.DataFrame:
    was = before.select(*_ENTRY, *_MEASURED, "code_digest", shared=pl.lit(True))
    pairs = now.join(was, on=_ENTRY, how="left", suffix="_before", maintain_order="left")
    shared = pl.col("shared").fill_null(False)
    same_figures = pl.all_horizontal(pl.col(c).eq_missing(pl.col(f"{c}_before")) for c in _MEASURED)
    changed = (shared & ~same_figures).sum().over("series")
    measured_again = changed * 2 > shared.sum().over("series")
    same_code = pl.col("code_digest").eq_missing(pl.col("code_digest_before"))
    goes_on = shared & same_figures & (same_code | ~measured_again)
    code = pl.when(goes_on).then("code_digest_before").otherwise("code_digest")
    return pairs.with_columns(code_digest=code).select(now.columns)


def presence(entries: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """The intervals of positions in which each run was present; ``until`` null: it still is.

    Grain: one uninterrupted interval of a run. ``entries`` has ``run_id, version``; ``intervals`` are those of the
    versions. A run that several versions in a row carry is present through all of them; taken away and put back, it has
    a second interval.
    """
    present = entries.select("run_id", "version").join(intervals, on="version").sort("run_id", "since")
    # By neighbours, not by groups: there are as many groups as runs.
    goes_on = (pl.col("run_id") == pl.col("run_id").shift()) & (pl.col("since") == pl.col("until").shift())
    present = present.with_columns(begins=~goes_on.fill_null(False))
    ends = present.filter(pl.col("begins").shift(-1, fill_value=True))
    return present.filter("begins").select("run_id", "since").with_columns(ends["until"])
