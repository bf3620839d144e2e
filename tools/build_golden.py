"""Write ``transforms/golden.json``: a digest of every table that this ``SCHEMA_VERSION`` makes of the sample.

``rules_version`` follows SQL, registry and contracts, no Python. So where code makes other rows, a test that compares
these digests says so, and by which table.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from contextlib import closing
from datetime import datetime
from pathlib import Path

from flows.sequence import Directly, ingest
from flows.sources.sample import SampleSource
from transforms.contracts.objects import DERIVED, TABLES
from transforms.version import SCHEMA_VERSION
from warehouse.database import Reader
from warehouse.home import Home

PATH = Path(__file__).resolve().parent.parent / "transforms" / "golden.json"

NOT_OF_THE_SOURCE = ("ingests", "meta")
"""Tables about the ingest and the database itself: with every run, or every change of a rule, they are others."""

_DIGITS = 9
"""Significant digits of a floating-point number: more than any figure is reported with, fewer than platforms share."""


def digests(home: Home) -> dict[str, str]:
    """SHA-256 of each stored table of a home. Views are left out: they say nothing that is not in the tables."""
    with closing(Reader(home.database)) as reader:
        names = sorted((TABLES | DERIVED).keys() - set(NOT_OF_THE_SOURCE))
        return {name: _digest(reader.sql(f"from {name}").rows) for name in names}


def _digest(rows: list[tuple[object, ...]]) -> str:
    """Of the rows as lines of JSON, sorted: whatever order they come in."""
    lines = sorted(json.dumps([_plain(value) for value in row]) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    return value.isoformat() if isinstance(value, datetime) else value


def main() -> None:
    """Ingest the sample into a home of its own and write its digests."""
    with tempfile.TemporaryDirectory(prefix="kbw-golden-") as folder:
        home = Home(Path(folder))
        with closing(SampleSource()) as source:
            ingest(home, source, Directly())
        golden = {"schema_version": SCHEMA_VERSION, "tables": digests(home)}
    PATH.write_text(json.dumps(golden, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
