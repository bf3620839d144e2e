"""What is read of GitHub's answers; everything else in them is passed over."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec


class Commit(msgspec.Struct, frozen=True):
    """A commit: its tree, the committer's date in UTC, its parents."""

    id: str
    at: datetime
    tree: str
    parents: tuple[str, ...]


class _Sha(msgspec.Struct):
    sha: str


class _Committer(msgspec.Struct):
    date: datetime


class _Details(msgspec.Struct):
    tree: _Sha
    committer: _Committer


class CommitAnswer(msgspec.Struct):
    """An item of ``/commits``, or the answer of ``/commits/REF``."""

    sha: str
    commit: _Details
    parents: list[_Sha]

    def read(self) -> Commit:
        """The commit itself."""
        parents = tuple(parent.sha for parent in self.parents)
        return Commit(self.sha, self.commit.committer.date.astimezone(UTC), self.commit.tree.sha, parents)


class RepositoryAnswer(msgspec.Struct):
    """The answer about the repository itself."""

    default_branch: str


class Entry(msgspec.Struct):
    """An entry of a tree; in a recursive answer its path is the whole one. A submodule has no use for its sha here."""

    path: str
    mode: str
    type: str
    sha: str = ""


class TreeAnswer(msgspec.Struct):
    """The answer of ``/git/trees/SHA``."""

    tree: list[Entry]
    truncated: bool = False


class BlobAnswer(msgspec.Struct):
    """The answer of ``/git/blobs/SHA``."""

    content: str
    encoding: str


class Complaint(msgspec.Struct):
    """What GitHub says when it refuses."""

    message: str = ""
