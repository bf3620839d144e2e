"""The entries of each version of a series: put together from its files, named by the modules beside it (section 4).

A series may be told by several files: that of all levels and those of one level each. Where two of them hold a figure,
equal figures are one, unequal ones contradict each other. A key or level that is spelled loosely names a problem when a
module of that name stands beside the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from transforms.history.binding import MEASURED, version_frame
from transforms.history.lineage import History, modules_of
from transforms.history.series import VersionInterval
from transforms.timings.beside import precision_of_mode
from transforms.timings.names import loose_name
from transforms.timings.reader import TimingReadings

_PLACE = ("version", "level", "problem")


@dataclass(frozen=True)
class VersionEntries:
    """Grain of both: one entry of one version, with the version's columns (``binding.version_frame``).

    ``clashing`` are kept by no version: another entry of the same version names the same problem, with other figures or
    in the same file. ``named`` are the (blob, level, problem_key) whose loose names a module gave a meaning.
    """

    kept: pl.DataFrame
    clashing: pl.DataFrame
    named: pl.DataFrame


def version_entries(history: History, intervals: Iterable[VersionInterval], readings: TimingReadings) -> VersionEntries:
    """The entries of every version that was present."""
    versions = version_frame(intervals)
    named = _named(history, versions.join(readings.unnamed, on="blob", how="inner", maintain_order="left"))
    entries = pl.concat(
        [versions.join(readings.entries, on="blob", how="inner", maintain_order="left"), named], how="vertical"
    )
    entries = _with_precision(entries)
    together = pl.struct(MEASURED).n_unique().over(_PLACE)
    clashes = (together > 1) | (pl.len().over(*_PLACE, "path") > 1)
    judged = entries.with_columns(clashes=clashes)
    kept = judged.filter(~pl.col("clashes")).unique(_PLACE, keep="first", maintain_order=True)
    return VersionEntries(
        kept=kept.drop("clashes"),
        clashing=judged.filter("clashes").drop("clashes"),
        named=named.select("blob", "level_key", "problem_key").unique(),
    )


def _named(history: History, loose: pl.DataFrame) -> pl.DataFrame:
    """Of loosely named entries those that name a module shown where their version was first shown, under its name."""
    rows = loose.select("position", "level_key", "problem_key").unique().rows()
    modules = {position: modules_of(history.revisions[position]) for position in {row[0] for row in rows}}
    found = [(*row, *name) for row in rows if (name := loose_name(row[1], row[2])) in modules[row[0]]]
    texts = dict.fromkeys(("level_key", "problem_key", "level_named", "problem_named"), pl.String)
    names = pl.DataFrame(found, schema={"position": pl.Int64, **texts}, orient="row")
    return (
        loose.join(names, on=["position", "level_key", "problem_key"], how="inner", maintain_order="left")
        .with_columns(level="level_named", problem="problem_named")
        .select(loose.columns)
    )


def _with_precision(entries: pl.DataFrame) -> pl.DataFrame:
    """The precision that the entry names, else that with which the mode ends."""
    ends = {mode: precision_of_mode(mode) for mode in entries["mode"].unique()}
    of_mode = pl.col("mode").replace_strict(ends, default=None, return_dtype=pl.String)
    return entries.with_columns(precision=pl.coalesce("precision", of_mode))
