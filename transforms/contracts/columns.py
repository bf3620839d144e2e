"""What a contract is made of: columns with a type, a meaning and what must hold of every value.

Plain data, so that whoever needs no more than names, types and keys (an export, an ingest whose rows keep their
contracts, the version of the rules) starts a second earlier than with Pandera, whose schemas are made from these
(``pandera_schemas``). Checks have Pandera's names and arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import replace

Type = Literal["String", "Int64", "Float64", "Boolean", "Time", "Texts"]
"""Polars' names, and two of ours: ``Time`` is UTC in microseconds without a time zone attached, ``Texts`` a list."""

Kind = Literal["table", "derived", "view"]
"""A table is made in ``transforms``; derived ones are stored too, but made by SQL; a view is worked out when read."""

HEX40 = r"^[0-9a-f]{40}$"
HEX64 = r"^[0-9a-f]{64}$"
DIGEST = r"^sha256:[0-9a-f]{64}$"


class Column(msgspec.Struct, frozen=True, eq=False):
    """A column. ``null`` says when it is null (empty: its meaning says so); None: it never is."""

    name: str
    type: Type
    meaning: str
    null: str | None = None
    unique: bool = False
    checks: Mapping[str, Mapping[str, object]] = {}

    @property
    def nullable(self) -> bool:
        """Whether it may be null."""
        return self.null is not None

    @property
    def description(self) -> str:
        """Its entry in the data dictionary, and its comment in the database."""
        meaning = self.meaning.removesuffix(".")
        return f"{meaning}; null: {self.null}." if self.null else f"{meaning}."

    def but(self, says: str | None = None, *, null: str | None = None, unique: bool = False) -> Column:
        """The same column where it means something else, or is null at other times; left out, it never is."""
        return replace(self, meaning=self.meaning if says is None else says, null=null, unique=unique)


def column(
    name: str,
    meaning: str,
    kind: Type,
    *,
    null: str | None = None,
    unique: bool = False,
    **checks: float | str | list[str],
) -> Column:
    """A column with its checks, by the short names of ``_CHECKS``."""
    named = {_CHECKS[short][0]: {_CHECKS[short][1]: value} for short, value in checks.items()}
    return Column(name, kind, meaning, null, unique, named)


_CHECKS = {
    "gt": ("greater_than", "min_value"),
    "ge": ("greater_than_or_equal_to", "min_value"),
    "lt": ("less_than", "max_value"),
    "one_of": ("isin", "allowed_values"),
    "matches": ("str_matches", "pattern"),
    "shortest": ("str_length", "min_value"),
}
"""Pandera's name of a check, and of its argument."""

text = partial(column, kind="String")
integer = partial(column, kind="Int64")
number = partial(column, kind="Float64")
flag = partial(column, kind="Boolean")
moment = partial(column, kind="Time")
texts = partial(column, kind="Texts")
