"""The process that a command runs in: its streams, the signals that end it, the memory that it may have."""

from __future__ import annotations

import codecs
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TextIO

from flows.cli.render import ASCII
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
        stream.reconfigure(encoding="ascii" if stream.isatty() and _takes_ascii_alone() else None, errors=_SPELLED)
    return stream


_SPELLED = "spelled"


def _spelled(error: UnicodeError) -> tuple[str | bytes, int]:
    """What an encoding has no sign for: in signs that it has, where such are usual, else as an escape."""
    if isinstance(error, UnicodeEncodeError):
        known = [ASCII.get(sign) for sign in error.object[error.start : error.end]]
        if all(one is not None for one in known):
            return "".join(one or "" for one in known), error.end
    return codecs.backslashreplace_errors(error)


codecs.register_error(_SPELLED, _spelled)


def _takes_ascii_alone() -> bool:
    """Whether the person's locale is said to be C: Python writes UTF-8 even there."""
    said = next((found for name in ("LC_ALL", "LC_CTYPE", "LANG") if (found := os.environ.get(name))), "")
    return said in ("C", "POSIX") and not os.environ.get("PYTHONIOENCODING")


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
