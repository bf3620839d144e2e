"""What the rest of the warehouse sees of whatever figures come from.

A source is a lineage, not a transport (DESIGN.md section 2): its name is ``owner/repo``, whichever way it came.
Behind the interface are a GitHub API, a git repository, a folder or the shipped sample; nothing after it can tell
which.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Protocol

from transforms.layout import Layout
from warehouse.landing import BlobForm


@dataclass(frozen=True)
class Blob:
    """One file's content under its git blob id."""

    id: str
    data: bytes
    form: BlobForm = "bytes"


LARGEST_BLOB = 2**27
"""Bytes beyond which a file is not taken at all: more than GitHub takes in one (100 MB), and eight times what a reader
reads. What is smaller lands, and its reader refuses it by its own bound."""


@dataclass(frozen=True)
class RefusedBlob:
    """A blob that could not be had as its id says it is, by any route. ``detail`` says what came instead."""

    id: str
    detail: str


@dataclass(frozen=True)
class Revision:
    """A commit on the first-parent chain of a ref, or a state of a folder."""

    id: str
    committed_at: datetime  # UTC, the committer's date


@dataclass(frozen=True)
class Chain:
    """The revisions of a source that were not known before, and its newest commit.

    ``head`` is read whether or not it is a revision: its modules decide whether a problem has changed. ``unreachable``
    are the last of the known revisions, where the branch was rewritten and contains them no more; ``new`` follow those
    before them.
    """

    new: tuple[Revision, ...]
    head: Revision
    unreachable: tuple[str, ...] = ()


class SourceError(Exception):
    """A source that cannot be read: one line that says what, where and what to do.

    ``may_pass``: it may give another time what it did not give now.
    """

    may_pass = False


class Source(Protocol):
    """Three methods, the same for every transport. ``kind`` is the prefix of its line in ``flows.sources.kinds``.

    ``layout`` says which paths are read, and ``name`` which lineage that is: upstream's own layout, until
    ``flows.sources.roots`` has looked where this source keeps its files (``listings``) and said so (``read_at``).
    """

    kind: str
    name: str
    url: str | None
    layout: Layout

    @property
    def requests_made(self) -> Mapping[str, int]:
        """Requests sent so far, by kind; none for a source on this machine."""

    def listings(self) -> Iterator[Collection[str]]:
        """Every path of the head's tree; then, as far as the source can say, of older commits that held figures."""

    def read_at(self, layout: Layout, name: str) -> None:
        """From now on read the files of this layout, as the lineage of this name."""

    def revisions(self, known: Sequence[str]) -> Chain:
        """Revisions after the ``known`` ones, oldest first, and the head; and which known ones are unreachable.

        ``known`` are the ids that the warehouse already holds, oldest first. A revision is a first-parent commit
        whose tree differs from its first parent's under the layout's ``results/timing``. Raises SourceError where the
        source is not believed when it lacks a known one.
        """

    def files(self, revision: Revision) -> Mapping[str, str]:
        """``path -> blob id`` of the files of a revision that are tracked; raises SourceError for one it has not."""

    def read(self, blobs: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        """The blobs asked for, each once, in any order; refused are those whose bytes are not what their id says."""

    def close(self) -> None:
        """Let go of processes, connections and temporary folders."""


def shared(known: Sequence[str], chain: Sequence[str]) -> int:
    """How many revisions, from the first on, two histories have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known, chain, strict=False)))


def github_url(name: str) -> str | None:
    """Where a person can look at a lineage of this name; None where it is no repository's."""
    repository = name.partition("@")[0]
    return f"https://github.com/{repository}" if re.fullmatch(r"[\w.-]+/[\w.-]+", repository) else None
