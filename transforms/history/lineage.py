"""The history of one source as it lands here: revisions in order, and what each showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from transforms.layout import TOP, Layout


@dataclass(frozen=True)
class RevisionFiles:
    """What one revision of a source shows. ``committed_at`` is UTC, without a time zone attached.

    ``layout`` says what the paths are.
    """

    revision: str
    committed_at: datetime
    files: Mapping[str, str]  # path -> blob id
    layout: Layout = TOP


@dataclass(frozen=True)
class History:
    """A source's revisions, oldest first; a position is an index into them. The head may be none of them.

    ``former`` are the histories that it had before its branch was rewritten, in the order of the rewrites: those that
    have a revision which is not among these.
    """

    source: str
    url: str | None
    revisions: tuple[RevisionFiles, ...]
    head: RevisionFiles
    former: tuple[FormerHistory, ...] = ()

    @property
    def newest(self) -> int:
        """Position of the newest revision."""
        return len(self.revisions) - 1

    @property
    def unreachable(self) -> list[tuple[RevisionFiles, datetime]]:
        """The revisions of former histories alone, by date, each with when it was last noticed to be gone (UTC)."""
        reachable = {shown.revision for shown in self.revisions}
        found = {shown.revision: (shown, one.noticed_at) for one in self.former for shown in one.history.revisions}
        gone = (pair for revision, pair in found.items() if revision not in reachable)
        return sorted(gone, key=lambda pair: (pair[0].committed_at, pair[0].revision))


@dataclass(frozen=True)
class FormerHistory:
    """What a source had until an ingest noticed, at ``noticed_at`` (UTC), that its branch was rewritten."""

    history: History
    noticed_at: datetime


def modules_of(shown: RevisionFiles) -> dict[tuple[str, str], tuple[str, str]]:
    """``(level, file) -> (path, blob)`` of the problem modules that a revision shows."""
    named = ((shown.layout.module_path(path), path, blob) for path, blob in shown.files.items())
    return {name: (path, blob) for name, path, blob in named if name is not None}
