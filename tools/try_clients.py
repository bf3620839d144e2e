"""Ask everything of a published file with the oldest and the newest DuckDB that are supported, and one between.

    python -m tools.try_clients DATABASE

Needs uv and the network, which bring each DuckDB into an environment of its own; the tests need neither.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from transforms.contracts.objects import MACROS, OBJECTS

CLIENTS = ("1.4.3", "1.5.0", "2.0.1")
"""Oldest first; the last is the version of constraints.txt."""

_ASK = """
import sys, duckdb
client = duckdb.connect(sys.argv[1], read_only=True)
for question in sys.argv[2:]:
    print(duckdb.__version__, question, client.execute(f"select count(columns(*)) from {question}").fetchall()[0][0])
"""
"""Every column of every row: what is not asked for is not worked out."""


def main(database: Path) -> int:
    """Ask each; how many failed."""
    questions = [*OBJECTS, *(f"{name}('2025-07-10')" for name in MACROS)]
    failed = 0
    for version in CLIENTS:
        environment = ("uv", "run", "--quiet", "--no-project", "--with", f"duckdb=={version}")
        done = subprocess.run([*environment, "python", "-c", _ASK, database, *questions], check=False)
        failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
