"""The SQL of the warehouse: read from the ``sql`` package, put in dependency order by the files' own headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files

_READS = re.compile(r"^-- Reads:(?P<first>.*)\n(?P<more>(?:--  .*\n)*)", re.MULTILINE)
_ASIDE = re.compile(r"\([^)]*\)")


@dataclass(frozen=True)
class SqlFile:
    """One object's SQL: its name, what it reads, and the statements."""

    name: str
    reads: frozenset[str]
    text: str


@cache
def folder(name: str) -> dict[str, SqlFile]:
    """The SQL files of ``sql/<name>`` by object name, sorted by name."""
    found = {}
    for entry in sorted(files("sql").joinpath(name).iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".sql"):
            text = entry.read_text(encoding="utf-8")
            found[entry.name.removesuffix(".sql")] = SqlFile(entry.name.removesuffix(".sql"), _reads(text), text)
    return found


@cache
def in_order(*folders: str) -> tuple[SqlFile, ...]:
    """The files of several folders, each after those whose objects it reads."""
    known = {name: file for one in folders for name, file in folder(one).items()}
    graph = {name: sorted(file.reads & known.keys() - {name}) for name, file in known.items()}
    return tuple(known[name] for name in TopologicalSorter(graph).static_order())


def schema() -> str:
    """Every stored table, empty, generated from the contracts."""
    return files("sql").joinpath("schema.sql").read_text(encoding="utf-8")


def comments() -> str:
    """The comments on every table, view and column, generated from the contracts."""
    return files("sql").joinpath("comments.sql").read_text(encoding="utf-8")


def _reads(text: str) -> frozenset[str]:
    match = _READS.search(text)
    if match is None:
        return frozenset()
    listed = match["first"] + " " + match["more"].replace("--", " ").replace("\n", " ")
    return frozenset(name.strip(" .") for name in _ASIDE.sub("", listed).split(",") if name.strip(" ."))
