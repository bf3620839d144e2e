"""Writing files so that a reader, or the next start after a kill, never sees half of one."""

from __future__ import annotations

import os
from pathlib import Path


def write_once(path: Path, data: bytes) -> None:
    """Write ``path`` under a temporary name and move it into place.

    Not flushed to disk: what must survive a power cut is checked against its id when it is read back.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _write(temporary, data)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    temporary.replace(path)


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
