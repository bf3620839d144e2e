"""Which baselines a person names: those of a host, or of a lock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.given import given_text
from flows.cli.lookup import sources_asked
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from transforms.score.choices import Wish
    from transforms.score.locks import Lock
    from warehouse.database import Reader


def wish_of(reader: Reader, against: str, wish: Wish) -> Wish:
    """A wish for the set that ``HOST[/MODE]`` or ``OWNER/REPO:HOST[/MODE]`` names; ``auto`` names none."""
    if against == "auto":
        return wish
    source, colon, place = against.rpartition(":")
    host, _, mode = place.partition("/")
    if colon:
        (source,) = sources_asked(reader, source)
    return replace(wish, source=source or None, host=host or None, mode=mode or None)


def lock_in(against: str) -> Lock | None:
    """The lock that a person names; none where it is no file. Raises WarehouseError where the file is no lock."""
    from transforms.score.locks import NoLock, read_lock

    if not Path(against).expanduser().is_file():
        return None
    try:
        return read_lock(given_text(against))
    except NoLock as error:
        raise WarehouseError(f"{against}: {error}") from None
