"""The process that a command runs in: its streams, the signals that end it, the memory that it may have."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TextIO

from warehouse.home import WarehouseError

_ENDS = ("SIGTERM", "SIGHUP")
LEAST_MEMORY = 1_500_000_000
"""Bytes of address space: with less the libraries cannot be loaded, or abort without a word when they ask for more."""


def prepare() -> None:
    """Let the command end in order, whatever way it is ended, and print, whatever its streams can hold.

    Raises WarehouseError where it may use so little memory that it would be aborted in the middle.
    """
    sys.stdout, sys.stderr = _open(sys.stdout), _open(sys.stderr)
    for name in _ENDS:
        number = getattr(signal, name, None)  # some machines have no hang-up
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # what nohup ignores stays ignored
            signal.signal(number, _end)
    _refuse_too_little_memory()


def _end(number: int, _: FrameType | None) -> None:
    """End as after an error, so that temporary folders go; the status is the shell's own for this signal."""
    raise SystemExit(128 + number)


def _open(stream: TextIO | None) -> TextIO:
    """A stream that takes any text: what its encoding has no sign for is written as an escape."""
    if stream is None:  # it was closed by who started the command
        return Path(os.devnull).open("w", encoding="utf-8")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _refuse_too_little_memory() -> None:
    try:
        import resource
    except ImportError:  # no such limits on this machine
        return
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < LEAST_MEMORY:
        raise WarehouseError(
            f"this process may use {allowed // 10**6:,} MB of address space and needs "
            f"{LEAST_MEMORY // 10**6:,} MB; raise the limit with `ulimit -v`"
        )
