"""The order of an ingest's steps, written once (DESIGN.md section 13).

Here each step is simply called; the Prefect flow passes a ``Call`` that runs each as a task.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ParamSpec, Protocol, TypeVar

from flows import garbage
from flows.sources.interface import Source
from flows.sources.kinds import NOTHING_SAID, Said
from flows.steps.beat import beat, note_failure
from flows.steps.discover import Discovered, discover
from flows.steps.fetch import fetch
from flows.steps.normalise import normalise
from flows.steps.plan import Plan, plan
from flows.steps.publish import Published, publish
from flows.steps.read import read_beside, read_timing_part, timing_parts
from flows.steps.tidy import tidy
from flows.steps.validate import Derived, validate
from flows.steps.workspace import Started, Workspace
from transforms.history.reasons import NOT_FETCHED
from warehouse.home import Home, WarehouseError
from warehouse.landing import Landing, Refused
from warehouse.locking import only_ingest

P = ParamSpec("P")
"""What a step takes."""
R = TypeVar("R")
"""What it returns."""
Item = TypeVar("Item")


class Call(Protocol):
    """How a step is run."""

    def __call__(self, step: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """Run one step and give what it returns."""

    def each(self, step: Callable[[Workspace, Item], R], workspace: Workspace, items: Sequence[Item]) -> list[R]:
        """Run one step for each item, perhaps at once, and give what they return in the items' order."""


class Directly:
    """Steps as plain calls in this process, with a word to the listener before each."""

    def __init__(self, listener: Callable[[str], None] = lambda step: None) -> None:
        self._listener = listener

    def __call__(self, step: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """See Call."""
        self._listener(step.__name__)
        return step(*arguments, **named)

    def each(self, step: Callable[[Workspace, Item], R], workspace: Workspace, items: Sequence[Item]) -> list[R]:
        """See Call."""
        self._listener(step.__name__)
        return [step(workspace, item) for item in items]


class Timed:
    """A way of running steps, with the seconds that each took."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.seconds: dict[str, float] = {}

    def __call__(self, step: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """See Call."""
        began = time.perf_counter()
        try:
            return self._call(step, *arguments, **named)
        finally:
            self._add(step.__name__, began)

    def each(self, step: Callable[[Workspace, Item], R], workspace: Workspace, items: Sequence[Item]) -> list[R]:
        """See Call."""
        began = time.perf_counter()
        try:
            return self._call.each(step, workspace, items)
        finally:
            self._add(step.__name__, began)

    def _add(self, step: str, began: float) -> None:
        self.seconds[step] = self.seconds.get(step, 0) + time.perf_counter() - began


@dataclass(frozen=True)
class Outcome:
    """What an ingest did. ``published`` null: there was nothing new, or it was a rehearsal of nothing.

    ``requests`` were sent to the source; ``seconds`` are those of each step, publishing among them.
    """

    discovered: Discovered | None
    derived: tuple[Derived, ...]
    published: Published | None
    still_refused: tuple[Refused, ...] = ()
    requests: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def refused_files(self) -> list[tuple[str, str]]:
        """(path, reason) of the files that were refused."""
        again = [(refused.path, NOT_FETCHED) for refused in self.still_refused]
        return [refused for one in self.derived for refused in one.refused_files] + again


@garbage.looked_for_rarely()
def ingest(home: Home, source: Source, call: Call, said: Said = NOTHING_SAID, *, dry_run: bool = False) -> Outcome:
    """Bring one source up to date: discover, fetch, read, normalise, validate, publish.

    What is ``said`` of the source is remembered with its lineage, and held beside what was said before.
    A dry run does all of it in a temporary folder beside nothing that is kept.
    """
    if not dry_run:
        with only_ingest(home):
            call(tidy, home)
            started = Started.now()
            try:
                return _ingest(Workspace.real(home), source, call, said, started)
            except Exception as error:
                with suppress(OSError):
                    note_failure(home, source.name, error, started)
                raise
    with tempfile.TemporaryDirectory(prefix="kbw-dry-run-") as scratch:
        return _ingest(Workspace.rehearsal(home, Home(Path(scratch))), source, call, said, Started.now())


def _ingest(workspace: Workspace, source: Source, call: Call, said: Said, started: Started) -> Outcome:
    timed = Timed(call)
    outcome = _timed_ingest(workspace, source, timed, said, started)
    return replace(outcome, requests=sum(source.requests_made.values()), seconds=timed.seconds)


def _timed_ingest(workspace: Workspace, source: Source, call: Timed, said: Said, started: Started) -> Outcome:
    discovered = call(discover, workspace, source, said)
    if discovered.unchanged:
        if workspace.is_real:
            call(beat, workspace, discovered, started)
        return Outcome(discovered, (), None)
    landed = call(fetch, workspace, source, discovered, started)
    if discovered.current and not discovered.wanting.keys() & set(landed.blobs):
        if workspace.is_real:
            call(beat, workspace, discovered, started)
        return Outcome(discovered, (), None, tuple(landed.refused.values()))
    derived = _derive(workspace, call, call(plan, workspace, discovered, landed))
    published = call(publish, workspace, derived, discovered, landed, started, call.seconds)
    return Outcome(discovered, derived, published)


@garbage.looked_for_rarely()
def rebuild(home: Home, call: Call) -> Outcome:
    """Make the whole database again from landing alone."""
    with only_ingest(home):
        workspace = Workspace.real(home)
        if not Landing(home.landing).lineages():
            raise WarehouseError(f"{home.root}: nothing has landed; ingest a source first, e.g. `kbw ingest sample`")
        derived = _derive(workspace, call, call(plan, workspace, None, None))
        published = call(publish, workspace, derived, None, None, Started.now(), {})
    return Outcome(None, derived, published)


def _derive(workspace: Workspace, call: Call, plans: Sequence[Plan]) -> tuple[Derived, ...]:
    derived = []
    for planned in plans:
        parts = call.each(read_timing_part, workspace, timing_parts(workspace, planned))
        read = call(read_beside, workspace, planned, parts)
        derived.append(call(validate, planned, read, call(normalise, planned, read)))
    return tuple(derived)
