"""Publishing: a new database is built beside the published one, checked, and moved over it (DESIGN.md section 12)."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from warehouse import sqlfiles
from warehouse.database import Result, attach, bad_rows, connect, is_interrupt, open_published
from warehouse.files import replace_durably
from warehouse.home import Home, WarehouseError, in_one_line

_STORAGE = "v1.0.0"
"""DuckDB's command-line clients of the 1.x series open files of this version, and of no later one."""

_OPTIONS = f"storage_version '{_STORAGE}', recovery_mode 'no_wal_writes'"
"""Without a log to recover from: what is not finished is thrown away, and the rows need not be written twice."""


class ChecksFailed(WarehouseError):
    """The new database does not keep its own promises; it was not published."""


@dataclass(frozen=True)
class Changes:
    """Of one source: the columns of ``sql/queries/changes.sql``, ``source_totals.sql`` and ``stale_present.sql``."""

    source: str
    counts: Mapping[str, int]


def open_for_building(home: Home, base: Path | None) -> Building:
    """Start a new database in ``home``: as a copy of ``base``, or empty."""
    discard_building(home)
    try:
        if base is not None:
            shutil.copyfile(base, home.building)
        else:
            home.building.write_bytes(empty_database())
        return Building(home)
    except BaseException:
        discard_building(home)
        raise


@cache
def empty_database() -> bytes:
    """A published file without a row: tables, macros and views, each described.

    Made once in a process: six hundred comments take as long as a small ingest.
    """
    with tempfile.TemporaryDirectory(prefix="kbw-empty-") as folder, connect() as connection:
        path = Path(folder) / "empty.duckdb"
        attach(connection, path, "empty", _OPTIONS)
        connection.execute("begin")
        connection.execute(sqlfiles.schema())
        for file in sqlfiles.in_order("functions", "macros", "views"):
            _run(connection, file)
        connection.execute(sqlfiles.comments())
        connection.execute("commit")
        connection.execute("use memory")
        connection.execute("detach empty")
        return path.read_bytes()


def _run(connection: duckdb.DuckDBPyConnection, file: sqlfiles.SqlFile) -> None:
    try:
        connection.execute(file.text)
    except duckdb.Error as error:
        error.add_note(f"in {file.name}.sql")
        raise


def discard_building(home: Home) -> None:
    """Remove what a killed ingest left of the database it was building."""
    for leftover in home.root.glob(f"{home.building.name}*"):
        leftover.unlink()


def remove_stray_wal(home: Home) -> None:
    """Remove a ``.wal`` that a client left which had opened the published file for writing.

    It would not fit the next file. To be called while holding the lock only.
    """
    _wal(home.database).unlink(missing_ok=True)


class Building:
    """The database being built. Use as a context manager: what is not published is removed."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._connection = connect()
        # Digests compress badly whatever is tried: trying everything takes twice as long as writing a fifth more.
        self._connection.execute("set force_compression = 'dictionary'")
        attach(self._connection, home.building, "building", _OPTIONS)
        self._connection.execute("begin")

    def __enter__(self) -> Building:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._connection.close()
        discard_building(self._home)
        if is_interrupt(error):
            raise KeyboardInterrupt from None

    def load(self, batch: Mapping[str, pa.Table], common: Mapping[str, pa.Table]) -> None:
        """Bring the rows of some sources in and derive anew what hangs on them.

        ``batch`` are Arrow tables by the name of the table they go into, and ``series``; ``common`` those that belong
        to no source: registry and facts about the database.
        """
        for name, rows in {**common, **batch}.items():
            self._connection.register(f"batch_{name}", rows)
        for file in sqlfiles.in_order("tables", "derived"):
            _run(self._connection, file)

    def changes(self, sources: Iterable[str]) -> dict[str, Changes]:
        """What was loaded last changed of each source, and what there is of it now."""
        stale = {row["source"]: row["runs_stale"] for row in self._rows("stale_present")}
        return {source: Changes(source, self._counts(source, stale.get(source, 0))) for source in sources}

    def _counts(self, source: str, runs_stale: int) -> dict[str, int]:
        ((changed,), (held,)) = (self._rows(query, source=source) for query in ("changes", "source_totals"))
        return {**changed, **held, "runs_stale": runs_stale}

    def pinned_runs(self, source: str) -> pa.Table:
        """The runs that the newest revision of a source shows, as ``sql/queries/pinned_runs.sql`` gives them."""
        text = sqlfiles.folder("queries")["pinned_runs"].text
        return self._connection.sql(text, params={"source": source}).to_arrow_table()

    def load_pinned(self, interop: pa.Table) -> None:
        """Replace the interoperable digests of the sources that were loaded last."""
        self._connection.register("batch_interop", interop)
        for file in sqlfiles.in_order("pinned"):
            _run(self._connection, file)

    def log(self, ingests: pa.Table) -> None:
        """Replace the log of ingests."""
        self._connection.register("batch_ingests", ingests)
        for file in sqlfiles.in_order("log"):
            _run(self._connection, file)

    def check(self) -> None:
        """Run every check; raises ChecksFailed naming those that returned rows."""
        found = {name: rows for name, rows in bad_rows(self._connection, "checks").items() if rows}
        if found:
            words = [f"check {name} found {len(rows)} bad rows, the first {rows[0]}" for name, rows in found.items()]
            raise ChecksFailed(f"not published: {'; '.join(words)}")

    def publish(self) -> None:
        """Finish the file, make it read-only and move it over the published one."""
        self._connection.execute("commit")
        self._connection.execute("use memory")
        self._connection.execute("detach building")
        self._connection.close()
        self._home.building.chmod(0o444)
        remove_stray_wal(self._home)
        replace_durably(self._home.building, self._home.database)
        remove_stray_wal(self._home)

    def _rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        found = self._connection.execute(sqlfiles.folder("queries")[query].text, parameters or None)
        return Result([column[0] for column in found.description or []], found.fetchall()).records()


def published_is_readable(home: Home) -> bool:
    """Whether the published file opens; raises WarehouseError when it is damaged, PermissionError when it may not.

    False: another program has it open for writing, so it cannot be looked into.
    """
    home.database.open("rb").close()
    try:
        open_published(home.database).close()
    except duckdb.IOException as error:
        if "lock" in str(error).lower():
            return False
        raise damaged(home, in_one_line(error)) from None
    except duckdb.Error as error:
        raise damaged(home, in_one_line(error)) from None
    return True


def damaged(home: Home, why: str) -> WarehouseError:
    """What to say of a published file that is damaged."""
    return WarehouseError(f"{home.database}: damaged ({why}); make it again from what has landed with `kbw rebuild`")


def _wal(path: Path) -> Path:
    return path.with_name(path.name + ".wal")
