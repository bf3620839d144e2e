"""The small file beside the database: what was published, and when each source was last looked at."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from warehouse.files import write_once

DUE_AFTER_HOURS = 24
STALE_AFTER_HOURS = 72


class Fingerprint(msgspec.Struct, frozen=True):
    """Tells whether a file is still the one that was published: any write to it changes one of these."""

    inode: int
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, path: Path) -> Fingerprint | None:
        """Of a file; None where there is none."""
        try:
            found = path.stat()
        except FileNotFoundError:
            return None
        return cls(found.st_ino, found.st_size, found.st_mtime_ns)


class Beat(msgspec.Struct, frozen=True):
    """The last look at one source. ``head`` and ``revisions`` are those the published database holds.

    ``rewrites`` is how many lines the source had shown before that one.

    ``requests`` were sent for the last look that succeeded. A look that failed leaves ``last_error`` and its moment,
    until one succeeds. The thresholds, in hours since the last look, say when a source is due and when it is stale.
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


class Heartbeat(msgspec.Struct, frozen=True):
    """What is published, made by which schema version and sample, and the last look at each source."""

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
