"""One ingest at a time per home, by a lock that dies with its process (DESIGN.md section 12)."""

from __future__ import annotations

import os
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
                yield
            finally:
                holder.unlink(missing_ok=True)
    except Timeout:
        process = _number_in(holder) or "unknown"
        raise WarehouseError(
            f"{home.root}: another ingest is at work (process {process}); wait for it, or use another KBW_HOME"
        ) from None


def _number_in(holder: Path) -> str:
    """A process' number; empty where there is none, or something else."""
    try:
        found = holder.read_bytes()[:20]
    except FileNotFoundError:
        return ""
    return found.decode("ascii") if found.isdigit() else ""
