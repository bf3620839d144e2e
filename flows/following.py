"""Following one source: open it, ingest it, and remember its thresholds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from flows.sequence import Call, Outcome, ingest
from flows.settings import Followed
from flows.sources.kinds import Said
from flows.sources.spec import open_source, written
from flows.steps.beat import set_thresholds
from warehouse.home import Home


def follow(
    home: Home,
    one: Followed,
    call: Call,
    *,
    dry_run: bool = False,
    listener: Callable[[str], None] = lambda words: None,
) -> Outcome:
    """Bring one source up to date; what a person, a schedule and ``--all`` do alike."""
    said = Said(written(one.source), one.options)
    with closing(open_source(one.source, home, one.options, listener=listener, remember=not dry_run)) as source:
        outcome = ingest(home, source, call, said, dry_run=dry_run)
        if not dry_run:
            set_thresholds(home, source.name, one.due_after_hours, one.stale_after_hours)
    return outcome
