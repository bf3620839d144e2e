"""From what a person writes, ``git:PATH@ref``, to a source."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from pathlib import Path

from flows.sources.interface import Source, SourceError
from flows.sources.kinds import SOURCE_KINDS, Opening, SourceKind, SourceOptions, takers, usages
from flows.told import with_remembered_name
from transforms.layout import path_text
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home, WrongUsage
from warehouse.landing import Landing
from warehouse.landing.names import refuse_wrong_name

_NOT_NEEDED = {
    "observed_at": "others know it themselves",
    "root": "the sample keeps its files where upstream does",
    "accept_rewritten": "GitHub is believed without it",
}
"""Why other kinds of source do without an option."""

_ON_DISK = frozenset({"git", "dir"})
_SAYS_ITS_NAME = frozenset({"github", "sample"})


def open_source(
    spec: str,
    home: Home,
    options: SourceOptions | None = None,
    *,
    listener: Callable[[str], None] = lambda words: None,
    remember: bool = True,
) -> Source:
    """Open the source that ``spec`` names; raises SourceError in one line when it cannot be, WrongUsage for
    a name that no lineage can have.

    ``home`` is the warehouse; without ``remember`` nothing is kept in it that would spare the next check its requests.
    ``listener`` hears of progress and of waits. A name that the source was given by hand before is remembered.
    """
    options = options or SourceOptions()
    spec = _at_home(spec)
    kind = next((kind for kind in SOURCE_KINDS.values() if kind.is_meant_by(spec)), None)
    if kind is None:
        raise SourceError(f"{spec}: not a source; there are {usages()}")
    _refuse_foreign_options(spec, kind, options)
    options = with_remembered_name(Landing(home.landing), written(spec), options)
    source = kind.open(spec, options, Opening(home, remember, listener))
    try:
        refuse_wrong_name(source.name)
    except WrongUsage:
        source.close()
        raise
    return source


def each_of(spec: str, options: SourceOptions) -> list[str]:
    """The sources that a person names by one word: every lineage of the sample, each to be opened by itself.

    What is said beside it is said of one lineage: then it stands for the one it opens, upstream's.
    """
    kind = SOURCE_KINDS.get(spec)
    if kind is None or not kind.stands_alone or options != SourceOptions():
        return [spec]
    return [f"{spec}:{lineage}" for lineage in import_module(kind.module).every_lineage()]


def written(spec: str) -> str:
    """A source as a person writes it, the same from whatever folder: a path is told from the root of the disk.

    It is text that can be kept, also where the path is none.
    """
    prefix, colon, rest = _at_home(spec).partition(":")
    return f"{prefix}:{path_text(os.fsencode(Path(rest).resolve()))}" if prefix in _ON_DISK and colon else spec


def _at_home(spec: str) -> str:
    """``git:~/x`` with the user's home in place of the sign, which a shell leaves alone behind the colon."""
    prefix, colon, rest = spec.partition(":")
    if prefix not in _ON_DISK or not colon or not rest.startswith("~"):
        return spec
    return f"{prefix}:{Path(rest).expanduser()}"


def asked_as(spec: str, options: SourceOptions) -> str:
    """How a lineage is asked for: its source as it is written, and what tells it from others of that source."""
    beside = (f" --{option} {value}" for option in ("name", "root") if (value := getattr(options, option)) is not None)
    return "".join([written(spec), *beside])


def presumed_name(spec: str, home: Home, options: SourceOptions) -> str | None:
    """The name of a source's lineage, without opening it: as it was before, else what is said or written.

    None where only the source itself can tell.
    """
    if known := Heartbeat.read(home.heartbeat).named(asked_as(spec, options)):
        return known
    prefix, _, rest = spec.partition(":")
    try:
        name = with_remembered_name(Landing(home.landing), written(spec), options).name
        name = name or (rest if prefix in _SAYS_ITS_NAME else None)
        if name:
            refuse_wrong_name(name)
    except (SourceError, WrongUsage):
        return None
    return name or None


def _refuse_foreign_options(spec: str, kind: SourceKind, options: SourceOptions) -> None:
    nothing = SourceOptions()
    for option in (field.name for field in fields(options) if field.name != "name"):
        if option not in kind.options and getattr(options, option) != getattr(nothing, option):
            flag = f"--{option.replace('_', '-')}"
            raise SourceError(f"{spec}: {flag} is for {takers(option)} sources; {_NOT_NEEDED[option]}")
