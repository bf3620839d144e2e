"""The small file beside the database: what was published, and when each source was last looked at."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from warehouse.files import write_once


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
    """The last look at one source. ``head`` and ``revisions`` are those the published database holds."""

    head: str
    revisions: int
    checked_at: datetime
    changed_at: datetime


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
