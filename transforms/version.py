"""The version of the rules by which all tables are made. Imports nothing heavy: every start asks for it."""

from __future__ import annotations

import hashlib
from importlib.resources import files

SCHEMA_VERSION = "2"
"""Raised when reading, identity or a contract changes meaning."""

_RULES = (("sql", ("tables", "derived", "pinned", "macros", "views", "log")), ("transforms.registry", (".",)))


def rules_version() -> str:
    """The schema's version with a digest of SQL and registry.

    A database made by other rules is made again from landing, never guessed at.
    """
    digest = hashlib.sha256()
    for package, folders in _RULES:
        for folder in folders:
            for entry in sorted(files(package).joinpath(folder).iterdir(), key=lambda e: e.name):
                if entry.name.endswith((".sql", ".json", ".csv")):
                    digest.update(entry.read_bytes())
    return f"{SCHEMA_VERSION}-{digest.hexdigest()[:12]}"
