"""What is read of GitHub's answers; everything else in them is passed over.

Nothing in them is believed: ids become names of files, paths name what is read, dates are published. What cannot be in
a git repository makes the whole answer one that is not believed: decoding it fails with words that say what it is.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec

from flows.sources.github.errors import shown

Id = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{40}\Z")]
"""Of a commit, a tree or a blob."""

ETAG = r"""\A(?:W/)?"[\x21\x23-\x7e]{0,256}"\Z"""
ETag = Annotated[str, msgspec.Meta(pattern=ETAG)]
"""As it is sent again: one line, whose quotes end with it."""

_IS_ID = re.compile(r"[0-9a-f]{40}")
_IS_MODE = re.compile(r"[0-7]{5,6}")
_IMPOSSIBLE_IN_PATHS = re.compile(r"(?:\A|/)\.{0,2}(?:/|\Z)|\0")
_LONGEST_PATH = 4096  # what Linux takes: no checkout could hold a longer one
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


class Commit(msgspec.Struct, frozen=True):
    """A commit: its tree, the committer's date in UTC, its parents."""

    id: Id
    at: datetime
    tree: Id
    parents: tuple[Id, ...]

    def __post_init__(self) -> None:
        in_utc(self.at)


class _Sha(msgspec.Struct):
    sha: str

    def __post_init__(self) -> None:
        _must_be_id(self.sha)


class _Committer(msgspec.Struct):
    date: datetime

    def __post_init__(self) -> None:
        self.date = in_utc(self.date)


class _Details(msgspec.Struct):
    tree: _Sha
    committer: _Committer


class CommitAnswer(msgspec.Struct):
    """An item of ``/commits``, or the answer of ``/commits/REF``."""

    sha: str
    commit: _Details
    parents: list[_Sha]

    def __post_init__(self) -> None:
        _must_be_id(self.sha)

    def read(self) -> Commit:
        """The commit itself."""
        parents = tuple(parent.sha for parent in self.parents)
        return Commit(self.sha, self.commit.committer.date, self.commit.tree.sha, parents)


class RepositoryAnswer(msgspec.Struct):
    """The answer about the repository itself."""

    default_branch: str


class Entry(msgspec.Struct):
    """An entry of a tree; in a recursive answer its path is the whole one."""

    path: str
    mode: str
    type: Literal["blob", "tree", "commit"]
    sha: str

    def __post_init__(self) -> None:
        _must_be_id(self.sha)
        if not is_path(self.path):
            raise ValueError(f"'{shown(self.path)}' is no path that git could hold")
        if not _IS_MODE.fullmatch(self.mode):
            raise ValueError(f"'{shown(self.mode)}' is no mode of git")


class TreeAnswer(msgspec.Struct):
    """The answer of ``/git/trees/SHA``."""

    tree: list[Entry]
    truncated: bool = False

    def __post_init__(self) -> None:
        if len({entry.path for entry in self.tree}) != len(self.tree):
            raise ValueError("a path stands there twice")


class BlobAnswer(msgspec.Struct):
    """The answer of ``/git/blobs/SHA``."""

    content: str
    encoding: str


class Complaint(msgspec.Struct):
    """What GitHub says when it refuses."""

    message: str = ""


def is_path(path: str) -> bool:
    """Whether a path can be one of a file in a git tree: relative, without empty parts, dots for parts, and NUL."""
    return len(path) <= _LONGEST_PATH and not _IMPOSSIBLE_IN_PATHS.search(path)


def in_utc(date: datetime) -> datetime:
    """A commit's date in UTC; raises ValueError where it has no offset, or lies before 1970."""
    try:
        at = date.astimezone(UTC) if date.tzinfo else None
    except OverflowError:
        at = None
    if at is None or at < _EARLIEST:
        raise ValueError(f"'{date.isoformat()}' is no date of a commit between 1970 and 9999")
    return at


def _must_be_id(text: str) -> None:
    if not _IS_ID.fullmatch(text):
        raise ValueError(f"'{shown(text)}' is no id of git")
