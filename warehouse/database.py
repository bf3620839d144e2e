"""Opening the published database: read-only, quietly, with errors a person can act on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from warehouse import sqlfiles
from warehouse.home import WarehouseError, in_one_line


def connect(path: Path | str = ":memory:", *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB database that neither looks for extensions nor depends on the machine's time zone."""
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    connection = duckdb.connect(str(path), read_only=read_only, config=settings)
    connection.execute("set TimeZone = 'UTC'")
    return connection


class Reader:
    """A read-only connection to one published file; it keeps answering from that file when a newer one comes."""

    def __init__(self, path: Path) -> None:
        """Open ``path``; raises WarehouseError when it is missing or no database."""
        if not path.exists():
            raise WarehouseError(f"{path}: no warehouse yet; make one with `kbw ingest sample`")
        try:
            self._connection = connect(path, read_only=True)
            self._connection.execute("select key from meta").fetchall()
        except duckdb.Error as error:
            raise WarehouseError(
                f"{path}: cannot be read as a warehouse ({in_one_line(error)}); make it again with `kbw rebuild`"
            ) from None

    def query(self, name: str, **parameters: Any) -> Result:
        """Run ``sql/queries/<name>.sql``."""
        return self.sql(sqlfiles.folder("queries")[name].text, **parameters)

    def sql(self, text: str, **parameters: Any) -> Result:
        """Run any SQL; raises WarehouseError with DuckDB's own words."""
        try:
            found = self._connection.execute(text, parameters or None)
            columns = [column[0] for column in found.description or []]
            return Result(columns, found.fetchall() if columns else [])
        except duckdb.Error as error:
            raise WarehouseError(in_one_line(error)) from None

    def checks(self) -> dict[str, list[tuple[Any, ...]]]:
        """The bad rows that each check of ``sql/checks`` finds; a database in order has none."""
        return bad_rows(self._connection)

    def copy(self, text: str, path: Path) -> None:
        """Write the answer to a query as a Parquet file; equal answers give equal bytes."""
        self._connection.sql(text).write_parquet(str(path), compression="zstd")

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


def bad_rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """Run every check of ``sql/checks`` on a connection: what each finds, by its name."""
    return {name: connection.execute(file.text).fetchall() for name, file in sqlfiles.folder("checks").items()}
