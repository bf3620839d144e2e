"""A contract: one strict, ordered, keyed list of columns per published table or view (DESIGN.md section 9)."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from transforms.contracts.columns import Column, Kind
from transforms.contracts.fields import FIELDS


class Contract(msgspec.Struct, frozen=True, eq=False):
    """Columns exactly as written here: an unknown, missing or displaced one stops the publish.

    ``meaning`` is the comment on the object, and says its grain. No two rows share a ``key``; a snapshot holds the rows
    in ``order``. Compared as the object it is: what is worked out of one is remembered by it.
    """

    name: str
    kind: Kind
    meaning: str
    key: tuple[str, ...]
    order: tuple[str, ...]
    columns: dict[str, Column]

    def __getitem__(self, column: str) -> Column:
        """A column, for another contract that has it too."""
        return self.columns[column]


def contract(
    name: str,
    kind: Kind,
    meaning: str,
    *columns: str | Column,
    key: tuple[str, ...],
    order: tuple[str, ...] | None = None,
) -> Contract:
    """A contract from its columns in their order: those of ``fields`` by name. A key of one column makes it unique."""
    found = {one.name: one for one in (FIELDS[column] if isinstance(column, str) else column for column in columns)}
    if len(found) < len(columns):
        raise ValueError(f"{name}: a column stands twice")
    if len(key) == 1:
        found[key[0]] = replace(found[key[0]], unique=True)
    return Contract(name, kind, meaning, key, order or key, found)
