"""Rows in, rows out, for one SQL file at a time: an empty warehouse into which a test puts what the file reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.histories import LAB, UPSTREAM, day
from transforms.contracts.objects import DERIVED, TABLES
from warehouse import sqlfiles
from warehouse.database import attach, connect
from warehouse.publish import empty_database

COHORT = "a cohort"
BEGAN = day("2025-01-01")


class Rows:
    """A warehouse of a test's own, to be written to by hand. Figures are in ns, positions count from 0."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._dates: dict[tuple[str, int], datetime] = {}
        self.put("meta", key="upstream", value=UPSTREAM)
        self.put("meta", key="stale_after_days", value="180")

    def put(self, table: str, **columns: Any) -> None:
        """One row; columns that are not given are null."""
        names, values = ", ".join(f'"{name}"' for name in columns), ", ".join(f"${name}" for name in columns)
        self._connection.execute(f"insert into {table} ({names}) values ({values})", columns)

    def revisions(self, *dates: str, source: str = LAB) -> None:
        """The whole line of a source, oldest first, whatever their dates say; its head is the last of them."""
        for position, date in enumerate(dates):
            self._dates[source, position] = day(date)
            self.put(
                "revisions",
                source=source,
                revision=f"{source} {position}",
                position=position,
                reachable=True,
                committed_at=day(date),
            )
        last = f"{source} {len(dates) - 1}"
        self.put("sources", source=source, head=last, newest_revision=last, revisions=len(dates))

    def mode(self, *modes: str, baseline: bool = False) -> None:
        """Ways of running a module."""
        for mode in modes:
            self.put("implementations", mode=mode, title=mode, is_baseline=baseline)

    def run(
        self,
        run_id: str,
        mean_ns: float,
        *,
        mode: str = "torch",
        half_ns: float = 0,
        since: int = 0,
        until: int | None = None,
        again: tuple[int, int | None] | None = None,
        observed_at: datetime | None = None,
        **columns: Any,
    ) -> None:
        """An eligible run of one cohort that was present from ``since`` up to, not including, ``until``.

        ``half_ns`` is half of its widened interval; ``again`` a second interval of presence.
        """
        intervals = [(since, until), *([again] if again else [])]
        row = {
            "run_id": run_id,
            "cohort_id": COHORT,
            "source": LAB,
            "host": "H100_lab",
            "level": "level1",
            "problem": "19_ReLU.py",
            "mode": mode,
            "mean_ns": mean_ns,
            "ci95_low_ns": mean_ns - half_ns,
            "ci95_high_ns": mean_ns + half_ns,
            "rounding_ns": 0,
            "observed_at": observed_at or self._dates.get((LAB, since), BEGAN + timedelta(days=since)),
            "eligible": True,
            "ineligible_reasons": [],
            "reachable": True,
            "present": intervals[-1][1] is None,
            **columns,
        }
        row.setdefault("first_revision", f"{row['source']} {since}")
        self.put("runs", **row)
        for begins, ends in intervals:
            self.put("presence", run_id=run_id, source=row["source"], from_position=begins, until_position=ends)

    def derive(self, *files: str) -> None:
        """Run files of ``sql/derived`` as if everything had just come in."""
        self._connection.execute(
            """create or replace temp table touched_cohorts as
            select distinct cohort_id from runs where cohort_id is not null"""
        )
        self._connection.execute("create or replace temp table touched_copies as select distinct copy_key from runs")
        self._connection.execute(
            "create or replace temp table batch_series as select distinct source, host, mode from runs"
        )
        for file in files:
            self._connection.execute(sqlfiles.folder("derived")[file].text)

    def ask(self, text: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """The rows of an answer."""
        found: list[tuple[Any, ...]] = self._connection.execute(text, parameters or None).fetchall()
        return found

    def one(self, text: str, **parameters: Any) -> Any:
        """The only value of an answer."""
        ((value,),) = self.ask(text, **parameters)
        return value


@contextmanager
def empty_rows(folder: Path) -> Iterator[Rows]:
    """An empty warehouse in a folder of the test's own."""
    path = folder / "rows.duckdb"
    path.write_bytes(empty_database())
    with connect() as connection:
        attach(connection, path, "rows", "read_write")
        for name in TABLES | DERIVED:  # without what is never null, so that a row says only what its test is about
            connection.execute(f"create or replace table {name} as from {name}")
        yield Rows(connection)


def as_json(value: Mapping[str, Any] | list[Any]) -> str:
    """JSON as tables hold it."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
