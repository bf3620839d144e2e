"""The version of the rules by which all tables are made: what decides them, and nothing that only describes it.

Asked for at every start of an ingest, so it imports nothing heavy and hashes files in a few milliseconds. It follows
SQL, registry and contracts. Of Python it follows nothing: a golden digest of each table of the sample stands beside
``SCHEMA_VERSION`` (``golden.json``), and a test fails when code makes other rows of the sample under the same version.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files

import msgspec

SCHEMA_VERSION = "5"
"""Raised when reading, identity or a contract changes meaning; then `make golden`."""

SQL_FOLDERS = ("functions", "tables", "derived", "pinned", "macros", "views", "log")
"""Folders of ``sql`` that make what is published; the others ask and check."""

# Without a group, so that the search goes by first characters: ten times as fast.
_TEXT_OR_COMMENT = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\$.*?\$\$|--[^\n]*|/\*.*?\*/""", re.DOTALL)
_TIGHT = (("( ", "("), (" )", ")"), (" ,", ","), (" ;", ";"))


def rules_version() -> str:
    """The schema's version with a digest of SQL, registry and contracts.

    A database made by other rules is made again from landing, never guessed at.
    """
    digest = hashlib.sha256()
    for part in (*_sql(), *_registry(), _contracts()):
        digest.update(part)
        digest.update(b"\0")
    return f"{SCHEMA_VERSION}-{digest.hexdigest()[:12]}"


def _sql() -> Iterator[bytes]:
    for folder in SQL_FOLDERS:
        for entry in sorted(files("sql").joinpath(folder).iterdir(), key=lambda e: e.name):
            if entry.name.endswith(".sql"):
                yield statements(entry.read_text(encoding="utf-8")).encode()


def statements(text: str) -> str:
    """What a file of SQL says, without comments and white space that says nothing: equal texts, equal statements.

    Quoted texts and names come behind the rest, in their order, as they are written.
    """
    quoted: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        if match[0].startswith(("--", "/*")):
            return " "
        quoted.append(match[0])
        return "\0"

    plain = " ".join(_TEXT_OR_COMMENT.sub(put_aside, text).split())
    for loose, tight in _TIGHT:
        plain = plain.replace(loose, tight)
    return "\0\0".join([plain, *quoted])


def _registry() -> Iterator[bytes]:
    for entry in sorted(files("transforms.registry").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".json"):
            yield registry_content(entry.read_bytes())
        elif entry.name.endswith(".csv"):
            yield entry.read_bytes()


def registry_content(data: bytes) -> bytes:
    """What a JSON file of the registry says, however it is laid out, without the note that says what it is."""
    document = msgspec.json.decode(data)
    document.pop("note", None)
    return msgspec.json.encode(document, order="sorted")


def _contracts() -> bytes:
    """Names, types, keys and checks; descriptions make no row."""
    from transforms.contracts.objects import OBJECTS

    stated = {
        name: (one.key, [(c.name, c.type, c.nullable, c.unique, c.checks) for c in one.columns.values()])
        for name, one in OBJECTS.items()
    }
    return msgspec.json.encode(stated, order="sorted")
