"""Objects of a git repository, by one ``git cat-file --batch``: each is what its id says, or it is not believed.

git itself compares an object with its id only when it takes it over, not when it reads it. A repository that was copied
or made by other means may hold under a known id what was never committed: of trees and commits that ends the reading,
of files each is refused alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from flows.sources.git.process import Git, Watch
from flows.sources.interface import LARGEST_BLOB, Blob, RefusedBlob, SourceError
from transforms.layout import path_text
from warehouse.landing import git_blob_id

_REQUESTS_AT_ONCE = 500
"""Object ids written before answers are read: 20 kB, less than a pipe holds, so neither side can block the other."""

_LONGEST_HEADER = 200

_ENTRY = re.compile(rb"0*([1-7][0-7]*) ([^\0/]+)\0(.{20})", re.DOTALL)
_NO_NAMES = frozenset({b".", b".."})

_TREE = re.compile(rb"tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)")
_COMMITTER = re.compile(rb"^committer [^\n]*>[ \t]*0*(\d{1,12}) [+-]\d+[ \t]*$", re.MULTILINE)
_LATEST_S = 253_402_300_799
"""The last second of the year 9999, since 1970."""


@dataclass(frozen=True)
class Entry:
    """One name in a tree. ``mode`` is in octal digits: ``40000`` a folder, ``100...`` a file."""

    mode: bytes
    name: str
    id: str


@dataclass(frozen=True)
class Commit:
    """What a commit says. ``committed_at`` is in UTC; None where it says no moment from 1970 to 9999, or several."""

    tree: str
    parents: tuple[str, ...]
    committed_at: datetime | None


@dataclass(frozen=True)
class _Object:
    id: str
    size: int
    data: bytes | None
    """None where there are more than LARGEST_BLOB bytes of it."""


class Objects:
    """The objects of one repository. Trees and commits are kept, since revisions share most of them."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._batch: Watch | None = None
        self._trees: dict[str, list[Entry]] = {}
        self._commits: dict[str, Commit] = {}

    def blobs(self, ids: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        """Files, in the order in which they were asked for; raises SourceError where one is not there."""
        for found in self._get(ids):
            if found.data is None:
                yield RefusedBlob(found.id, f"git has {found.size} bytes, more than {LARGEST_BLOB >> 20} MiB")
            elif (blob := git_blob_id(found.data)) != found.id:
                yield RefusedBlob(found.id, f"git gave {found.size} bytes of blob {blob[:12]}")
            else:
                yield Blob(found.id, found.data)

    def tree(self, tree: str) -> list[Entry]:
        """What stands in a tree, each name once."""
        if tree not in self._trees:
            ((_, data),) = self._proven([tree], b"tree")
            self._trees[tree] = _entries(tree, data)
        return self._trees[tree]

    def commits(self, ids: Iterable[str]) -> list[Commit]:
        """Commits, in the order in which they were asked for."""
        ids = list(ids)
        unknown = [commit for commit in dict.fromkeys(ids) if commit not in self._commits]
        for commit, data in self._proven(unknown, b"commit"):
            self._commits[commit] = _commit(commit, data)
        return [self._commits[commit] for commit in ids]

    def close(self) -> None:
        """End the process; what is asked for later starts another."""
        if self._batch is not None:
            self._batch.close()
        self._batch = None

    def _proven(self, ids: Sequence[str], type_: bytes) -> Iterator[tuple[str, bytes]]:
        for found in self._get(ids):
            if found.data is None:
                raise SourceError(
                    f"{self._git.named}: git object {found.id} has {found.size} bytes; that is no history"
                )
            if found.id != _id(type_, found.data):
                raise SourceError(f"{self._git.named}: git object {found.id} is not what its id says; clone anew")
            yield found.id, found.data

    def _get(self, ids: Sequence[str]) -> Iterator[_Object]:
        for start in range(0, len(ids), _REQUESTS_AT_ONCE):
            left = list(ids[start : start + _REQUESTS_AT_ONCE])
            while left:
                left = yield from self._part(left)

    def _part(self, ids: Sequence[str]) -> Generator[_Object, None, list[str]]:
        """Answers as far as to the first file that is too large, which is not read. Returns what was not answered."""
        batch = self._ask_for(ids)
        whole = False
        try:
            for position, object_id in enumerate(ids, 1):
                with batch.waiting():
                    found = _answer(self._git, batch, object_id)
                yield found
                if found.data is None:
                    return list(ids[position:])
            whole = True
        finally:
            if not whole:  # what it would say next is no answer to what is asked next
                self.close()
        return []

    def _ask_for(self, ids: Sequence[str]) -> Watch:
        if self._batch is None:
            self._batch = self._git.serve("cat-file", "--batch")
        with self._batch.waiting(), suppress(BrokenPipeError):  # one that has ended gives no answer either
            self._batch.requests.write("".join(f"{i}\n" for i in ids).encode())
            self._batch.requests.flush()
        return self._batch


def _answer(git: Git, batch: Watch, object_id: str) -> _Object:
    header = batch.out.readline(_LONGEST_HEADER).split()
    if len(header) != 3:
        how = "reading it comes to no end" if batch.ran_out else "the repository is incomplete or damaged"
        raise SourceError(f"{git.named}: git object {object_id} cannot be read: {how}")
    size = int(header[2])
    if size > LARGEST_BLOB:
        return _Object(object_id, size, None)
    data = batch.out.read(size)
    if len(data) != size or batch.out.read(1) != b"\n":
        raise SourceError(f"{git.named}: git object {object_id} was cut short: the repository is damaged")
    return _Object(object_id, size, data)


def _entries(tree: str, data: bytes) -> list[Entry]:
    entries = []
    position = 0
    while position < len(data):
        match = _ENTRY.match(data, position)
        if match is None or match[2] in _NO_NAMES:
            raise SourceError(f"git tree {tree} holds what is no name: the repository is damaged")
        entries.append(Entry(match[1], path_text(match[2]), match[3].hex()))
        position = match.end()
    if len({entry.name for entry in entries}) < len(entries):
        raise SourceError(f"git tree {tree} holds one name twice: the repository is damaged")
    return entries


def _commit(commit: str, data: bytes) -> Commit:
    header = data.partition(b"\n\n")[0]
    match = _TREE.match(header)
    if match is None:
        raise SourceError(f"git commit {commit} names no tree: the repository is damaged")
    dates = [int(seconds) for seconds in _COMMITTER.findall(header)]
    known = len(dates) == header.count(b"\ncommitter ") == 1 and dates[0] <= _LATEST_S
    return Commit(
        tree=match[1].decode(),
        parents=tuple(match[2].decode().split()[1::2]),
        committed_at=datetime.fromtimestamp(dates[0], UTC) if known else None,
    )


def _id(type_: bytes, data: bytes) -> str:
    return hashlib.sha1(b"%s %d\0" % (type_, len(data)) + data, usedforsecurity=False).hexdigest()
