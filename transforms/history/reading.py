"""What of a source must be read to derive some of its series anew, and what the reading gave."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from transforms.history.lineage import History, RevisionFiles, modules_of
from transforms.history.reasons import NOT_FETCHED
from transforms.history.series import Series, Stretch, stretches
from transforms.layout import TOP, Layout
from transforms.problems.reader import ModuleReading
from transforms.timings.reader import ENTRIES, FILES, REFUSALS, TimingReadings


@dataclass(frozen=True)
class Needed:
    """Blobs to read, each once: timing files, problem modules by path, and texts that declare software.

    ``timeline`` is that of the history of now, ``former_timelines`` those of the former ones, in their order.
    """

    timeline: tuple[Stretch, ...]
    former_timelines: tuple[tuple[Stretch, ...], ...]
    timings: tuple[str, ...]
    modules: tuple[tuple[str, str], ...]  # (path, blob)
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Read:
    """What was read: figures by blob, modules by (path, blob), declaring texts by blob."""

    timings: TimingReadings
    modules: Mapping[tuple[str, str], ModuleReading]
    texts: Mapping[str, bytes]


def needed(history: History, series: Collection[Series]) -> Needed:
    """The blobs behind ``series``: every content each showed; and every module and declaration of every commit."""
    every = (history, *(one.history for one in history.former))
    timelines = [tuple(stretches(one, series)) for one in every]
    commits = _every_commit(history)
    shown = (pair for timeline in timelines for stretch in timeline for pair in stretch.showing)
    return Needed(
        timeline=timelines[0],
        former_timelines=tuple(timelines[1:]),
        timings=tuple(dict.fromkeys(blob for _, blob in shown)),
        modules=tuple(dict.fromkeys(pair for shown in commits for pair in modules_of(shown).values())),
        texts=tuple(dict.fromkeys(blob for shown in commits for blob in _declaring(shown))),
    )


def _every_commit(history: History) -> list[RevisionFiles]:
    return [*history.revisions, history.head, *(shown for shown, _ in history.unreachable)]


def _declaring(shown: RevisionFiles) -> list[str]:
    return [shown.files[path] for path in shown.layout.declaring if path in shown.files]


def merge(parts: Iterable[TimingReadings]) -> TimingReadings:
    """The readings of files that were read in parts."""
    parts = list(parts)
    return TimingReadings(
        entries=pl.concat([part.entries for part in parts]),
        refusals=pl.concat([part.refusals for part in parts]),
        files=pl.concat([part.files for part in parts]),
    )


def not_fetched(blobs: Mapping[str, str]) -> TimingReadings:
    """The readings of files whose bytes could not be had: refused, with what came instead as the detail."""
    rows: list[tuple[object, ...]] = [(blob, NOT_FETCHED, detail, None, [], 0, 0, 0) for blob, detail in blobs.items()]
    return TimingReadings(
        entries=ENTRIES.to_frame(),
        refusals=REFUSALS.to_frame(),
        files=pl.DataFrame(rows, schema=FILES, orient="row"),
    )


def not_fetched_module(path: str, detail: str, layout: Layout = TOP) -> ModuleReading:
    """The reading of a module whose bytes could not be had."""
    level, file = layout.module_path(path) or ("", path)
    return ModuleReading(level, file, sha256="", size_bytes=0, reason=NOT_FETCHED, detail=detail)
