"""The ``kbw`` command."""

from flows.cli.app import main

__all__ = ["main"]
