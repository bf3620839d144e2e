"""One ingest at a time per home, by a lock that dies with its process (DESIGN.md section 12)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

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
            if holder.exists():  # whoever held the lock before was killed
                discard_unfinished(home.root, holder.read_text())
            holder.write_text(str(os.getpid()))
            try:
                yield
            finally:
                holder.unlink(missing_ok=True)
    except Timeout:
        process = holder.read_text() if holder.exists() else "unknown"
        raise WarehouseError(
            f"{home.root}: another ingest is at work (process {process}); wait for it, or use another KBW_HOME"
        ) from None
