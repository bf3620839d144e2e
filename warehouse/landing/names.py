"""Names that become file names: encoded so that none leaves its folder, hides, or is too long (DESIGN.md section 3)."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, unquote

from warehouse.home import WarehouseError, WrongUsage

LONGEST_FILE_NAME = 230
"""Bytes of an encoded name: 255 less an ending, and what a temporary name and one that was set aside add."""

_ID = re.compile(r"[0-9a-f]{40}")
_CONTROLS = ("Cc", "Cf", "Zl", "Zp")
"""Unicode's categories of what steers a terminal or the direction of text, and of line ends."""


def file_name(name: str) -> str:
    """The name of the file or folder that belongs to ``name``; ``name_of`` gives it back.

    Percent-encoded, also a point at the beginning. Raises WarehouseError for a name that none can hold.
    """
    try:
        encoded = quote(name, safe="")
    except UnicodeEncodeError:
        raise WarehouseError(f"{name!r}: is no text that a file name can hold") from None
    if encoded.startswith("."):
        encoded = f"%2E{encoded[1:]}"
    if not encoded or len(encoded) > LONGEST_FILE_NAME:
        raise WarehouseError(f"{name[:60]!r}: a name of {len(encoded)} bytes once encoded; 1 to {LONGEST_FILE_NAME}")
    return encoded


def name_of(file: str) -> str | None:
    """The name that a file or folder belongs to; None where ``file_name`` gives no such file."""
    try:
        name = unquote(file, errors="strict")
        return name if file_name(name) == file else None
    except (UnicodeDecodeError, WarehouseError):
        return None


def is_id(name: str) -> bool:
    """Whether this is the id of a blob, a commit or a state: 40 hexadecimal digits."""
    return _ID.fullmatch(name) is not None


def refuse_wrong_name(source: str) -> None:
    """Raise WrongUsage for what cannot be the name of a lineage.

    Its shape is ``owner/repo[@ref][//root]``, or what a person calls it: parts between slashes, none of them empty, a
    point or two points.
    """
    if fault := _fault(source):
        shown = ascii(source if len(source) <= 60 else f"{source[:60]}...")
        raise WrongUsage(f"{shown} cannot name a source: {fault}; give it a name with --name owner/repo")


def _fault(source: str) -> str:
    repository, slashes, root = source.partition("//")
    parts = [*repository.split("/"), *(root.split("/") if slashes else [])]
    if "" in parts:
        return "it is empty, or a part of it is"
    if not {".", ".."}.isdisjoint(parts):
        return "a part of it is . or .."
    if any(unicodedata.category(letter) in _CONTROLS for letter in source):
        return "it holds a control character"
    try:
        file_name(source)
    except WarehouseError:
        return "it is too long, or no text"
    return ""
