"""The small file beside the database: what was published, and how the last check of each source went.

Every transition of it stands here; each gives a new heartbeat, which ``write`` puts in place of the file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Set
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from warehouse.files import write_once
from warehouse.home import Home
from warehouse.landing import Lineage

DUE_AFTER_HOURS = 24
STALE_AFTER_HOURS = 72


class Fingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tells whether a file is still the one that was published: any write to it changes one of the first three.

    ``crc32`` is that of its bytes, which a fault of the disk changes and nothing else tells.
    """

    inode: int
    size: int
    mtime_ns: int
    crc32: int | None = None

    @classmethod
    def of(cls, path: Path) -> Fingerprint | None:
        """Of a file; None where there is none."""
        try:
            found = path.stat()
        except FileNotFoundError:
            return None
        return cls(found.st_ino, found.st_size, found.st_mtime_ns)

    @classmethod
    def of_bytes(cls, path: Path) -> Fingerprint | None:
        """Likewise, with the sum over its bytes."""
        found = cls.of(path)
        return replace(found, crc32=_crc32(path)) if found else None


class Beat(msgspec.Struct, frozen=True):
    """The last check of one source. ``head`` and ``revisions`` are those the published database holds.

    ``rewrites`` is how many former lineages the source had by then.

    ``requests`` were sent for the last check that succeeded. One that failed leaves ``last_error`` and its moment,
    until one succeeds. The thresholds, in hours since the last check, say when a source is due and when it is stale.
    ``asked`` is how the source was asked for last: what fails before the source can say its name is known by it.
    """

    head: str
    revisions: int
    checked_at: datetime | None
    changed_at: datetime | None
    requests: int = 0
    last_error: str | None = None
    failed_at: datetime | None = None
    due_after_hours: float = DUE_AFTER_HOURS
    stale_after_hours: float = STALE_AFTER_HOURS
    rewrites: int = 0
    asked: str | None = None

    @property
    def was_only_tried(self) -> bool:
        """Whether nothing was ever had of the source."""
        return self.checked_at is None and not self.revisions


def _crc32(path: Path) -> int:
    sum_so_far = 0
    with path.open("rb") as file:
        while part := file.read(2**20):
            sum_so_far = zlib.crc32(part, sum_so_far)
    return sum_so_far


NEVER = Beat("", 0, None, None)
"""Of a source that was never checked and of which nothing is published."""


class Heartbeat(msgspec.Struct, frozen=True):
    """What is published, made by which rules, and the last check of each source."""

    published: Fingerprint | None = None
    rules_version: str = ""
    sources: dict[str, Beat] = {}

    @classmethod
    def read(cls, path: Path) -> Heartbeat:
        """The file's content; an empty heartbeat where there is none or it cannot be read."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (FileNotFoundError, msgspec.MsgspecError):
            return cls()

    def write(self, path: Path) -> None:
        """Replace the file."""
        write_once(path, msgspec.json.encode(self))

    def of(self, source: str) -> Beat:
        """The last check of a source."""
        return self.sources.get(source, NEVER)

    def is_current(self, home: Home, rules: str) -> bool:
        """Whether the published database of a home is the one last published there, made by these rules."""
        return (
            self.published is not None
            and replace(self.published, crc32=None) == Fingerprint.of(home.database)
            and self.rules_version == rules
        )

    def is_whole(self, home: Home) -> bool:
        """Whether every byte of the published database is as it was published; it is read once, at gigabytes a second.

        Homes that were published to by an older release do not tell.
        """
        return (
            self.published is None
            or self.published.crc32 is None
            or self.published == Fingerprint.of_bytes(home.database)
        )

    def after_publishing(
        self, home: Home, rules: str, lineages: Iterable[Lineage], at: datetime, *, anew: bool
    ) -> Heartbeat:
        """A database was published by an ingest that began ``at``: it holds ``lineages`` as they landed.

        ``anew``: it was made from nothing and holds no other source; else those are held as before. A source has
        changed where its head or its revisions are others than those that were held. None of this is a check: when
        the source itself was asked, and how that ended, stays as it was.
        """
        held_no_more = {"head": "", "revisions": 0, "rewrites": 0} if anew else {}
        beats = {source: replace(beat, **held_no_more) for source, beat in self.sources.items()}
        for lineage in lineages:
            old = self.sources.get(lineage.source, NEVER)
            moved = (old.head, old.revisions) != (lineage.head, len(lineage.revisions))
            beats[lineage.source] = replace(
                old,
                head=lineage.head,
                revisions=len(lineage.revisions),
                rewrites=len(lineage.former),
                changed_at=at if moved and old is not NEVER else old.changed_at,
            )
        return Heartbeat(Fingerprint.of_bytes(home.database), rules, beats)

    def before_binding_anew(self) -> Heartbeat:
        """What is published is about to be bound to other code: no ingest may build upon it, whatever comes between."""
        return replace(self, published=None)

    def after_check(self, source: str, at: datetime, requests: int) -> Heartbeat:
        """A check of a source succeeded, with so many requests; what failed before is over."""
        old = self.of(source)
        changed_at = at if old.changed_at is None else old.changed_at
        now = replace(old, checked_at=at, changed_at=changed_at, requests=requests, last_error=None, failed_at=None)
        return self._with(source, now)

    def after_failure(self, source: str, at: datetime, error: Exception) -> Heartbeat:
        """A check of a source failed, so that its silence is not taken for peace."""
        words = " ".join(str(error).split()) or type(error).__name__
        return self._with(source, replace(self.of(source), last_error=words, failed_at=at))

    def with_thresholds(
        self, source: str, due_after_hours: float, stale_after_hours: float, asked: str | None = None
    ) -> Heartbeat:
        """After how many hours without a check a source is due, and stale; of one that is not known, nothing.

        ``asked`` is how it was asked for: under another name it was only tried, before it could say its own.
        """
        if source not in self.sources:
            return self
        old = self.sources[source]
        now = replace(
            old,
            due_after_hours=due_after_hours,
            stale_after_hours=stale_after_hours,
            asked=old.asked if asked is None else asked,
        )
        others = {name for name in self.tried() - {source} if asked is not None and self.sources[name].asked == asked}
        return self.without(others)._with(source, now)

    def named(self, asked: str) -> str | None:
        """The source that was asked for so before; what was had goes before what was only tried."""
        names = sorted(name for name, beat in self.sources.items() if beat.asked == asked)
        return min(names, key=lambda name: self.sources[name].was_only_tried, default=None)

    def tried(self) -> set[str]:
        """The sources that were tried, and of which nothing was ever had."""
        return {name for name, beat in self.sources.items() if beat.was_only_tried}

    def with_followed(self, followed: Mapping[str, Beat]) -> Heartbeat:
        """Sources are followed: those that are not known yet are named, so that they are missed."""
        return replace(self, sources={**followed, **self.sources})

    def without(self, sources: Set[str]) -> Heartbeat:
        """Some sources are forgotten."""
        return replace(self, sources={name: beat for name, beat in self.sources.items() if name not in sources})

    def _with(self, source: str, beat: Beat) -> Heartbeat:
        return replace(self, sources={**self.sources, source: beat})
