"""The history of one source as it lands here: revisions in order, and what each showed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

_MODULE_PATH = re.compile(r"KernelBench/(?P<level>level[^/]+)/(?P<file>\d+_[^/]*\.py)", re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """What one revision of a source showed. ``committed_at`` is UTC, without a time zone attached."""

    revision: str
    committed_at: datetime
    files: Mapping[str, str]  # path -> blob id


@dataclass(frozen=True)
class History:
    """A source's revisions, oldest first; a position is an index into them. The head may be none of them.

    ``lost`` are the lines that it showed before its branch was rewritten, in the order of the rewrites: those that
    have a revision which is not among these.
    """

    source: str
    url: str | None
    revisions: tuple[Shown, ...]
    head: Shown
    lost: tuple[Lost, ...] = ()

    @property
    def newest(self) -> int:
        """Position of the newest revision."""
        return len(self.revisions) - 1

    @property
    def unreachable(self) -> list[tuple[Shown, datetime]]:
        """The revisions of lost lines alone, by date, each with when it was last noticed that it is gone (UTC)."""
        reachable = {shown.revision for shown in self.revisions}
        found = {shown.revision: (shown, one.noticed_at) for one in self.lost for shown in one.line.revisions}
        gone = (pair for revision, pair in found.items() if revision not in reachable)
        return sorted(gone, key=lambda pair: (pair[0].committed_at, pair[0].revision))


@dataclass(frozen=True)
class Lost:
    """A line that a source showed until an ingest noticed, at ``noticed_at`` (UTC), that its branch was rewritten."""

    line: History
    noticed_at: datetime


def module_path(path: str) -> tuple[str, str] | None:
    """``(level, file)`` of a problem module's path, or None for any other path."""
    match = _MODULE_PATH.fullmatch(path)
    return (match["level"], match["file"]) if match else None


def modules_of(shown: Shown) -> dict[tuple[str, str], tuple[str, str]]:
    """``(level, file) -> (path, blob)`` of the problem modules that a revision showed."""
    named = ((module_path(path), path, blob) for path, blob in shown.files.items())
    return {name: (path, blob) for name, path, blob in named if name is not None}
