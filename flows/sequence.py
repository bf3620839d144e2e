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
from typing import Any, Protocol

from flows import garbage, steps
from flows.sources.interface import Source
from flows.steps import Derived, Looked, Place, Published, Started
from transforms.history.reasons import NOT_FETCHED
from warehouse.home import Home, WarehouseError
from warehouse.landing import Landing, Refused
from warehouse.locking import only_ingest


class Call(Protocol):
    """How a step is run."""

    def __call__(self, step: Callable[..., Any], *arguments: Any) -> Any:
        """Run one step and give what it returns."""

    def each(self, step: Callable[..., Any], place: Place, items: Sequence[Any]) -> list[Any]:
        """Run one step for each item, perhaps at once, and give what they return in the items' order."""


class Directly:
    """Steps as plain calls in this process, with a word to the listener before each."""

    def __init__(self, listener: Callable[[str], None] = lambda step: None) -> None:
        self._listener = listener

    def __call__(self, step: Callable[..., Any], *arguments: Any) -> Any:
        """See Call."""
        self._listener(step.__name__)
        return step(*arguments)

    def each(self, step: Callable[..., Any], place: Place, items: Sequence[Any]) -> list[Any]:
        """See Call."""
        self._listener(step.__name__)
        return [step(place, item) for item in items]


class Timed:
    """A way of running steps, with the seconds that each took."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.seconds: dict[str, float] = {}

    def __call__(self, step: Callable[..., Any], *arguments: Any) -> Any:
        """See Call."""
        began = time.perf_counter()
        try:
            return self._call(step, *arguments)
        finally:
            self._add(step, began)

    def each(self, step: Callable[..., Any], place: Place, items: Sequence[Any]) -> list[Any]:
        """See Call."""
        began = time.perf_counter()
        try:
            return self._call.each(step, place, items)
        finally:
            self._add(step, began)

    def _add(self, step: Callable[..., Any], began: float) -> None:
        self.seconds[step.__name__] = self.seconds.get(step.__name__, 0) + time.perf_counter() - began


@dataclass(frozen=True)
class Outcome:
    """What an ingest did. ``published`` null: there was nothing new, or it was a rehearsal of nothing.

    ``requests`` were sent to the source; ``seconds`` are those of each step, publishing among them.
    """

    source: str | None
    looked: Looked | None
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
def ingest(home: Home, source: Source, call: Call, *, dry_run: bool = False) -> Outcome:
    """Bring one source up to date: look, fetch, read, normalise, validate, publish.

    A dry run does all of it in a temporary folder beside nothing that is kept.
    """
    if not dry_run:
        with only_ingest(home):
            call(steps.tidy, home)
            started = Started.now()
            try:
                return _ingest(Place.real(home), source, call, started)
            except Exception as error:
                with suppress(OSError):
                    steps.note_failure(home, source.name, error, started)
                raise
    with tempfile.TemporaryDirectory(prefix="kbw-dry-run-") as scratch:
        return _ingest(Place.rehearsal(home, Home(Path(scratch))), source, call, Started.now())


def _ingest(place: Place, source: Source, call: Call, started: Started) -> Outcome:
    timed = Timed(call)
    outcome = _timed_ingest(place, source, timed, started)
    return replace(outcome, requests=sum(source.requests_made.values()), seconds=timed.seconds)


def _timed_ingest(place: Place, source: Source, call: Timed, started: Started) -> Outcome:
    looked: Looked = call(steps.look, place, source)
    if looked.unchanged:
        if place.home == place.base:
            call(steps.beat, place, looked, started)
        return Outcome(source.name, looked, (), None)
    landed = call(steps.fetch, place, source, looked, started)
    if looked.current and not looked.wanting.keys() & set(landed.blobs):
        if place.home == place.base:
            call(steps.beat, place, looked, started)
        return Outcome(source.name, looked, (), None, tuple(landed.refused.values()))
    derived = _derive(place, call, call(steps.plan, place, looked, landed))
    published = call(steps.publish, place, derived, looked, landed, started, call.seconds)
    return Outcome(source.name, looked, derived, published)


@garbage.looked_for_rarely()
def rebuild(home: Home, call: Call) -> Outcome:
    """Make the whole database again from landing alone."""
    with only_ingest(home):
        place = Place.real(home)
        if not Landing(home.landing).lineages():
            raise WarehouseError(f"{home.root}: nothing has landed; ingest a source first, e.g. `kbw ingest sample`")
        derived = _derive(place, call, call(steps.plan, place, None, None))
        published = call(steps.publish, place, derived, None, None, Started.now(), {})
    return Outcome(None, None, derived, published)


def _derive(place: Place, call: Call, plans: Sequence[steps.Plan]) -> tuple[Derived, ...]:
    derived = []
    for planned in plans:
        parts = call.each(steps.read_timing_part, place, steps.timing_parts(place, planned))
        read = call(steps.read_beside, place, planned, parts)
        derived.append(call(steps.validate, planned, read, call(steps.normalise, planned, read)))
    return tuple(derived)
