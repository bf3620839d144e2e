"""A home is kept in one file, and made again from it: the order of it (``warehouse.backup`` does the writing)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flows.sequence import Call, Outcome, rebuild
from flows.settings import settings_file
from warehouse import backup
from warehouse.home import Home
from warehouse.locking import only_ingest


@dataclass(frozen=True)
class Restored:
    """What a restore did: what was rebuilt, and where that is which the home held before."""

    outcome: Outcome
    aside: Path | None


def keep(home: Home, target: Path) -> backup.Kept:
    """Back up a home, while no ingest is at work in it, with the settings that are in force."""
    backup.refuse_empty(home)
    with only_ingest(home):
        return backup.backup(home, settings_file(home), target, datetime.now(UTC))


def restore(home: Home, archive: Path, call: Call, *, replace: bool) -> Restored:
    """Unpack a backup beside what the home holds, make its database, and let both take the home's place at once."""
    backup.refuse_no_backup(archive)
    if not replace:
        backup.refuse_full(home, archive)
    with only_ingest(home):
        if not replace:
            backup.refuse_full(home, archive)
        try:
            outcome = rebuild(backup.stage(home, archive), call)
            aside = backup.take_place(home, datetime.now(UTC))
        finally:
            backup.discard_staged(home)
    return Restored(outcome, aside)
