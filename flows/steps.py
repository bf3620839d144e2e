"""The steps of an ingest, as plain functions. Their order is written once, in ``flows.sequence``.

Polars, pandera and duckdb are imported by the steps that need them: looking and finding nothing new must be quick.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flows.sources.interface import Chain, Revision, Source, SourceError
from transforms.history.declared import is_harness
from transforms.version import rules_version
from warehouse.heartbeat import Beat, Fingerprint, Heartbeat
from warehouse.home import Home
from warehouse.landing import Fetched, IngestRecord, Landing, Lineage, Tree, fetched_line

if TYPE_CHECKING:
    import polars as pl

    from transforms.history.lineage import History
    from transforms.history.normalise import Normalised
    from transforms.history.reading import Needed, Read
    from transforms.history.series import Series
    from warehouse.publish import Changes

_PART_BYTES = 32 * 2**20
"""Timing files are read in parts of about this size, so that reading can fan out and memory stays bounded."""


@dataclass(frozen=True)
class Place:
    """Where an ingest works: what it may write to, and the published file it starts from (None: from nothing)."""

    home: Home
    landing: Landing
    base: Home

    @classmethod
    def real(cls, home: Home) -> Place:
        """Work in a home itself."""
        return cls(home, Landing(home.landing), home)

    @classmethod
    def rehearsal(cls, home: Home, scratch: Home) -> Place:
        """Read from ``home``, write to ``scratch`` only."""
        return cls(scratch, Landing(scratch.landing, beneath=Landing(home.landing)), home)


@dataclass(frozen=True)
class Started:
    """An ingest that was begun."""

    ingest_id: str
    at: datetime

    @classmethod
    def now(cls) -> Started:
        """Begin now, in this process."""
        at = datetime.now(UTC)
        return cls(f"{at:%Y%m%dT%H%M%S%f}Z-{os.getpid()}", at)


@dataclass(frozen=True)
class Looked:
    """What a source shows, beside what is known of it.

    ``published`` is how many of its revisions the published database holds; ``fresh``: that database cannot be built
    upon (there is none, it was made by other rules, or another program wrote to it).
    """

    source: str
    url: str | None
    known: tuple[str, ...]
    chain: Chain
    published: int
    fresh: bool
    unchanged: bool


@dataclass(frozen=True)
class Landed:
    """What was fetched."""

    blobs: int
    size_bytes: int


@dataclass(frozen=True)
class Plan:
    """One source to be derived: its history, the series that differ, and what must be read for them."""

    history: History
    series: frozenset[Series]
    needed: Needed


@dataclass(frozen=True)
class Derived:
    """One source's rows, held to their contracts, and what reading its files gave."""

    source: str
    tables: dict[str, pl.DataFrame]
    files_read: int
    refused_files: tuple[tuple[str, str], ...]  # (path, reason)


@dataclass(frozen=True)
class Published:
    """What publishing changed, by source."""

    changes: dict[str, Changes]


def look(place: Place, source: Source) -> Looked:
    """Ask the source for its head and the revisions that are not known yet."""
    lineage = place.landing.lineage(source.name)
    known = tuple(lineage.revisions) if lineage else ()
    chain = source.revisions(known)
    beats = Heartbeat.read(place.base.heartbeat)
    fresh = not is_current(place.base, beats)
    beat = beats.sources.get(source.name)
    held = beat.revisions if beat and not fresh else 0
    same_head = beat is not None and beat.head == chain.head.id and held == len(known)
    return Looked(
        source=source.name,
        url=source.url,
        known=known,
        chain=chain,
        published=held,
        fresh=fresh,
        unchanged=not fresh and same_head and not chain.new,
    )


def is_current(home: Home, beats: Heartbeat) -> bool:
    """Whether the published database is the one last published here, made by the rules of this version."""
    return (
        beats.published is not None
        and beats.published == Fingerprint.of(home.database)
        and beats.rules_version == rules_version()
    )


def fetch(place: Place, source: Source, looked: Looked, started: Started) -> Landed:
    """Land what the new revisions and the head show. The lineage is written last: from then on they count."""
    shown = [(revision, dict(source.files(revision))) for revision in _each_once(looked.chain)]
    first_shown: dict[str, tuple[str, str]] = {}
    for revision, files in shown:
        for path, blob in files.items():
            if not is_harness(path):  # known by its blob id alone; its bytes are never read
                first_shown.setdefault(blob, (revision.id, path))
    missing = place.landing.missing(first_shown)
    fetched = _land(place, source, missing, first_shown)
    for revision, files in shown:
        at = revision.committed_at.astimezone(UTC).replace(tzinfo=None)
        place.landing.put_tree(looked.source, Tree(revision.id, at, files))
    place.landing.log_fetches(started.ingest_id, fetched)
    revisions = [*looked.known, *(revision.id for revision in looked.chain.new)]
    place.landing.put_lineage(Lineage(looked.source, looked.url, revisions, looked.chain.head.id))
    return Landed(len(fetched), sum(line.size_bytes for line in fetched))


def _each_once(chain: Chain) -> list[Revision]:
    return list({revision.id: revision for revision in (*chain.new, chain.head)}.values())


def _land(
    place: Place, source: Source, missing: Sequence[str], first_shown: dict[str, tuple[str, str]]
) -> list[Fetched]:
    transport = type(source).__name__.removesuffix("Source").lower()
    lines = []
    for blob in source.read(missing) if missing else ():
        place.landing.put(blob.id, blob.data, blob.form)
        lines.append(fetched_line(source.name, first_shown, blob.id, blob.data, datetime.now(UTC), transport))
    lacking = set(missing) - {line.blob for line in lines}
    if lacking:
        absent = min(lacking)
        raise SourceError(f"{source.name}: did not give {first_shown[absent][1]} (blob {absent}); ingest it again")
    return lines


def plan(place: Place, looked: Looked | None) -> list[Plan]:
    """The sources to derive: the one that was looked at, or, where the database must be made anew, all that landed."""
    if looked is not None and not looked.fresh:
        return [_plan(place.landing, looked.source, looked.published)]
    return [_plan(place.landing, lineage.source, 0) for lineage in place.landing.lineages()]


def _plan(landing: Landing, source: str, published: int) -> Plan:
    from transforms.history.reading import needed
    from transforms.history.series import touched

    history = _history(landing, source)
    series = frozenset(touched(history, published))
    return Plan(history, series, needed(history, series))


def _history(landing: Landing, source: str) -> History:
    from transforms.history.lineage import History, Shown

    lineage = landing.lineage(source)
    assert lineage is not None, source
    shown = {}
    for revision in dict.fromkeys([*lineage.revisions, lineage.head]):
        tree = landing.tree(source, revision)
        shown[revision] = Shown(tree.revision, tree.committed_at, tree.files)
    revisions = tuple(shown[revision] for revision in lineage.revisions)
    return History(source, lineage.url, revisions, shown[lineage.head])


def timing_parts(place: Place, planned: Plan) -> list[tuple[str, ...]]:
    """The timing blobs to read, in parts that can be read apart."""
    parts: list[list[str]] = [[]]
    size = 0
    for blob in planned.needed.timings:
        if size > _PART_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(blob)
        size += place.landing.size(blob)
    return [tuple(part) for part in parts]


def read_timing_part(place: Place, blobs: Sequence[str]) -> object:
    """Read one part's timing files: entries, refusals, files."""
    from transforms.timings.reader import read_timings

    return read_timings([(blob, data) for blob, data, _ in place.landing.read(blobs)])


def read_beside(place: Place, planned: Plan, parts: Iterable[object]) -> Read:
    """Read the problem modules and declaring texts beside the timing files, and put all readings together."""
    from transforms.history.lineage import module_path
    from transforms.history.reading import Read, merge
    from transforms.problems.reader import read_module
    from transforms.problems.stated import read_stated_module

    paths: dict[str, list[str]] = {}
    for path, blob in planned.needed.modules:
        paths.setdefault(blob, []).append(path)
    modules = {}
    for blob, data, form in place.landing.read(tuple(paths)):
        read = read_stated_module if form == "stated" else read_module
        for path in paths[blob]:
            named = module_path(path)
            assert named is not None, path
            modules[path, blob] = read(data, *named)
    texts = {blob: data for blob, data, _ in place.landing.read(planned.needed.texts)}
    return Read(merge(parts), modules, texts)  # type: ignore[arg-type]


def normalise(planned: Plan, read: Read) -> Normalised:
    """Bind figures to code, machine and moment."""
    from transforms.history.normalise import normalise

    return normalise(planned.history, planned.series, planned.needed, read)


def validate(planned: Plan, read: Read, normalised: Normalised) -> Derived:
    """Hold the rows to their contracts; what breaks one goes to quarantine."""
    from transforms.contracts.validate import check_batch

    refused = dict(read.timings.files.drop_nulls("reason").select("blob", "reason").iter_rows())
    paths = {blob: path for stretch in planned.needed.timeline for path, blob in stretch.showing}
    tables = check_batch(normalised.tables)
    return Derived(
        source=normalised.source,
        tables={**tables, "series": normalised.series},
        files_read=read.timings.files.height - len(refused),
        refused_files=tuple(sorted((paths[blob], reason) for blob, reason in refused.items())),
    )


def publish(
    place: Place, derived: Sequence[Derived], looked: Looked | None, landed: Landed | None, started: Started
) -> Published:
    """Build the new database beside the published one, check it, and move it into place.

    In a rehearsal everything but the last move is done.
    """
    from transforms.batch import common_tables, ingest_rows
    from transforms.contracts.validate import check_batch_of
    from warehouse.publish import Batch, open_for_building

    fresh = looked is None or looked.fresh
    common = check_batch_of(common_tables())
    changes = {}
    with open_for_building(place.home, None if fresh else place.base.database) as building:
        for one in derived:
            batch = Batch(one.source, {name: rows.to_arrow() for name, rows in one.tables.items()})
            changes[one.source] = building.load(batch, {name: rows.to_arrow() for name, rows in common.items()})
        records = place.landing.ingests()
        if looked is not None and landed is not None:
            record = _record(looked, landed, derived, changes[looked.source], started)
            place.landing.log_ingest(record)
            records.append(record)
        building.log(check_batch_of({"ingests": ingest_rows(records)})["ingests"].to_arrow())
        building.check()
        if place.home == place.base:
            building.publish()
            _beat_all(place, started)
    return Published(changes)


def _record(
    looked: Looked, landed: Landed, derived: Sequence[Derived], changes: Changes, started: Started
) -> IngestRecord:
    (own,) = (one for one in derived if one.source == looked.source)
    finished = datetime.now(UTC)
    counts = changes.counts
    return IngestRecord(
        ingest_id=started.ingest_id,
        source=looked.source,
        started_at=started.at.replace(tzinfo=None),
        finished_at=finished.replace(tzinfo=None),
        seconds=(finished - started.at).total_seconds(),
        head=looked.chain.head.id,
        rebuilt=looked.fresh,
        revisions_new=len(looked.chain.new),
        blobs_fetched=landed.blobs,
        files_read=own.files_read,
        files_refused=len(own.refused_files),
        runs=counts["runs"],
        runs_present=counts["present"],
        runs_new=counts["runs_new"],
        runs_withdrawn=counts["runs_withdrawn"],
        entries_refused=counts["entries_refused"],
    )


def _beat_all(place: Place, started: Started) -> None:
    """Write down what is published now. The sources that were not looked at keep the time of their last look."""
    before = Heartbeat.read(place.home.heartbeat)
    beats = {}
    for lineage in place.landing.lineages():
        old = before.sources.get(lineage.source)
        same = old is not None and old.head == lineage.head and old.revisions == len(lineage.revisions)
        beats[lineage.source] = (
            old if same and old else Beat(lineage.head, len(lineage.revisions), started.at, started.at)
        )
    Heartbeat(Fingerprint.of(place.home.database), rules_version(), beats).write(place.home.heartbeat)


def beat(place: Place, source: str, started: Started) -> None:
    """Note that a source was looked at and had nothing new: the only write of such an ingest."""
    beats = Heartbeat.read(place.home.heartbeat)
    old = beats.sources[source]
    now = Beat(old.head, old.revisions, started.at, old.changed_at)
    Heartbeat(beats.published, beats.rules_version, {**beats.sources, source: now}).write(place.home.heartbeat)


def tidy(home: Home) -> None:
    """Put a home in order before an ingest: what a kill or a careless client left is removed.

    Raises WarehouseError when the published file is damaged.
    """
    from warehouse.publish import discard_building, published_is_readable, remove_stray_wal

    discard_building(home)
    remove_stray_wal(home)
    if home.database.exists() and not is_current(home, Heartbeat.read(home.heartbeat)):
        published_is_readable(home)
