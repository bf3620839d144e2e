"""Commands that read the published database: ``records``, ``sql``, ``check``, ``info``, ``export``."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.render import Column, Form, count, day, interval, note, plain_columns, ratio, say, show, show_object
from warehouse.home import Home

if TYPE_CHECKING:
    from warehouse.database import Reader

A_CHECK_FOUND_SOMETHING = 3
_ALL = 2**62

RECORD_COLUMNS = (
    Column("problem", lambda row: f"{row['level']}/{row['problem'].removesuffix('.py')}", whole=True),
    Column("host", lambda row: str(row["host"])),
    Column("GPU", lambda row: str(row["product"] or row["hardware"] or "not reported")),
    Column("held by", lambda row: str(row["implementation"])),
    Column("mean, 95 % interval", lambda row: interval(row["mean_ns"], row["ci95_half_ns"]), right=True),
    Column("vs eager", lambda row: ratio(row["vs_baseline"]), right=True),
    Column("margin", lambda row: ratio(row["margin_ratio"]), right=True),
    Column("clear", lambda row: "" if row["clear"] is None else "yes" if row["clear"] else "no"),
    Column("observed", lambda row: day(row["observed_at"])),
    Column("stale", lambda row: ", ".join(row["stale_reasons"])),
)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("records", epilog="Example: kbw records --gpu H100 --level level3 --limit 10")(records_command)
    app.command("sql", epilog='Example: kbw sql "select host, count(*) as runs from runs group by host"')(sql_command)
    app.command("check", epilog="Example: kbw check")(check_command)
    app.command("info", epilog="Example: kbw info")(info_command)
    app.command("export", epilog="Example: kbw export --to snapshot")(export_command)


def open_reader(home: Home) -> Reader:
    """The published database, read-only."""
    from warehouse.database import Reader

    return Reader(home.database)


def records_command(
    problem: Annotated[
        str | None, typer.Argument(help="Only problems whose name has this in it.", show_default=False)
    ] = None,
    level: Annotated[str | None, typer.Option(help="Only this level, e.g. level3.", show_default=False)] = None,
    host: Annotated[str | None, typer.Option(help="Only this host folder.", show_default=False)] = None,
    gpu: Annotated[str | None, typer.Option(help="Only GPUs with this in their name.", show_default=False)] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.", show_default=False)] = None,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="Also records that no longer stand.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 25,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Who holds each record: per problem, host and GPU, never across them."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        rows = reader.query(
            "records",
            problem=problem,
            level=level,
            host=host,
            gpu=gpu,
            source=source,
            withdrawn=withdrawn,
            at_most=limit or _ALL,
        ).records()
    show(rows, RECORD_COLUMNS, form)
    if form is Form.TABLE:
        cut = f", the first {limit}; --limit 0 shows all" if limit and len(rows) == limit else ""
        note(f"{count(len(rows))} records{cut}. How a record is decided: docs/records.md")


def sql_command(
    query: Annotated[
        str, typer.Argument(help="SQL; - reads it from standard input, a name ending in .sql from a file.")
    ],
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Ask the published database anything in SQL, read-only."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        found = reader.sql(_query_text(query))
    rows = found.records()
    show(rows, plain_columns(found.columns, rows), form)
    if form is Form.TABLE:
        note(f"{count(len(rows))} rows")


def _query_text(query: str) -> str:
    if query == "-":
        return sys.stdin.read()
    if query.endswith(".sql"):
        return Path(query).read_text(encoding="utf-8")
    return query


def check_command(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Run every check on the published database; exit status 3 when one finds something."""
    with closing(open_reader(home_of(home))) as reader:
        results = reader.checks()
    if as_json:
        show_object(results)
    else:
        for name, rows in results.items():
            say(
                f"{'ok  ' if not rows else 'FAIL'} {name}"
                + (f": {len(rows)} bad rows, the first {rows[0]}" if rows else "")
            )
        failed = sum(bool(rows) for rows in results.values())
        note(f"{len(results)} checks, {failed} found something")
    if any(results.values()):
        raise typer.Exit(A_CHECK_FOUND_SOMETHING)


def info_command(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """What the warehouse holds, where it lies, and how fresh it is."""
    place = home_of(home)
    with closing(open_reader(place)) as reader:
        facts: dict[str, Any] = {row["key"]: row["value"] for row in reader.query("meta").records()}
        sources = reader.query("sources").records()
        objects = reader.query("objects").records()
    size = place.database.stat().st_size
    if as_json:
        show_object({"database": place.database, "bytes": size, **facts, "sources": sources, "objects": objects})
        return
    say(f"{place.database}  ({count(size)} bytes, schema {facts['schema_version']})")
    say()
    show(sources, _SOURCE_COLUMNS, Form.TABLE)
    say()
    show(objects, plain_columns(("name", "kind", "meaning"), objects), Form.TABLE)


_SOURCE_COLUMNS = (
    Column("source", lambda row: str(row["source"])),
    Column("revisions", lambda row: count(row["revisions"]), right=True),
    Column("newest", lambda row: day(row["newest_revision_at"])),
    Column("runs", lambda row: count(row["runs"]), right=True),
    Column("present", lambda row: count(row["present"]), right=True),
    Column("hosts", lambda row: count(row["hosts"]), right=True),
    Column("GPUs", lambda row: count(row["environments"]), right=True),
    Column("records", lambda row: count(row["records"]), right=True),
    Column("refused", lambda row: count(row["refused"]), right=True),
)


def export_command(
    to: Annotated[Path, typer.Option("--to", help="Folder to write; one that an export made is replaced.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a snapshot: one Parquet file per table and view, checksums, licence notice."""
    from warehouse.snapshot import export

    written = export(home_of(home).database, to)
    if as_json:
        show_object({"to": to, "files": written})
    else:
        say(f"{to}: {len(written)} files; check them with `cd {to} && sha256sum -c SHA256SUMS`")
