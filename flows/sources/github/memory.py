"""What was learnt of a branch before, in a small folder: it spares requests, and everything works without it.

<branch>/head.json           the head's ETag, its revisions, and which trees show the same figures
<branch>/listing.json        where the tree of the head keeps figures and modules
<branch>/trees/<commit>.json what a commit shows, until the warehouse holds it: a first ingest that a limit of
                             requests interrupts goes on from there
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec

from flows.sources.github.answers import Commit
from warehouse.files import write_once

T = TypeVar("T")


class Dated(msgspec.Struct, frozen=True):
    """A revision's date and tree."""

    at: datetime
    tree: str


class Learnt(msgspec.Struct):
    """The state of a branch at its last check.

    ``chain`` are all its revisions, oldest first, ``dated`` those of which more is known; ``timing`` gives trees and
    commits the object at their ``results/timing``. ``is_default``: whether it was the default branch when
    it was first checked; null where that was not asked. A lineage keeps its name when that changes.
    """

    etag: str | None = None
    head: Commit | None = None
    chain: list[str] = []
    dated: dict[str, Dated] = {}
    timing: dict[str, str | None] = {}
    is_default: bool | None = None


class Listing(msgspec.Struct):
    """Of a tree, the paths that tell of its roots."""

    tree: str
    paths: list[str]


class Memory:
    """The folder of one branch; none where nothing is to be kept."""

    def __init__(self, folder: Path | None, branch: str) -> None:
        """``branch`` is the repository's address and the ref."""
        self._folder = folder / quote(branch, safe="") if folder else None

    def learnt(self) -> Learnt:
        """What is known; nothing where there is no such file, or a damaged one."""
        return self._read("head.json", Learnt) or Learnt()

    def keep(self, learnt: Learnt) -> None:
        """Write it down."""
        self._write("head.json", learnt)

    def tree(self, commit: str) -> dict[str, str] | None:
        """``path -> blob id`` of a commit; None where it was not kept."""
        return self._read(f"trees/{commit}.json", dict[str, str])

    def keep_tree(self, commit: str, files: dict[str, str]) -> None:
        """Write down what a commit shows."""
        self._write(f"trees/{commit}.json", files)

    def listing(self, tree: str) -> list[str] | None:
        """The paths of a tree that tell of its roots; None where it is not the one kept last."""
        kept = self._read("listing.json", Listing)
        return kept.paths if kept and kept.tree == tree else None

    def keep_listing(self, tree: str, paths: list[str]) -> None:
        """Write them down, in place of another tree's."""
        self._write("listing.json", Listing(tree, paths))

    def keep_trees_of(self, commits: Collection[str]) -> None:
        """Remove those of any other commit: the warehouse holds them by now, or has no use for them."""
        if self._folder is not None:
            for path in (self._folder / "trees").glob("*.json"):
                if path.stem not in commits:
                    path.unlink()

    def _read(self, name: str, shape: type[T]) -> T | None:
        if self._folder is None:
            return None
        try:
            return msgspec.json.decode((self._folder / name).read_bytes(), type=shape)
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def _write(self, name: str, value: object) -> None:
        if self._folder is not None:
            write_once(self._folder / name, msgspec.json.encode(value))
