"""Following sources: which they are, open one, ingest it, and remember its thresholds and its failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress

from msgspec.structs import replace

from flows.sequence import Asked, Call, Together, ingest_together
from flows.settings import Followed, read_settings
from flows.sources.interface import SourceError
from flows.sources.kinds import Said
from flows.sources.spec import asked_as, each_of, open_source, presumed_name, written
from flows.steps.beat import note_failure, note_followed, set_thresholds
from flows.steps.workspace import Started
from warehouse.heartbeat import NEVER, Beat, Heartbeat
from warehouse.home import Home, WarehouseError, WrongUsage
from warehouse.locking import only_ingest


def follow(
    home: Home,
    one: Followed,
    call: Call,
    *,
    dry_run: bool = False,
    listener: Callable[[str], None] = lambda words: None,
) -> Together:
    """Bring one source up to date; what a person, a schedule and ``--all`` do alike.

    It is several where one word names them (``sample``). One that cannot even be opened is noted as failing, where it
    is known or listed in the settings.
    """
    with ExitStack() as stack:
        asked = []
        for spec in each_of(one.source, one.options):
            with _failure_to_open_noted(home, one, spec, dry_run=dry_run):
                source = open_source(spec, home, one.options, listener=listener, remember=not dry_run)
            asked.append(Asked(stack.enter_context(closing(source)), Said(written(spec), one.options)))
        try:
            return ingest_together(home, asked, call, dry_run=dry_run)
        finally:
            if not dry_run:
                for each in asked:
                    assert each.said.source is not None
                    _set_thresholds(home, one, each.source.name, asked_as(each.said.source, one.options))


def _set_thresholds(home: Home, one: Followed, source: str, asked: str) -> None:
    with suppress(OSError):  # what was ingested stays so
        set_thresholds(home, source, one.due_after_hours, one.stale_after_hours, asked)


def followed(home: Home, listed: Sequence[Followed] | None = None) -> dict[str, Beat]:
    """The sources that the settings list, by the names of their lineages, as long as nothing is known of them.

    One that was never opened is called as it is written, where that does not say its name.
    """
    beats = {}
    for one in read_settings(home).sources if listed is None else listed:
        for spec in each_of(one.source, one.options):
            name = presumed_name(spec, home, one.options) or spec
            beats[name] = replace(
                NEVER,
                due_after_hours=one.due_after_hours,
                stale_after_hours=one.stale_after_hours,
                asked=asked_as(spec, one.options),
            )
    return beats


def announce(home: Home, listed: Sequence[Followed]) -> None:
    """Note that these are followed, before the first of them is asked; where another ingest is at work, it has."""
    with suppress(WarehouseError, OSError), only_ingest(home):
        note_followed(home, followed(home, listed))


@contextmanager
def _failure_to_open_noted(home: Home, one: Followed, spec: str, *, dry_run: bool) -> Iterator[None]:
    """Note why a source cannot be opened. A slip of the keyboard, which names nothing that is known, is not noted."""
    started = Started.now()
    try:
        yield
    except (SourceError, WrongUsage) as failure:
        listed = one in read_settings(home).sources
        name = presumed_name(spec, home, one.options) or (spec if listed else None)
        if name is not None and not dry_run and (listed or name in Heartbeat.read(home.heartbeat).sources):
            with suppress(WarehouseError, OSError), only_ingest(home):
                note_failure(home, name, failure, started)
                _set_thresholds(home, one, name, asked_as(written(spec), one.options))
        raise
