"""Timelines of timing files: which version of a (host, mode) was present from when to when (DESIGN.md section 5).

Everything here is small (files times revisions, no figures), so it is plain Python; the figures of the versions are
joined in whole columns later (``binding``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from transforms.history.lineage import History, RevisionFiles
from transforms.timings.paths import TimingPath, timing_path

Series = tuple[str, str]
"""(host, mode)"""

Showing = tuple[tuple[str, str], ...]
"""The (path, blob) pairs that give one series in one revision, by path; more than one contradict each other."""


@dataclass(frozen=True)
class Stretch:
    """A series showed the same files from one position up to, not including, another; ``until`` None: still."""

    series: Series
    showing: Showing
    since: int
    until: int | None


@dataclass(frozen=True)
class Version:
    """One content of a series, numbered in the order in which the series' contents were seen."""

    series: Series
    number: int
    path: str
    blob: str
    position: int  # where it was first shown


@dataclass(frozen=True)
class VersionInterval:
    """A version was present from one position up to, not including, another; ``until`` None: still."""

    version: Version
    since: int
    until: int | None


_parsed = cache(timing_path)


def series_of(shown: RevisionFiles) -> dict[Series, Showing]:
    """The timing files of one revision by the series that their paths give."""
    found: dict[Series, list[tuple[str, str]]] = {}
    for path, blob in shown.files.items():
        parsed: TimingPath | None = _parsed(path, shown.layout)
        if parsed is not None:
            found.setdefault((parsed.host, parsed.mode), []).append((path, blob))
    return {series: tuple(sorted(pairs)) for series, pairs in found.items()}


def touched(history: History, known: int) -> set[Series]:
    """The series that differ anywhere after the first ``known`` revisions: those to be derived anew.

    Where nothing is known these are all, also those that only a former history showed.
    """
    before = series_of(history.revisions[known - 1]) if known else {}
    changed: set[Series] = set()
    for shown in history.revisions[known:]:
        now = series_of(shown)
        changed.update(s for s in before.keys() | now.keys() if before.get(s) != now.get(s))
        before = now
    for former in history.former if not known else ():
        changed.update(one for shown in former.history.revisions for one in series_of(shown))
    return changed


def stretches(history: History, series: Collection[Series]) -> list[Stretch]:
    """The timeline of each of ``series``, oldest first."""
    current: dict[Series, tuple[Showing, int]] = {}
    closed: list[Stretch] = []
    for position, shown in enumerate(history.revisions):
        now = series_of(shown)
        for one, (showing, since) in list(current.items()):
            if now.get(one) != showing:
                closed.append(Stretch(one, showing, since, position))
                del current[one]
        for one in series:
            if one in now and one not in current:
                current[one] = (now[one], position)
    closed += [Stretch(one, showing, since, None) for one, (showing, since) in current.items()]
    return sorted(closed, key=lambda s: (s.series, s.since))


def version_intervals(timeline: Iterable[Stretch], refused: Collection[str]) -> list[VersionInterval]:
    """Which version was present when. ``refused`` are blobs that could not be read.

    A refused file never replaces the version before it, which goes on. Two paths for one series contradict each
    other: nothing is present while both are there.
    """
    intervals: list[VersionInterval] = []
    last_seen: dict[Series, Version] = {}
    last: VersionInterval | None = None
    for stretch in timeline:
        if last is not None and (last.version.series != stretch.series or last.until != stretch.since):
            last = None
        version = _version(stretch, refused, last, last_seen.get(stretch.series))
        if version is None:
            last = None
            continue
        last_seen[stretch.series] = version
        last = VersionInterval(version, stretch.since, stretch.until)
        intervals.append(last)
    return intervals


def _version(
    stretch: Stretch, refused: Collection[str], before: VersionInterval | None, last_seen: Version | None
) -> Version | None:
    if len(stretch.showing) > 1:
        return None
    ((path, blob),) = stretch.showing
    if blob in refused:
        return before.version if before else None
    if last_seen is not None and last_seen.blob == blob:
        return last_seen
    return Version(stretch.series, last_seen.number + 1 if last_seen else 0, path, blob, stretch.since)
