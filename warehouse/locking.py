"""One ingest at a time per home, by a lock that dies with its process (DESIGN.md section 12)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from warehouse.files import discard_unfinished
from warehouse.home import Home, WarehouseError


@contextmanager
def only_ingest(home: Home) -> Iterator[None]:
    """Hold the home's lock; raises WarehouseError naming the process that holds it."""
    home.root.mkdir(parents=True, exist_ok=True)
    holder = home.lock.with_suffix(".pid")
    try:
        with FileLock(home.lock, timeout=0):
            killed = _number_in(holder)  # whoever comes to its end takes its number away
            try:
                holder.write_text(str(os.getpid()))
                discard_unfinished(home.root, killed)
                put_in_place(home)
                yield
            finally:
                holder.unlink(missing_ok=True)
    except Timeout:
        process = _number_in(holder) or "unknown"
        raise WarehouseError(
            f"{home.root}: another ingest is at work (process {process}); wait for it, or use another KBW_HOME"
        ) from None


def restoring(home: Home) -> Home:
    """Where a restore unpacks, beside what the home holds."""
    return Home(home.root / ".restoring" / "new")


READY = "ready"
"""Stands beside what was unpacked, once it is whole: where what it replaces is kept, then what is put in place
(``+``) and what goes (``-``)."""


def aside_of(home: Home, aside: str) -> Path:
    """The folder that keeps what a restore replaced."""
    return home.root / aside


def put_in_place(home: Home) -> None:
    """Go on with a restore that was broken off: what is whole takes its place, what is not is removed.

    Each step may have been done before. To be called under the lock.
    """
    staged = restoring(home).root
    if not staged.parent.is_dir():
        return
    try:
        aside, *names = (staged.parent / READY).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        names = []
    for name in names:
        _take_place(staged / name[1:], home.root / name[1:], aside_of(home, aside) / name[1:], gone=name[0] == "-")
    shutil.rmtree(staged.parent)


def _take_place(new: Path, path: Path, aside: Path, *, gone: bool) -> None:
    """Keep ``path`` aside and move ``new`` into its place. A file is there all the time, for those who read it."""
    if not gone and not new.exists():
        return  # it was done before
    if path.exists() and not aside.exists():
        aside.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() or gone:
            path.rename(aside)
        else:
            _second_name(path, aside)
    if not gone:
        new.replace(path)


def _second_name(path: Path, other: Path) -> None:
    """Give a file another name too; where the disk knows no such thing, a copy of that name, whole or not at all."""
    try:
        os.link(path, other)
    except OSError:
        copy = other.with_name(f".{other.name}.copy")
        shutil.copy2(path, copy)
        copy.replace(other)


def _number_in(holder: Path) -> str:
    """A process' number; empty where there is none, or something else."""
    try:
        found = holder.read_bytes()[:20]
    except FileNotFoundError:
        return ""
    return found.decode("ascii") if found.isdigit() else ""
