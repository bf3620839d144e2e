"""The ``kbw`` command."""

from __future__ import annotations

import os

__all__ = ["main"]


def main() -> None:
    """Run ``kbw`` and end with its exit status; what it consists of is loaded here, where Ctrl-C is understood."""
    try:
        from flows.cli.app import main as start

        start()
    except KeyboardInterrupt:  # before the command could take it over
        os.write(2, b"kbw: interrupted; run it again to go on\n")
        os._exit(130)
