"""Opening the published database: read-only, quietly, with errors a person can act on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb

from warehouse import sqlfiles
from warehouse.home import Home, WarehouseError, in_one_line

_QUESTIONS = frozenset({"SELECT", "EXPLAIN", "SET", "VARIABLE_SET"})
"""Kinds of statements of a confined reader, as DuckDB names them; what SET may change is locked by then."""


def connect() -> duckdb.DuckDBPyConnection:
    """A DuckDB of its own in memory that neither looks for extensions nor depends on the machine's time zone."""
    connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    connection.execute("set TimeZone = 'UTC'")
    return connection


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str, options: str) -> None:
    """Open a database file within ``connection`` and make it the one that names refer to.

    Within, not by ``duckdb.connect(path)``: that gives a second reader in one process the file that the first has
    open, also when a newer one has been published in its place.
    """
    quoted = str(path).replace("'", "''")
    connection.execute(f"attach '{quoted}' as {name} ({options})")
    connection.execute(f"use {name}")


class Reader:
    """A read-only connection to one published file; it keeps answering from that file when a newer one comes.

    It knows the heartbeat that lay beside the file when it was opened.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``; raises WarehouseError when it is missing or no database."""
        if not path.exists():
            raise WarehouseError(f"{path}: no warehouse yet; make one with `kbw ingest sample`")
        path.open("rb").close()  # what may not be read is not damaged
        self._confined = False
        self._path = path
        try:
            self._connection = open_published(path)
            _tell_heartbeat(self._connection, Home(path.parent).heartbeat)
        except duckdb.Error as error:
            raise WarehouseError(
                f"{path}: cannot be read as a warehouse ({in_one_line(error)}); make it again with `kbw rebuild`"
            ) from None

    def tell_heartbeat(self, text: str) -> None:
        """Let another heartbeat be known than the one that lies beside the file."""
        self._connection.execute("set variable heartbeat = $1", [text])

    def confine(self) -> None:
        """From now on let questions read this database and nothing else, for good.

        DuckDB would still let go of the file and open it again for writing, therefore statements are also looked at.
        """
        self._connection.execute("set enable_external_access = false")
        self._connection.execute("set lock_configuration = true")
        self._confined = True

    def query(self, name: str, /, **parameters: Any) -> Result:
        """Run ``sql/queries/<name>.sql``; raises WarehouseError where the file was made by another release's rules."""
        try:
            return self.sql(sqlfiles.folder("queries")[name].text, **parameters)
        except WarehouseError as error:
            if isinstance(error.__cause__, duckdb.CatalogException | duckdb.BinderException):
                raise WarehouseError(
                    f"{self._path}: was published by another release of kbw, which knows other names "
                    f"({error}); make it again by this one's rules with `kbw rebuild`"
                ) from None
            raise

    def sql(self, text: str, /, **parameters: Any) -> Result:
        """Run any SQL; raises WarehouseError with DuckDB's own words, or for what ``confine`` rules out."""
        try:
            if self._confined:
                _refuse_all_but_questions(self._connection, text)
            found = self._connection.execute(text, parameters or None)
            columns = [column[0] for column in found.description or []]
            return Result(columns, found.fetchall() if columns else [])
        except duckdb.Error as error:
            raise WarehouseError(in_one_line(error)) from error

    def each(self, text: str) -> Iterator[Result]:
        """Run the statements of any SQL one after the other: the answer of each, as it is asked for.

        Raises WarehouseError as ``sql`` does. What ``confine`` rules out stops all of them before the first is run. A
        statement that answers nothing, such as SET, gives no columns.
        """
        try:
            if self._confined:
                _refuse_all_but_questions(self._connection, text)
            for statement in self._connection.extract_statements(text):
                found = self._connection.execute(statement.query)
                silent = statement.expected_result_type == [duckdb.ExpectedResultType.NOTHING]
                columns = [] if silent else [column[0] for column in found.description or []]
                yield Result(columns, found.fetchall() if columns else [])
        except (duckdb.Error, RuntimeError) as error:
            if is_interrupt(error):
                raise KeyboardInterrupt from None
            if isinstance(error, duckdb.Error):
                raise WarehouseError(in_one_line(error)) from None
            raise

    def interrupt(self) -> None:
        """Let go of the question that is being answered; may be called from another thread."""
        self._connection.interrupt()

    def checks(self) -> dict[str, list[tuple[Any, ...]]]:
        """The bad rows that each check finds, of what is stored and of the views; a database in order has none."""
        return bad_rows(self._connection, "checks", "view_checks")

    def unreadable(self) -> list[tuple[str, str]]:
        """Tables that cannot be read to their end, with DuckDB's reason; a file without damage has none.

        Every column of every row is hashed once: DuckDB compares a block's checksum when it loads the block, and
        questions may pass damaged ones by.
        """
        tables = self._connection.execute("select table_name from duckdb_tables() where database_name = 'warehouse'")
        found = []
        for (name,) in sorted(tables.fetchall()):
            try:
                self._connection.table(name).aggregate("bit_xor(hash(columns(*)))").fetchall()
            except duckdb.Error as error:
                found.append((name, in_one_line(error)))
        return found

    def copy(self, name: str, order: Iterable[str], path: Path) -> None:
        """Write the rows of a table or view, in the order of some of its columns, as a Parquet file.

        Equal rows give equal bytes.
        """
        rows = self._connection.table(name).order(", ".join(f'"{column}"' for column in order))
        rows.write_parquet(str(path), compression="zstd")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


class Result:
    """Columns and rows of one answer."""

    def __init__(self, columns: list[str], rows: list[tuple[Any, ...]]) -> None:
        self.columns = columns
        self.rows = rows

    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is what DuckDB makes of Ctrl-C, or of ``Reader.interrupt``."""
    return isinstance(error, duckdb.InterruptException) or (
        isinstance(error, RuntimeError) and str(error) == "Query interrupted"
    )


def bad_rows(connection: duckdb.DuckDBPyConnection, *folders: str) -> dict[str, list[tuple[Any, ...]]]:
    """Run every check of some folders of ``sql`` on a connection: what each finds, by its name.

    ``checks`` are on what is stored, before it is published; ``view_checks`` on what views make of it at each reading,
    which no publish can change.
    """
    files = [item for folder in folders for item in sqlfiles.folder(folder).items()]
    return {name: connection.execute(file.text).fetchall() for name, file in files}


def open_published(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a published file for reading; raises duckdb.Error when it is none."""
    connection = connect()
    try:
        attach(connection, path, "warehouse", "read_only")
        connection.execute("select key from meta").fetchall()
    except duckdb.Error:
        connection.close()
        raise
    return connection


def _refuse_all_but_questions(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    """Raises WarehouseError for the first statement of ``text`` that does more than ask, and where there is none."""
    kinds = [statement.type.name for statement in connection.extract_statements(text)]
    if not kinds:
        raise WarehouseError('there is no SQL to answer; `kbw sql "show tables"` lists what can be asked')
    for kind in kinds:
        if kind not in _QUESTIONS:
            raise WarehouseError(f"the warehouse is read-only here and {kind} is no question; --unsafe lifts that")


def _tell_heartbeat(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Let ``sql/macros/last_checks.sql`` know when sources were last checked, where a heartbeat says so.

    It is no table: an ingest with nothing new writes the heartbeat alone.
    """
    try:
        heartbeat = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    connection.execute("set variable heartbeat = $1", [heartbeat])
