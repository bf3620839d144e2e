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
    """What a person may say beside a source. Every kind takes a ``name``; of the others each takes those it lists."""

    name: str | None = None
    observed_at: str | None = None
    problems: str | None = None
    accept_rewritten: bool = False


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

    ``module`` has ``from_spec``, an Opener; the sources it gives bear ``prefix`` as their ``kind``.
    """

    prefix: str
    usage: str
    module: str
    transport: str
    options: tuple[str, ...] = ()

    def is_meant_by(self, spec: str) -> bool:
        """Whether a person who writes ``spec`` means this kind."""
        prefix, _, rest = spec.partition(":")
        return prefix == self.prefix and bool(rest) if ":" in self.usage else spec == self.usage

    def open(self, spec: str, options: SourceOptions, opening: Opening) -> Source:
        """Open a source of this kind."""
        opener: Opener = import_module(self.module).from_spec
        return opener(spec.partition(":")[2], options, opening)


SOURCE_KINDS: Mapping[str, SourceKind] = {
    kind.prefix: kind
    for kind in (
        SourceKind("sample", "sample", "flows.sources.sample", "sample"),
        SourceKind("github", "github:OWNER/REPO[@ref]", "flows.sources.github", "github"),
        SourceKind("git", "git:PATH[@ref]", "flows.sources.git", "git", ("accept_rewritten",)),
        SourceKind("dir", "dir:PATH", "flows.sources.folder", "folder", ("observed_at", "problems")),
    )
}
"""Each kind by its prefix, in the order in which they are told."""

UPSTREAM = "github:ScalingIntelligence/KernelBench"
"""What is ingested where nothing is named."""


def usages() -> str:
    """Every way of writing a source."""
    return ", ".join(kind.usage for kind in SOURCE_KINDS.values())


def takers(option: str) -> str:
    """The prefixes of the kinds that take an option: ``dir:``."""
    return " and ".join(f"{kind.prefix}:" for kind in SOURCE_KINDS.values() if option in kind.options)
