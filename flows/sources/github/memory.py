"""What was learnt before, in a small folder: it spares requests, and everything works without it.

Of a branch, at one layout:

<branch>/head.json           the head's ETag, its revisions, and which trees show the same figures
<branch>/listing.json        where the tree of the head keeps figures and modules
<branch>/trees/<commit>.json what a commit shows, until the warehouse holds it: a first ingest that a limit of
                             requests interrupts goes on from there

Of an API, at one layout, whichever repository was asked: an id names the same thing in all of them, so a fork asks for
none of it.

<API>/timing.json            what trees and commits have where its timing files are
<API>/listings/<commit>      what a revision shows, compressed

What was learnt at the top is in folders of these names; of any other layout, in folders whose names end with it.

Each file ends with the digest of what is before it. What is damaged, or could not have been learnt from an answer (no
id, no path, no ETag), is as if it were not there: it is asked for anew.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, TypeVar
from urllib.parse import quote

import msgspec

from flows.sources.github.answers import Commit, ETag, Id, in_utc, is_path
from transforms.layout import TOP, Layout
from warehouse.files import write_once

T = TypeVar("T")

_Timing = Annotated[str, msgspec.Meta(pattern=r"\A[0-7]{5,6} [0-9a-f]{40}\Z")]

_LARGEST_LISTING = 2**26
"""Unpacked; an answer is no larger."""


class Dated(msgspec.Struct, frozen=True):
    """A revision's date and tree; in place of a tree that is not known, the commit itself."""

    at: datetime
    tree: Id

    def __post_init__(self) -> None:
        in_utc(self.at)


class Learnt(msgspec.Struct):
    """The state of a branch at its last check.

    ``chain`` are all its revisions, oldest first, ``dated`` those of which more is known. ``is_default``: whether it
    was the default branch when it was first checked; null where that was not asked. A lineage keeps its name when that
    changes.
    """

    etag: ETag | None = None
    head: Commit | None = None
    chain: list[Id] = []
    dated: dict[Id, Dated] = {}
    is_default: bool | None = None


class Listing(msgspec.Struct):
    """Of a tree, the paths that tell of its roots."""

    tree: Id
    paths: list[str]


class _Folder:
    """Files in a folder, of one layout; none where nothing is to be kept."""

    def __init__(self, folder: Path | None, name: str, layout: Layout = TOP) -> None:
        """``name``, an address, becomes that of a folder in ``folder``; none of it has an empty part but its scheme."""
        at = "" if layout == TOP else f"//{layout.root}//{layout.modules}"
        self._folder = folder / quote(name + at, safe="") if folder else None

    def _read(self, name: str, shape: type[T]) -> T | None:
        """None where there is no such file, or a damaged one."""
        return _decoded(self._bytes(name), shape)

    def _bytes(self, name: str) -> bytes | None:
        """What was written; None where there is nothing, or something else."""
        try:
            data = (self._folder / name).read_bytes() if self._folder else b""
        except OSError:
            return None
        kept, _, digest = data.rpartition(b"\n")
        return kept if digest == _digest(kept) else None

    def _write(self, name: str, data: bytes) -> None:
        if self._folder is not None:
            write_once(self._folder / name, data + b"\n" + _digest(data))


def _digest(data: bytes) -> bytes:
    return sha256(data).hexdigest().encode()


def _decoded(data: bytes | None, shape: type[T]) -> T | None:
    try:
        return msgspec.json.decode(data, type=shape) if data is not None else None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _files(data: bytes | None) -> dict[str, str] | None:
    """``path -> blob id``; None where it is anything else."""
    files = _decoded(data, dict[str, Id])
    return files if files is not None and all(map(is_path, files)) else None


class Shared(_Folder):
    """What was learnt of commits and trees, for all repositories of one API."""

    def timing(self) -> dict[str, str | None]:
        """Trees and commits to the object at the layout's ``results/timing`` in them, as far as it was asked for."""
        return self._read("timing.json", dict[Id, _Timing | None]) or {}

    def keep_timing(self, timing: Mapping[str, str | None]) -> None:
        """Write it down."""
        self._write("timing.json", msgspec.json.encode(timing))

    def listing(self, commit: str) -> dict[str, str] | None:
        """``path -> blob id`` of a commit; None where it was not kept, or is damaged."""
        packed = self._bytes(f"listings/{commit}")
        try:
            return _files(zlib.decompressobj().decompress(packed, _LARGEST_LISTING) if packed else None)
        except zlib.error:
            return None

    def keep_listing(self, commit: str, files: Mapping[str, str]) -> None:
        """Write down what a commit shows, compressed."""
        self._write(f"listings/{commit}", zlib.compress(msgspec.json.encode(files)))


class Memory(_Folder):
    """The folder of one branch, named after the repository's address and the ref."""

    def learnt(self) -> Learnt:
        """What is known; nothing where there is no such file, or a damaged one."""
        return self._read("head.json", Learnt) or Learnt()

    def keep(self, learnt: Learnt) -> None:
        """Write it down."""
        self._write("head.json", msgspec.json.encode(learnt))

    def tree(self, commit: str) -> dict[str, str] | None:
        """``path -> blob id`` of a commit; None where it was not kept."""
        return _files(self._bytes(f"trees/{commit}.json"))

    def keep_tree(self, commit: str, files: dict[str, str]) -> None:
        """Write down what a commit shows."""
        self._write(f"trees/{commit}.json", msgspec.json.encode(files))

    def listing(self, tree: str) -> list[str] | None:
        """The paths of a tree that tell of its roots; None where it is not the one kept last."""
        kept = self._read("listing.json", Listing)
        return kept.paths if kept and kept.tree == tree else None

    def keep_listing(self, tree: str, paths: list[str]) -> None:
        """Write them down, in place of another tree's."""
        self._write("listing.json", msgspec.json.encode(Listing(tree, paths)))

    def keep_trees_of(self, commits: Collection[str]) -> None:
        """Remove those of any other commit: the warehouse holds them by now, or has no use for them."""
        if self._folder is not None:
            for path in (self._folder / "trees").glob("*.json"):
                if path.stem not in commits:
                    path.unlink()
