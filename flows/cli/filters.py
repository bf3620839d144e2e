"""What a filter means is the same for every command: host, GPU, mode, level, family, source, reason.

Case, hyphens, underscores and blanks do not count; what is called by other names, too, may be called so. What names
nothing in the warehouse is wrong usage, not an empty answer: with the nearest names, and the command that lists all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from flows.cli.reasons import REASONS
from warehouse.home import WrongUsage

if TYPE_CHECKING:
    from warehouse.database import Reader

_NEAREST = 3
_ALIKE = 0.45
"""Of difflib's ratio: a name with two wrong letters of five is still found."""

_SHORT_LIST = 3

LISTED_BY = {
    "source": "kbw sources",
    "host": 'kbw sql "select distinct host, host_title from environments order by all"',
    "gpu": 'kbw sql "select distinct hardware, product from environments order by all"',
    "mode": 'kbw sql "select mode, title from implementations semi join runs using (mode)"',
    "level": 'kbw sql "select level from problems union select level from runs order by all"',
    "family": 'kbw sql "select distinct family from workloads order by all"',
    "reason": "kbw stale --help",
    "topic": "kbw docs",
}
"""The command that lists everything that a filter can be set to."""


class Known:
    """What one filter can be set to: values, and the other ways in which each is spelled."""

    def __init__(self, kind: str, spellings: Mapping[str, Collection[str]]) -> None:
        self._kind = kind
        self.spellings = spellings

    @property
    def values(self) -> list[str]:
        """Every value that there is."""
        return list(self.spellings)

    def meant(self, wanted: str) -> str:
        """The value that a person means; raises WrongUsage where there is none, or are several."""
        found = self._of(wanted)
        if len(found) == 1:
            return found[0]
        if found:
            raise WrongUsage(f"{wanted}: {len(found)} {_plural(self._kind)} are called so: {', '.join(found)}")
        near = self.near(wanted)
        words = f"did you mean {either(near)}? All" if near else "all"
        raise WrongUsage(
            f"{wanted}: no such {_NAMES.get(self._kind, self._kind)}; {words} {_plural(self._kind)}: "
            f"{LISTED_BY[self._kind]}"
        )

    def knows(self, wanted: str) -> bool:
        """Whether anything is called so."""
        return bool(self._of(wanted))

    def _of(self, wanted: str) -> list[str]:
        """Those so called: to the letter; else but for case and signs; else by another name."""
        if wanted in self.spellings:
            return [wanted]
        key = _key(wanted)
        same = [value for value in self.spellings if _key(value) == key]
        return same or [value for value, names in self.spellings.items() if key in map(_key, names)]

    def near(self, wanted: str) -> list[str]:
        """The values that are spelled most like it; where none is, those of a short list."""
        said = {_key(name): value for value, names in self.spellings.items() for name in (*self._parts(names), value)}
        keys = get_close_matches(_key(wanted), said, n=2 * _NEAREST, cutoff=_ALIKE)
        near = list(dict.fromkeys(said[key] for key in keys)) or list(self.spellings)
        return near[:_NEAREST] if keys or len(near) <= _SHORT_LIST else []

    def _parts(self, names: Collection[str]) -> Iterable[str]:
        return names


class KnownGpus(Known):
    """GPUs are filtered by words in their names, so that one word may mean several."""

    def meant(self, wanted: str) -> str:
        """What of a name is asked for, as ``sql/functions/names_gpu.sql`` finds it; raises WrongUsage as above."""
        if any(wanted.lower() in " ".join(names).lower() for names in self.spellings.values()):
            return wanted
        return super().meant(wanted)

    def _parts(self, names: Collection[str]) -> Iterable[str]:
        return (word for name in names for word in name.split())

    def _of(self, wanted: str) -> list[str]:
        words = [_key(word) for word in re.findall(r"\w+", wanted)]
        return [
            value
            for value, names in self.spellings.items()
            if words and all(word in _key(" ".join(names)) for word in words)
        ]


def chosen(reader: Reader, **wanted: str | None) -> dict[str, str | None]:
    """Filters as queries take them, by their kinds: what was given in the warehouse's own spelling, else None.

    Raises WrongUsage for the first that names nothing, or several.
    """
    if not any(wanted.values()):
        return wanted
    known = known_values(reader)
    return {kind: None if name is None else known[kind].meant(name) for kind, name in wanted.items()}


def known_values(reader: Reader) -> dict[str, Known]:
    """What each filter can be set to in this warehouse."""
    rows = reader.query("filter_values").records()
    found: dict[str, dict[str, list[str]]] = {kind: {} for kind in LISTED_BY}
    for row in rows:
        found[row["kind"]][row["value"]] = [name for name in row["spellings"] if name]
    return {kind: (KnownGpus if kind == "gpu" else Known)(kind, values) for kind, values in found.items()}


def reason_meant(wanted: str | None, reasons: Iterable[str] = REASONS) -> str | None:
    """The reason of staleness that a person means; raises WrongUsage where there is none."""
    return None if wanted is None else Known("reason", dict.fromkeys(reasons, ())).meant(wanted)


_NAMES = {"gpu": "GPU"}


def _plural(kind: str) -> str:
    return "families" if kind == "family" else f"{_NAMES.get(kind, kind)}s"


def either(names: list[str]) -> str:
    """``A``, ``A or B``, ``A, B or C``."""
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _key(name: str) -> str:
    """What of a name counts: letters and digits."""
    return re.sub(r"[\W_]+", "", name).lower()
