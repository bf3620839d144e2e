"""Writing files so that a reader, or the next start after a kill, never sees half of one."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

_FEW = 32
"""So many files are flushed one by one, each in a millisecond or so; for more it is quicker to flush the whole disk."""


def flush_all(paths: Collection[Path], below: Path) -> None:
    """Put files on disk, and the folders that name them up to ``below``, before going on.

    A thousand files are flushed by one call for everything that waits (30 ms where each by itself takes 1.5 s, eight
    at once 100 ms); where others write much it waits for them too, and so a few files are flushed by themselves.
    """
    if len(paths) > _FEW:
        os.sync()
        return
    folders = {folder for path in paths for folder in path.parents if folder.is_relative_to(below)}
    for path in (*paths, *folders):
        flush_to_disk(path)


def write_once(path: Path, data: bytes, move: Callable[[Path, Path], object] = Path.replace) -> None:
    """Write ``path`` under a temporary name and ``move`` it into place.

    Not flushed to disk by itself: see ``flush_all``, and ``replace_durably`` for what must be there on return.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _write(temporary, data)
        move(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def discard_unfinished(folder: Path, process: str) -> None:
    """Remove the temporary files that a process left which was killed while it wrote below ``folder``."""
    if process.isdecimal():
        for leftover in folder.rglob(f".*.{process}"):
            leftover.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def flush_to_disk(path: Path) -> None:
    """Ask the operating system to put a file or folder on disk before going on."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_durably(temporary: Path, path: Path) -> None:
    """Flush ``temporary``, move it over ``path`` in one step, and flush the folder that names it."""
    flush_to_disk(temporary)
    temporary.replace(path)
    flush_to_disk(path.parent)
