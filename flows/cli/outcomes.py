"""What an ingest or a rebuild did, as its command says it and ends with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.cli.exits import FOUND_SOMETHING
from flows.cli.render import note

if TYPE_CHECKING:
    from flows.sequence import Outcome


def counts_by_source(outcome: Outcome) -> dict[str, dict[str, int]]:
    """What was published, by source; empty where nothing was."""
    published = outcome.published
    return {source: dict(changes.counts) for source, changes in published.changes.items()} if published else {}


def note_refused(outcome: Outcome) -> None:
    """Name the files that were refused."""
    for path, reason in outcome.refused_files:
        note(f"refused {path}: {reason}")


def status_of(outcome: Outcome) -> int:
    """Exit status 3 where a file was refused; an entry that upstream left unmeasured is normal."""
    return FOUND_SOMETHING if outcome.refused_files else 0
