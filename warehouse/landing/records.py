"""What landing knows of a source, as it is kept: JSON under a seal."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime

import msgspec

from transforms.layout import TOP, Layout


class Tree(msgspec.Struct, frozen=True):
    """What one revision of a source showed: ``path -> blob id`` of the files that are tracked."""

    revision: str
    committed_at: datetime
    files: dict[str, str]


class Refused(msgspec.Struct, frozen=True):
    """A blob that could not be had, where it was asked for, and what came instead."""

    revision: str
    path: str
    detail: str


class FormerLineage(msgspec.Struct, frozen=True):
    """What a source showed until its branch was rewritten, whole: revisions, oldest first, and head.

    ``noticed_at`` (UTC) is when the ingest began that found another history in its place.
    """

    revisions: list[str]
    head: str
    noticed_at: datetime


class Told(msgspec.Struct, frozen=True):
    """What a person said beside a source: later ingests of its lineage go by it (DESIGN.md section 2).

    ``source`` is how the source was written where its lineage was given a name by hand, so that the name is known when
    it is written again; ``problems`` names the lineage whose modules were measured, perhaps with a revision;
    ``observed`` says that a person, not the files, says when a state was measured.
    """

    source: str | None = None
    problems: str | None = None
    observed: bool = False


class Lineage(msgspec.Struct, frozen=True):
    """The revisions of a source, oldest first, and the newest commit seen of its ref.

    ``refused`` are the blobs of these that could not be had; they are asked for again by every ingest, as long as a
    commit that can be reached shows them. ``former`` is what it showed before, one for each rewrite.

    ``root`` and ``modules`` are its layout, as found or told when it was first ingested. Where the modules of another
    lineage were measured, that is ``problems``, and ``measured`` gives for each commit the commit of that lineage.

    ``dated`` has the dates of its commits, as their trees have them: one that was lost can be asked for again.
    """

    source: str
    url: str | None
    revisions: list[str]
    head: str
    refused: dict[str, Refused] = {}
    former: list[FormerLineage] = msgspec.field(name="earlier", default_factory=list)  # its name on disk
    root: str = TOP.root
    modules: str = TOP.modules
    told: Told = Told()
    problems: str | None = None
    measured: dict[str, str] = {}
    dated: dict[str, datetime] = {}

    @property
    def layout(self) -> Layout:
        """What the paths of its trees are."""
        return Layout(self.root, self.modules)

    @property
    def commits(self) -> list[str]:
        """Every commit of it of which a tree has landed, each once: revisions, head, those of former lineages."""
        former = (commit for one in self.former for commit in (*one.revisions, one.head))
        return list(dict.fromkeys([*self.revisions, self.head, *former]))


class Fetched(msgspec.Struct, frozen=True):
    """One line of the fetch log."""

    source: str
    revision: str
    path: str
    blob: str
    sha256: str
    size_bytes: int
    fetched_at: datetime
    transport: str


class IngestRecord(msgspec.Struct, frozen=True):
    """What one ingest did, as it appears in the ``ingests`` table. Times in UTC, durations in seconds."""

    ingest_id: str
    source: str
    started_at: datetime
    finished_at: datetime
    seconds: float
    head: str
    rebuilt: bool
    revisions_new: int
    requests: int
    blobs_fetched: int
    files_read: int
    files_refused: int
    runs: int
    runs_present: int
    runs_new: int
    runs_withdrawn: int
    entries_refused: int
    step_seconds: str
    revisions_unreachable: int = msgspec.field(default=0, name="revisions_lost")
    runs_unreachable: int = msgspec.field(default=0, name="runs_lost")
    runs_stale: int | None = None


def fetched_line(
    source: str, first_shown: Mapping[str, tuple[str, str]], blob: str, data: bytes, at: datetime, transport: str
) -> Fetched:
    """The log line of a blob; ``first_shown`` gives the revision and path under which it was asked for."""
    revision, path = first_shown[blob]
    return Fetched(source, revision, path, blob, hashlib.sha256(data).hexdigest(), len(data), at, transport)
