"""The kinds of source there are. Adding one is a line here and its module; all that names kinds follows from the line.

Imports none of the modules: the help of ``kbw ingest`` is made from this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from warehouse.home import Home

if TYPE_CHECKING:
    from flows.sources.interface import Source


@dataclass(frozen=True)
class SourceOptions:
    """What a person may say beside a source. Every kind takes a ``name``; of the others each takes those it lists.

    What is said is remembered with the lineage (``warehouse.landing.Told``), and goes for later ingests that say
    nothing; ``change_settings`` lets what is said now, and what is left unsaid, take its place.
    """

    name: str | None = None
    observed_at: str | None = None
    problems: str | None = None
    root: str | None = None
    change_settings: bool = False
    accept_rewritten: bool = False


@dataclass(frozen=True)
class Said:
    """What a person said of a source this time: how it was written, and what beside it."""

    source: str | None = None
    options: SourceOptions = SourceOptions()


NOTHING_SAID = Said()


@dataclass(frozen=True)
class Opening:
    """What a source is opened with, whatever its kind.

    ``home`` is the warehouse; without ``remember`` nothing is kept in it that would spare the next check its requests.
    ``listener`` hears of progress and of waits.
    """

    home: Home
    remember: bool = True
    listener: Callable[[str], None] = lambda words: None


Opener = Callable[[str, SourceOptions, Opening], "Source"]
"""From what follows the prefix to a source; raises SourceError in one line when there can be none."""


@dataclass(frozen=True)
class SourceKind:
    """One kind of source: how a person writes it, the options it takes beside ``name``, how the fetch log calls it.

    ``module`` has ``from_spec``, an Opener, and ``every_lineage`` where the prefix stands alone for several; the
    sources it gives bear ``prefix`` as their ``kind``. ``has_commits`` says that its revisions are commits, each with a
    date of its own, and not the states in which it was found.
    """

    prefix: str
    usage: str
    module: str
    transport: str
    options: tuple[str, ...] = ()
    has_commits: bool = True

    def is_meant_by(self, spec: str) -> bool:
        """Whether a person who writes ``spec`` means this kind."""
        prefix, colon, rest = spec.partition(":")
        return prefix == self.prefix and (bool(rest) or (self.stands_alone and not colon))

    @property
    def stands_alone(self) -> bool:
        """Whether the prefix alone names something: all that the kind has (``flows.sources.spec.each_of``)."""
        return self.usage.partition("[")[0] == self.prefix

    def open(self, spec: str, options: SourceOptions, opening: Opening) -> Source:
        """Open a source of this kind."""
        opener: Opener = import_module(self.module).from_spec
        return opener(spec.partition(":")[2], options, opening)


_OF_EVERY = ("problems", "change_settings")

SOURCE_KINDS: Mapping[str, SourceKind] = {
    kind.prefix: kind
    for kind in (
        SourceKind("sample", "sample[:OWNER/REPO]", "flows.sources.sample", "sample", _OF_EVERY),
        SourceKind("github", "github:OWNER/REPO[@ref]", "flows.sources.github", "github", (*_OF_EVERY, "root")),
        SourceKind("git", "git:PATH[@ref]", "flows.sources.git", "git", (*_OF_EVERY, "root", "accept_rewritten")),
        SourceKind("dir", "dir:PATH", "flows.sources.folder", "folder", (*_OF_EVERY, "root", "observed_at"), False),
    )
}
"""Each kind by its prefix, in the order in which they are told."""

UPSTREAM = "github:ScalingIntelligence/KernelBench"
"""What is ingested where nothing is named."""


def usages() -> str:
    """Every way of writing a source."""
    return ", ".join(kind.usage for kind in SOURCE_KINDS.values())


def takers(option: str) -> str:
    """The prefixes of the kinds that take an option: ``github:, git: and dir:``."""
    *most, last = (f"{kind.prefix}:" for kind in SOURCE_KINDS.values() if option in kind.options)
    return f"{', '.join(most)} and {last}" if most else last
