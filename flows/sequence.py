"""The order of an ingest's steps, written once (DESIGN.md section 13).

Here each step is simply called; the Prefect flow passes a ``Call`` that runs each as a task.
"""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Protocol, TypeVar

from flows import garbage
from flows.sources.interface import Source, SourceError
from flows.sources.kinds import NOTHING_SAID, Said
from flows.sources.spec import asked_as
from flows.steps.beat import beat, note_failure
from flows.steps.discover import Discovered, discover
from flows.steps.fetch import LandedSource, begins_anew, fetch
from flows.steps.normalise import normalise
from flows.steps.plan import Wanted, plan, wanted
from flows.steps.publish import Published, publish
from flows.steps.read import read_beside, read_timing_part, timing_parts
from flows.steps.tidy import tidy
from flows.steps.validate import Derived, validate
from flows.steps.workspace import Started, Workspace
from transforms.history.reasons import NOT_FETCHED
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home, WarehouseError, in_one_line
from warehouse.landing import Landing, Refused
from warehouse.locking import only_ingest

if TYPE_CHECKING:
    from warehouse.publish import Changes

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


class NotDerived(SourceError):
    """The rows of a lineage could not be made: it is left out, or stays as it was published; no other is stopped."""

    def __init__(self, source: str, error: BaseException) -> None:
        told = isinstance(error, SourceError | WarehouseError)
        words = in_one_line(error) if told else f"{type(error).__name__}: {in_one_line(error)}"
        super().__init__(f"{source}: nothing new of it was published: {words.removeprefix(f'{source}: ')}")
        self.source = source
        self.__cause__ = error


@dataclass(frozen=True)
class Outcome:
    """What an ingest did. ``published`` null: there was nothing new, or it was a rehearsal of nothing.

    ``derived`` is what was derived of the source; where the database was made anew, that of the sources which nobody
    asked stands with the first, and so do those of them which could not be derived, ``left_out``. ``published`` is of
    all that were published together, and so are ``seconds``, those of each step. ``requests`` were sent to the source.
    """

    discovered: Discovered | None
    derived: tuple[Derived, ...]
    published: Published | None
    still_refused: tuple[Refused, ...] = ()
    requests: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    left_out: tuple[NotDerived, ...] = ()

    @property
    def refused_files(self) -> list[tuple[str, str]]:
        """(path, reason) of the files that were refused."""
        again = [(refused.path, NOT_FETCHED) for refused in self.still_refused]
        return [refused for one in self.derived for refused in one.refused_files] + again


@dataclass(frozen=True)
class Asked:
    """A source that is to be brought up to date, and what was said of it."""

    source: Source
    said: Said = NOTHING_SAID


@dataclass(frozen=True)
class Together:
    """What became of sources that were asked together: an outcome of each that could be read, why the others not."""

    outcomes: list[Outcome]
    failures: list[SourceError | WarehouseError]

    @property
    def of_several(self) -> bool:
        """Whether more than one source was asked."""
        return len(self.outcomes) + len(self.failures) > 1

    @property
    def only(self) -> Outcome:
        """The outcome of the one source that was asked; raises why it could not be read."""
        for failure in self.failures:
            raise failure
        (outcome,) = self.outcomes
        return outcome


def ingest(home: Home, source: Source, call: Call, said: Said = NOTHING_SAID, *, dry_run: bool = False) -> Outcome:
    """Bring one source up to date: discover, fetch, read, normalise, validate, publish.

    What is ``said`` of the source is remembered with its lineage, and held beside what was said before.
    A dry run does all of it in a temporary folder beside nothing that is kept.
    """
    return ingest_together(home, [Asked(source, said)], call, dry_run=dry_run).only


@garbage.looked_for_rarely()
def ingest_together(home: Home, asked: Sequence[Asked], call: Call, *, dry_run: bool = False) -> Together:
    """Bring sources up to date and publish once what is new of all of them.

    Each is asked and lands by itself: one that cannot be read stops no other.
    """
    if not dry_run:
        with only_ingest(home):
            call(tidy, home)
            return _ingest(Workspace.real(home), asked, call)
    with tempfile.TemporaryDirectory(prefix="kbw-dry-run-") as scratch:
        return _ingest(Workspace.rehearsal(home, Home(Path(scratch))), asked, call)


def _ingest(workspace: Workspace, asked: Sequence[Asked], call: Call) -> Together:
    timed = Timed(call)
    landed: list[tuple[LandedSource, Source]] = []
    failures: list[SourceError | WarehouseError] = []
    for each in asked:
        try:
            landed.append((_land(workspace, each, timed), each.source))
        except (SourceError, WarehouseError) as failure:
            failures.append(failure)
    for one, _ in landed:
        if workspace.is_real and not one.is_news:
            timed(beat, workspace, one.discovered, one.started)
    news = [one for one, _ in landed if one.is_news]
    made = _publish(workspace, timed, news) if news else Made()
    failed = {failure.source: failure for failure in made.failures}
    outcomes = [
        Outcome(
            discovered=one.discovered,
            derived=_of(one, news, made.derived),
            published=made.published if one.is_news else None,
            still_refused=one.still_refused,
            requests=sum(source.requests_made.values()),
            seconds=timed.seconds,
        )
        for one, source in landed
        if one.discovered.source not in failed
    ]
    failures += [failed.pop(one.discovered.source) for one, _ in landed if one.discovered.source in failed]
    if outcomes:
        outcomes[0] = replace(outcomes[0], left_out=tuple(failed.values()))
    else:
        failures += failed.values()
    return Together(outcomes, failures)


def _of(one: LandedSource, news: Sequence[LandedSource], derived: Sequence[Derived]) -> tuple[Derived, ...]:
    """What was derived of a source; with the first that has news, also what nobody asked."""
    if one not in news:
        return ()
    asked = {each.discovered.source for each in news}
    own = one.discovered.source
    return tuple(each for each in derived if each.source == own or (one is news[0] and each.source not in asked))


def _land(workspace: Workspace, asked: Asked, call: Timed) -> LandedSource:
    """Ask one source and land what is new of it. That it failed is noted beside what is known of it."""
    started = Started.now()
    with _failure_noted(workspace, asked, started):
        discovered = call(discover, workspace, asked.source, asked.said)
        landed = None if discovered.unchanged else call(fetch, workspace, asked.source, discovered, started)
    return LandedSource(discovered, landed, started)


@dataclass(frozen=True)
class Made:
    """The rows that were made, of which sources, and what publishing them changed; and of which they could not be."""

    derived: tuple[Derived, ...] = ()
    published: Published | None = None
    failures: tuple[NotDerived, ...] = ()


def _publish(workspace: Workspace, call: Timed, news: Sequence[LandedSource]) -> Made:
    """Make the rows of all that has news, or, where the database must be made anew, of all, and publish once.

    A source whose rows cannot be made, or which the database refuses, stops no other. It is noted at the end: what is
    published is noted before, and where it was made anew, nothing is known of the others any more.
    """
    started = news[0].started if news else Started.now()
    derived: list[Derived] = []
    failures = list(_lost(workspace)) if begins_anew(news) else []
    for one in wanted(workspace, news):
        try:
            derived.append(_derive(workspace, call, one))
        except BaseException as error:
            if not _is_of_rows(error):
                raise
            failures.append(NotDerived(one.source, error))
    published = None
    if derived:
        published, refused = _publish_what_can_be(workspace, call, derived, news, started)
        derived = [one for one in derived if one.source not in {failure.source for failure in refused}]
        failures += refused
    if workspace.is_real:
        for failure in failures:
            note_failure(workspace.home, failure.source, failure, started)
    return Made(tuple(derived), published, tuple(failures))


def _lost(workspace: Workspace) -> Iterator[NotDerived]:
    """The lineages that were published, and of which landing cannot tell any more what they showed."""
    beats = Heartbeat.read(workspace.base.heartbeat)
    for source in workspace.landing.lost():
        if beats.of(source).revisions:  # else its first ingest was broken off
            yield NotDerived(source, WarehouseError("its lineage is lost from landing, or damaged; ingest it again"))


def _publish_what_can_be(
    workspace: Workspace, call: Timed, derived: Sequence[Derived], news: Sequence[LandedSource], started: Started
) -> tuple[Published, list[NotDerived]]:
    """Publish all together; where the database refuses that, one after the other, so that only those at fault lack."""
    anew = begins_anew(news)

    def tried(some: Sequence[Derived], *, anew: bool) -> Published | Exception:
        try:
            return call(publish, workspace, some, news, started, call.seconds, anew=anew)
        except OSError:  # a full disk is nobody's fault
            raise
        except Exception as error:
            return error

    together = tried(derived, anew=anew)
    if isinstance(together, Published):
        return together, []
    changes: dict[str, Changes] = {}
    failures: list[NotDerived] = []
    for one in derived if len(derived) > 1 else ():
        alone = tried([one], anew=anew and not changes)
        if isinstance(alone, Published):
            changes |= alone.changes
        else:
            failures.append(NotDerived(one.source, alone))
    if not changes:
        raise together
    return Published(changes), failures


def _is_of_rows(error: BaseException) -> bool:
    """Whether the rows are at fault, not a person who broke off. Polars gives a panic of its own, no Exception."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


@contextmanager
def _failure_noted(workspace: Workspace, asked: Asked, started: Started) -> Iterator[None]:
    """Note what a source that is asked fails with, under its name, where it has come to say that, or had before."""
    try:
        yield
    except Exception as error:
        if workspace.is_real and not _is_of_this_machine(error, workspace.home):
            said = asked.said.source
            known = Heartbeat.read(workspace.home.heartbeat).named(asked_as(said, asked.said.options)) if said else None
            with suppress(OSError):
                note_failure(workspace.home, known or asked.source.name, error, started)
        raise


_FAULTS_OF_THE_MACHINE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)


def _is_of_this_machine(error: BaseException, home: Home) -> bool:
    """Whether the disk, the memory or the home is at fault, and not the source that was being asked."""
    if not isinstance(error, OSError):
        return isinstance(error, MemoryError)
    at_home = isinstance(error.filename, str | os.PathLike) and Path(error.filename).is_relative_to(home.root)
    return error.errno in _FAULTS_OF_THE_MACHINE or at_home


@garbage.looked_for_rarely()
def rebuild(home: Home, call: Call) -> Outcome:
    """Make the whole database again from landing alone."""
    with only_ingest(home):
        workspace = Workspace.real(home)
        _refuse_nothing(home)
        made = _publish(workspace, Timed(call), ())
    if made.published is None:
        raise made.failures[0]
    return Outcome(None, made.derived, made.published, left_out=made.failures)


def _refuse_nothing(home: Home) -> None:
    landing = Landing(home.landing)
    if landing.lineages():
        return
    if lost := landing.lost():
        raise WarehouseError(f"{home.root}: no lineage that landed can be read; ingest again: {', '.join(lost)}")
    raise WarehouseError(f"{home.root}: nothing has landed; ingest a source first, e.g. `kbw ingest sample`")


def _derive(workspace: Workspace, call: Call, one: Wanted) -> Derived:
    planned = call(plan, workspace, one)
    parts = call.each(read_timing_part, workspace, timing_parts(workspace, planned))
    read = call(read_beside, workspace, planned, parts)
    return call(validate, planned, read, call(normalise, planned, read))
