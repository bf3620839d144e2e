"""What each contract demands, without importing Pandera: names, types, keys and checks of every table and view.

Read from ``contracts.json``, which ``make docs`` writes from the models; a test holds the one to the others. Whoever
needs no words of a contract (an ingest whose rows keep it, an export, the version of the rules) starts a second
earlier for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

CONTRACTS = "contracts.json"


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One column: ``type`` by the name of a polars type or of an alias of ours (``Time``, ``Texts``).

    ``checks`` are Pandera's, each with its values, both by Pandera's names.
    """

    type: str
    nullable: bool = False
    unique: bool = False
    checks: dict[str, dict[str, Any]] = {}


class Shape(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """One table or view. ``key`` is its grain; ``order`` that in which a snapshot holds its rows.

    Compared as the object it is: there is one for each name, and what is worked out of it is remembered by it.
    """

    key: tuple[str, ...]
    order: tuple[str, ...]
    columns: dict[str, Column]


@cache
def shapes() -> Mapping[str, Shape]:
    """The shape of every table and view, by its name."""
    return msgspec.json.decode(files(__package__).joinpath(CONTRACTS).read_bytes(), type=dict[str, Shape])


def shape(name: str) -> Shape:
    """The shape of one table or view."""
    return shapes()[name]
