"""What is at work, said on a terminal while an ingest or a rebuild runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flows.cli.render import note

_DOING = {
    "tidy": "putting the home in order",
    "discover": "looking at the source",
    "fetch": "fetching what is new",
    "plan": "planning",
    "read_timing_part": "reading timing files",
    "read_beside": "reading problem modules",
    "normalise": "binding figures to code, machine and moment",
    "validate": "holding rows to their contracts",
    "publish": "building, checking and publishing the database",
    "beat": "noting that nothing is new",
}


class Progress:
    """Says on a terminal what is at work; of waits also where nobody watches, since they must be explained."""

    def __init__(self, update: Callable[[str], None] | None) -> None:
        self._update = update

    def step(self, name: str) -> None:
        """A step begins."""
        if self._update:
            self._update(_DOING.get(name, name))

    def words(self, words: str) -> None:
        """A source says what it is doing."""
        if self._update:
            self._update(words)
        elif "wait" in words:
            note(words)


@contextmanager
def progress() -> Iterator[Progress]:
    """Of what is done within; silent where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield Progress(None)
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield Progress(status.update)
