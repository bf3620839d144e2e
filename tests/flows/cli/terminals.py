"""A command at a real terminal of some width: what a person sees."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass

from tests.conftest import ROOT

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Seen:
    """What stood on the screen, styles left out, and how the command ended."""

    status: int
    text: str

    @property
    def widest(self) -> int:
        """Of its lines."""
        return max(map(len, self.text.splitlines()), default=0)


def seen(*arguments: object, columns: int = 80, lines: int = 1000, **environment: str) -> Seen:
    """Run ``kbw`` at a terminal; with a thousand lines nothing is paged."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    own = {key: value for key, value in os.environ.items() if not key.startswith(("KBW_", "PREFECT_", "LC_", "LESS"))}
    own = {key: value for key, value in own.items() if key not in ("COLUMNS", "LINES", "PAGER", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "flows", *map(str, arguments)],
        cwd=ROOT,
        env={**own, "TERM": "xterm", "LANG": "C.UTF-8", **environment},
        stdin=other,
        stdout=other,
        stderr=other,
    )
    os.close(other)
    found = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # so a terminal without its other end answers
            break
        if not piece:
            break
        found += piece
    os.close(main)
    text = _STYLE.sub("", found.decode(errors="backslashreplace")).replace("\r\n", "\n")
    return Seen(process.wait(timeout=60), text)
