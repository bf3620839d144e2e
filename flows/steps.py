"""The steps of an ingest, as plain functions. Their order is written once, in ``flows.sequence``.

Polars, pandera and duckdb are imported by the steps that need them: looking and finding nothing new must be quick.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from flows.settings import read_settings
from flows.sources.interface import Chain, RefusedBlob, Revision, Source, SourceError, shared
from transforms.layout import TOP
from transforms.timings.paths import timing_path
from transforms.version import rules_version
from warehouse.heartbeat import Beat, Fingerprint, Heartbeat
from warehouse.home import Home
from warehouse.landing import EarlierLine, Fetched, IngestRecord, Landing, Lineage, Refused, Tree, fetched_line

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from transforms.history.lineage import History
    from transforms.history.normalise import Normalised
    from transforms.history.reading import Needed, Read
    from transforms.history.series import Series
    from transforms.manifests.facts import Pin, PinnedProblem
    from transforms.problems.reader import ModuleReading
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

    ``published`` is how many of its revisions, from the first on, the published database holds; ``lost`` are those
    shown since that was published, or before, which the branch contains no more. ``fresh``: that database cannot be
    built upon (there is none, it was made by other rules, or another program wrote to it). ``wanting`` are the blobs
    that could not be had before and can still be asked for; ``current``: apart from them there is nothing new.
    """

    source: str
    url: str | None
    known: tuple[str, ...]
    chain: Chain
    published: int
    lost: frozenset[str]
    fresh: bool
    wanting: dict[str, Refused]
    current: bool
    requests: int

    @property
    def unchanged(self) -> bool:
        """Whether there is nothing to do."""
        return self.current and not self.wanting

    @property
    def revisions(self) -> list[str]:
        """The line of now, oldest first."""
        return _line(self.known, self.chain)


@dataclass(frozen=True)
class Landed:
    """What was fetched; ``refused`` are the blobs that could not be had, with the reason in words."""

    blobs: tuple[str, ...]
    size_bytes: int
    refused: dict[str, Refused]
    requests: int


@dataclass(frozen=True)
class Plan:
    """One source to be derived: its history, the series that differ, what must be read for them, what cannot be.

    The first ``published`` revisions are in the database already, and so is what they show.
    """

    history: History
    series: frozenset[Series]
    needed: Needed
    refused: dict[str, Refused]
    published: int


@dataclass(frozen=True)
class Derived:
    """One source's rows, held to their contracts, and what reading its files gave."""

    source: str
    tables: dict[str, pl.DataFrame]
    pin: Pin
    pinned: tuple[PinnedProblem, ...]
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
    beat = beats.sources.get(source.name, Beat("", 0, None, None))
    now = _line(known, chain)
    lines = [*(line.revisions for line in lineage.earlier), known] if lineage else [known]
    since = lines[beat.rewrites :]  # what was published shows the first of these
    held = shared(since[0][: beat.revisions], now) if since and not fresh else 0
    lost = frozenset(one for line in since for one in line) - set(now)
    same = (beat.head, beat.revisions, held) == (chain.head.id, len(now), len(now))
    return Looked(
        source=source.name,
        url=source.url,
        known=known,
        chain=chain,
        published=held,
        lost=lost,
        fresh=fresh,
        wanting=_wanting(place.landing, lineage, {*now, chain.head.id}) if lineage else {},
        current=not fresh and same and not lost,
        requests=sum(source.requests_made.values()),
    )


def _line(known: Sequence[str], chain: Chain) -> list[str]:
    return [*known[: len(known) - len(chain.lost)], *(revision.id for revision in chain.new)]


def _wanting(landing: Landing, lineage: Lineage, reachable: Set[str]) -> dict[str, Refused]:
    """The blobs that could not be had before, each where a commit that can be reached shows it."""
    wanting = {blob: refused for blob, refused in lineage.refused.items() if refused.revision in reachable}
    elsewhere = lineage.refused.keys() - wanting.keys()
    for revision in [*lineage.revisions, lineage.head] if elsewhere else ():
        if revision in reachable:
            for path, blob in landing.tree(lineage.source, revision).files.items():
                if blob in elsewhere:
                    wanting.setdefault(blob, Refused(revision, path, lineage.refused[blob].detail))
    return wanting


def is_current(home: Home, beats: Heartbeat) -> bool:
    """Whether the published database is the one last published here, made by the rules of this version."""
    return (
        beats.published is not None
        and beats.published == Fingerprint.of(home.database)
        and beats.rules_version == rules_version()
    )


def fetch(place: Place, source: Source, looked: Looked, started: Started) -> Landed:
    """Land what the new revisions and the head show. The lineage is written last: from then on they count."""
    shown = [(revision, dict(source.files(revision))) for revision in _to_ask_for(place, looked)]
    first_shown: dict[str, tuple[str, str]] = {}
    for revision, files in shown:
        for path, blob in files.items():
            if not TOP.is_harness(path):  # known by its blob id alone; its bytes are never read
                first_shown.setdefault(blob, (revision.id, path))
    if not looked.known and not any(timing_path(path) for _, files in shown for path in files):
        raise SourceError(f"{source.name}: no revision shows a results/timing/<host>/baseline_time_<mode>.json")
    with place.landing.fetch_log(started.ingest_id) as log:
        fetched, refused = _land(place, source, place.landing.missing(first_shown), first_shown, log)
    for revision, files in shown:
        at = revision.committed_at.astimezone(UTC).replace(tzinfo=None)
        place.landing.put_tree(looked.source, Tree(revision.id, at, files))
    place.landing.put_lineage(_lineage(place, looked, refused, started))
    requests = sum(source.requests_made.values())
    return Landed(tuple(line.blob for line in fetched), sum(line.size_bytes for line in fetched), refused, requests)


def _lineage(place: Place, looked: Looked, refused: dict[str, Refused], started: Started) -> Lineage:
    """What the source shows from now on, with what it showed before. A line that was left is kept whole."""
    before = place.landing.lineage(looked.source)
    earlier = before.earlier if before else []
    unasked: dict[str, Refused] = {}
    if before is not None:
        out_of_reach = {blob: one for blob, one in before.refused.items() if blob not in looked.wanting}
        unasked = {blob: out_of_reach[blob] for blob in place.landing.missing(out_of_reach)}
        if looked.chain.lost:
            at = started.at.replace(tzinfo=None)
            earlier = [*earlier, EarlierLine(before.revisions, before.head, at)]
    return Lineage(looked.source, looked.url, looked.revisions, looked.chain.head.id, {**unasked, **refused}, earlier)


def _to_ask_for(place: Place, looked: Looked) -> list[Revision]:
    """The new revisions, the head, and those that show a blob which could not be had before; each once."""
    asked = {revision.id: revision for revision in (*looked.chain.new, looked.chain.head)}
    for refused in looked.wanting.values():
        if refused.revision not in asked:
            at = place.landing.tree(looked.source, refused.revision).committed_at.replace(tzinfo=UTC)
            asked[refused.revision] = Revision(refused.revision, at)
    return list(asked.values())


def _land(
    place: Place,
    source: Source,
    missing: Sequence[str],
    first_shown: dict[str, tuple[str, str]],
    log: Callable[[Fetched], None],
) -> tuple[list[Fetched], dict[str, Refused]]:
    transport = type(source).__name__.removesuffix("Source").lower()
    lines: list[Fetched] = []
    refused: dict[str, Refused] = {}
    for blob in source.read(missing) if missing else ():
        if isinstance(blob, RefusedBlob):
            refused[blob.id] = Refused(*first_shown[blob.id], blob.detail)
            continue
        lines.append(fetched_line(source.name, first_shown, blob.id, blob.data, datetime.now(UTC), transport))
        log(lines[-1])
        place.landing.put(blob.id, blob.data, blob.form)
    lacking = set(missing) - {line.blob for line in lines} - refused.keys()
    if lacking:
        absent = min(lacking)
        raise SourceError(f"{source.name}: did not give {first_shown[absent][1]} (blob {absent}); ingest it again")
    return lines, refused


def plan(place: Place, looked: Looked | None, landed: Landed | None) -> list[Plan]:
    """The sources to derive: the one that was looked at, or, where the database must be made anew, all that landed."""
    if looked is not None and landed is not None and not looked.fresh:
        recovered = looked.wanting.keys() & set(landed.blobs)
        published = 0 if recovered else looked.published
        return [_plan(place.landing, looked.source, published, whole=bool(looked.lost))]
    return [_plan(place.landing, lineage.source, 0) for lineage in place.landing.lineages()]


def _plan(landing: Landing, source: str, published: int, *, whole: bool = False) -> Plan:
    """``published`` revisions are in the database as they are; 0 where a blob came late, which any series may show.

    ``whole``: all series are derived anew all the same, since what is marked as unreachable may be of any of them.
    """
    from transforms.history.reading import needed
    from transforms.history.series import touched

    history = _history(landing, source)
    series = frozenset(touched(history, 0 if whole else published))
    lineage = landing.lineage(source)
    return Plan(history, series, needed(history, series), lineage.refused if lineage else {}, published)


def _history(landing: Landing, source: str) -> History:
    from transforms.history.lineage import FormerHistory, History, RevisionFiles

    lineage = landing.lineage(source)
    assert lineage is not None, source

    @cache
    def show(revision: str) -> RevisionFiles:
        tree = landing.tree(source, revision)
        return RevisionFiles(tree.revision, tree.committed_at, tree.files)

    former = tuple(
        FormerHistory(History(source, lineage.url, tuple(map(show, line.revisions)), show(line.head)), line.noticed_at)
        for line in lineage.earlier
        if not set(line.revisions) <= set(lineage.revisions)
    )
    return History(source, lineage.url, tuple(map(show, lineage.revisions)), show(lineage.head), former)


def timing_parts(place: Place, planned: Plan) -> list[tuple[str, ...]]:
    """The timing blobs to read, in parts that can be read apart."""
    parts: list[list[str]] = [[]]
    size = 0
    for blob in planned.needed.timings:
        if blob in planned.refused:
            continue
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
    from transforms.history.reading import Read, merge, not_fetched, not_fetched_module

    paths: dict[str, list[str]] = {}
    for path, blob in planned.needed.modules:
        paths.setdefault(blob, []).append(path)
    modules = {}
    for blob, data, form in place.landing.read([blob for blob in paths if blob not in planned.refused]):
        for path in paths[blob]:
            named = TOP.module_path(path)
            assert named is not None, path
            modules[path, blob] = read_landed(data, form, *named)
    for blob in paths.keys() & planned.refused.keys():
        for path in paths[blob]:
            modules[path, blob] = not_fetched_module(path, planned.refused[blob].detail)
    texts = place.landing.read([blob for blob in planned.needed.texts if blob not in planned.refused])
    unread = {blob: planned.refused[blob].detail for blob in planned.needed.timings if blob in planned.refused}
    return Read(
        merge([*parts, not_fetched(unread)]),  # type: ignore[list-item]
        modules,
        {blob: data for blob, data, _ in texts},
    )


def read_landed(data: bytes, form: str, level: str, file: str) -> ModuleReading:
    """Read a module from its landed bytes, or from what a source that does not carry them stated of it."""
    from transforms.problems.reader import read_module
    from transforms.problems.stated import read_stated_module

    return (read_stated_module if form == "stated" else read_module)(data, level, file)


def normalise(planned: Plan, read: Read) -> Normalised:
    """Bind figures to code, machine and moment."""
    from transforms.history.normalise import normalise

    return normalise(planned.history, planned.series, planned.needed, read)


def validate(planned: Plan, read: Read, normalised: Normalised) -> Derived:
    """Hold the rows to their contracts; what breaks one goes to quarantine."""
    from transforms.contracts.validate import check_batch

    refused = dict(read.timings.files.drop_nulls("reason").select("blob", "reason").iter_rows())
    # A file that was refused and mended long ago is read again with its series, but it is no news.
    news = [s for s in planned.needed.timeline if s.until is None or s.until > planned.published]
    shown = {pair for stretch in news for pair in stretch.showing}
    tables = check_batch(normalised.tables)
    return Derived(
        source=normalised.source,
        tables={**tables, "series": normalised.series},
        pin=normalised.pin,
        pinned=normalised.pinned,
        files_read=read.timings.files.height - len(refused),
        refused_files=tuple(sorted((path, refused[blob]) for path, blob in shown if blob in refused)),
    )


def publish(
    place: Place,
    derived: Sequence[Derived],
    looked: Looked | None,
    landed: Landed | None,
    started: Started,
    seconds: Mapping[str, float],
) -> Published:
    """Build the new database beside the published one, check it, and move it into place.

    In a rehearsal everything but the last move is done.
    """
    from transforms.batch import ingest_rows
    from transforms.contracts.validate import check_batch_of
    from warehouse.publish import Batch, open_for_building

    fresh = looked is None or looked.fresh
    common = _common_tables(read_settings(place.base).stale_after_days)
    changes = {}
    with open_for_building(place.home, None if fresh else place.base.database, _shapes()) as building:
        for one in derived:
            batch = Batch(one.source, {name: rows.to_arrow() for name, rows in one.tables.items()})
            changes[one.source] = building.load(batch, {name: rows.to_arrow() for name, rows in common.items()})
            building.load_pinned(_interop(one, building.pinned_runs(one.source)))
        for source, own in changes.items():
            changes[source] = dataclasses.replace(own, counts={**own.counts, "runs_stale": building.stale_runs(source)})
        records = place.landing.ingests()
        if looked is not None and landed is not None:
            record = _record(looked, landed, derived, changes[looked.source], started, seconds)
            place.landing.log_ingest(record)
            records.append(record)
        building.log(check_batch_of({"ingests": ingest_rows(records)})["ingests"].to_arrow())
        building.check()
        if place.home == place.base:
            building.publish()
            _beat_published(place, derived, _with_requests(looked, landed), started)
    return Published(changes)


@cache
def _shapes() -> Mapping[str, pa.Schema]:
    """The columns of every batch, as the contracts say."""
    from transforms.batch import empty_batches

    return {name: rows.to_arrow().schema for name, rows in empty_batches().items()}


def _with_requests(looked: Looked | None, landed: Landed | None) -> Looked | None:
    """What was looked at, with the requests that fetching took as well."""
    return dataclasses.replace(looked, requests=landed.requests) if looked and landed else looked


@cache
def _common_tables(stale_after_days: int) -> Mapping[str, pl.DataFrame]:
    """The tables that belong to no source, held to their contracts once per process."""
    from transforms.batch import common_tables
    from transforms.contracts.validate import check_batch_of

    return check_batch_of(common_tables(stale_after_days))


def _interop(one: Derived, pinned_runs: pa.Table) -> pa.Table:
    """The interoperable digests of a source, pinned to its newest revision."""
    import polars as pl

    from transforms.contracts.validate import check_batch_of
    from transforms.manifests.exported import with_figures
    from transforms.manifests.interop import interop_table

    runs = with_figures(pl.DataFrame(pinned_runs))
    return check_batch_of({"interop": interop_table(one.source, one.pin, one.pinned, runs)})["interop"].to_arrow()


def _record(
    looked: Looked,
    landed: Landed,
    derived: Sequence[Derived],
    changes: Changes,
    started: Started,
    seconds: Mapping[str, float],
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
        requests=landed.requests,
        blobs_fetched=len(landed.blobs),
        files_read=own.files_read,
        files_refused=len(own.refused_files),
        runs=counts["runs"],
        runs_present=counts["present"],
        runs_new=counts["runs_new"],
        runs_withdrawn=counts["runs_withdrawn"],
        runs_stale=counts["runs_stale"],
        entries_refused=counts["entries_refused"],
        step_seconds=msgspec.json.encode({step: round(spent, 3) for step, spent in seconds.items()}).decode(),
        revisions_lost=len(looked.lost),
        runs_lost=counts["runs_lost"],
    )


def _beat_published(place: Place, derived: Sequence[Derived], looked: Looked | None, started: Started) -> None:
    """Write down what is published now: of the sources just derived what landing holds, of the others what was held."""
    before = Heartbeat.read(place.home.heartbeat)
    beats = {} if looked is None or looked.fresh else dict(before.sources)
    for one in derived:
        lineage = place.landing.lineage(one.source)
        assert lineage is not None, one.source
        old = before.sources.get(one.source, Beat("", 0, started.at, started.at))
        moved = (old.head, old.revisions) != (lineage.head, len(lineage.revisions))
        beats[one.source] = replace(
            old,
            head=lineage.head,
            revisions=len(lineage.revisions),
            rewrites=len(lineage.earlier),
            changed_at=started.at if moved else old.changed_at,
        )
        if looked is not None and one.source == looked.source:
            beats[one.source] = replace(
                beats[one.source], checked_at=started.at, requests=looked.requests, last_error=None, failed_at=None
            )
    Heartbeat(Fingerprint.of(place.home.database), rules_version(), beats).write(place.home.heartbeat)


def beat(place: Place, looked: Looked, started: Started) -> None:
    """Note that a source was looked at and had nothing new: the only write of such an ingest."""
    old = Heartbeat.read(place.home.heartbeat).sources[looked.source]
    now = replace(old, checked_at=started.at, requests=looked.requests, last_error=None, failed_at=None)
    _write_beat(place.home, looked.source, now)


def note_failure(home: Home, source: str, error: Exception, started: Started) -> None:
    """Note that a look at a source failed, so that its silence is not taken for peace."""
    old = Heartbeat.read(home.heartbeat).sources.get(source, Beat("", 0, None, None))
    words = " ".join(str(error).split()) or type(error).__name__
    _write_beat(home, source, replace(old, last_error=words, failed_at=started.at))


def set_thresholds(home: Home, source: str, due_after_hours: float, stale_after_hours: float) -> None:
    """Note after how many hours without a look a source is due, and stale."""
    old = Heartbeat.read(home.heartbeat).sources.get(source)
    if old and (old.due_after_hours, old.stale_after_hours) != (due_after_hours, stale_after_hours):
        now = replace(old, due_after_hours=due_after_hours, stale_after_hours=stale_after_hours)
        _write_beat(home, source, now)


def _write_beat(home: Home, source: str, now: Beat) -> None:
    beats = Heartbeat.read(home.heartbeat)
    Heartbeat(beats.published, beats.rules_version, {**beats.sources, source: now}).write(home.heartbeat)


def tidy(home: Home) -> None:
    """Put a home in order before an ingest: what a kill or a careless client left is removed.

    Raises WarehouseError when the published file is damaged.
    """
    from warehouse.publish import discard_building, published_is_readable, remove_stray_wal

    discard_building(home)
    remove_stray_wal(home)
    if home.database.exists() and not is_current(home, Heartbeat.read(home.heartbeat)):
        published_is_readable(home)
