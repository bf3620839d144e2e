"""Following one source: open it, ingest it, and remember its thresholds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing

from flows.sequence import Asked, Call, Together, ingest_together
from flows.settings import Followed
from flows.sources.kinds import Said
from flows.sources.spec import each_of, open_source, written
from flows.steps.beat import set_thresholds
from warehouse.home import Home


def follow(
    home: Home,
    one: Followed,
    call: Call,
    *,
    dry_run: bool = False,
    listener: Callable[[str], None] = lambda words: None,
) -> Together:
    """Bring one source up to date; what a person, a schedule and ``--all`` do alike.

    It is several where one word names them (``sample``).
    """
    with ExitStack() as stack:
        asked = []
        for spec in each_of(one.source, one.options):
            source = open_source(spec, home, one.options, listener=listener, remember=not dry_run)
            asked.append(Asked(stack.enter_context(closing(source)), Said(written(spec), one.options)))
        done = ingest_together(home, asked, call, dry_run=dry_run)
        if not dry_run:
            for source in (each.source for each in asked):
                set_thresholds(home, source.name, one.due_after_hours, one.stale_after_hours)
    return done
