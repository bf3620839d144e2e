"""Long answers at a terminal, read page by page as git and gh let people read theirs.

``KBW_PAGER``, else ``PAGER``, else ``less``; with ``LESS=FRX`` where ``LESS`` is not set, so that colours are
understood and what is read stays on the screen. An empty pager, or ``cat``, means none.
"""

from __future__ import annotations

import io
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TextIO

from flows.cli.asked import pager_wanted, wide


class _Held(io.StringIO):
    """Standard output, held back until it is known how long it becomes; it is the terminal to who asks."""

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a StringIO has none
        return self._terminal.encoding


def is_held() -> bool:
    """Whether standard output is being held back: what is said beside it must wait with it."""
    return isinstance(sys.stdout, _Held)


@contextmanager
def paged(wanted: bool = True) -> Iterator[None]:
    """What is printed within goes through the pager, where it is longer than the terminal."""
    terminal = sys.stdout
    if not wanted or not terminal.isatty() or is_held():
        yield
        return
    sys.stdout = held = _Held(terminal)
    try:
        yield
    finally:
        sys.stdout = terminal
        _show(held.getvalue(), terminal)


def _show(text: str, terminal: TextIO) -> None:
    columns, lines = get_terminal_size()
    long = sum(1 + max(len(line) - 1, 0) // max(columns, 1) for line in text.splitlines()) >= lines
    if not (long and pager_wanted() and _through_pager(text, terminal)):
        terminal.write(text)
        terminal.flush()


def _through_pager(text: str, terminal: TextIO) -> bool:
    """Let the pager show it; False where there is none."""
    command = shlex.split(os.environ.get("KBW_PAGER", os.environ.get("PAGER", "less")))
    if not command or command == ["cat"] or os.environ.get("TERM") == "dumb":
        return False
    settings = {"LESS": "FRSX" if wide() else "FRX", "LV": "-c"}
    terminal.flush()
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env={**settings, **os.environ})
    except OSError:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the pager's own, as long as it runs
    try:
        pager.communicate(text.encode(terminal.encoding, errors="backslashreplace"))
    finally:
        signal.signal(signal.SIGINT, before)
    return True
