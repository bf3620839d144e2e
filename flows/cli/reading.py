"""Commands that read the published database: ``records``, ``sql``, ``check``, ``info``, ``export``."""

from __future__ import annotations

import sys
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.asking import AsOfOption, moment
from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.prompting import prompt
from flows.cli.render import (
    Column,
    Form,
    count,
    day,
    interval,
    note,
    percent,
    plain_columns,
    ratio,
    say,
    show,
    show_object,
    text,
)
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


def open_reader(home: Home) -> Reader:
    """The published database, read-only."""
    from warehouse.database import Reader

    return Reader(home.database)


class Sort(Enum):
    """In which order records are listed; it compares nothing."""

    GAIN = "gain"
    DATE = "date"
    IMPROVEMENT = "improvement"
    MARGIN = "margin"
    CHANGES = "changes"
    NAME = "name"


_SORTED_BY = {
    Sort.DATE: Column("held since", lambda row: day(row["held_since"])),
    Sort.IMPROVEMENT: Column("last change", lambda row: percent(row["improvement"]), right=True),
    Sort.CHANGES: Column("lead changes", lambda row: count(row["lead_changes"]), right=True),
}
NO_FILTER = {
    **dict.fromkeys(("problem", "level", "host", "gpu", "mode", "source", "clear", "moment")),
    "withdrawn": False,
    "sort": Sort.GAIN.value,
}
"""The parameters of ``sql/queries/records.sql`` where nothing is asked for."""


def records_command(
    problem: Annotated[
        str | None, typer.Argument(help="Only problems whose name has this in it.", show_default=False)
    ] = None,
    level: Annotated[str | None, typer.Option(help="Only this level, e.g. level3.", show_default=False)] = None,
    host: Annotated[str | None, typer.Option(help="Only this host folder.", show_default=False)] = None,
    gpu: Annotated[str | None, typer.Option(help="Only GPUs with this in their name.", show_default=False)] = None,
    mode: Annotated[str | None, typer.Option(help="Only records held by this mode.", show_default=False)] = None,
    source: Annotated[str | None, typer.Option(help="Only this source.", show_default=False)] = None,
    clear: Annotated[
        bool | None, typer.Option("--clear/--not-clear", help="Only (not) clear records.", show_default=False)
    ] = None,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="Also records that no longer stand.")] = False,
    sort: Annotated[Sort, typer.Option(help="The order of the list.")] = Sort.GAIN,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 25,
    as_of: AsOfOption = None,
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
            mode=mode,
            source=source,
            clear=clear,
            withdrawn=withdrawn,
            sort=sort.value,
            at_most=limit or _ALL,
            moment=moment(as_of) if as_of else None,
        ).records()
    more = [_SORTED_BY[sort]] if sort in _SORTED_BY else []
    show(rows, (*RECORD_COLUMNS[:-1], *more, RECORD_COLUMNS[-1]), form)
    if form is Form.TABLE:
        cut = f", the first {limit}; --limit 0 shows all" if limit and len(rows) == limit else ""
        note(f"{count(len(rows))} records{cut}. How a record is decided: docs/records.md")


def sql_command(
    query: Annotated[
        str | None,
        typer.Argument(
            help="SQL; a name ending in .sql is a file; - or nothing reads standard input, on a terminal a prompt.",
            show_default=False,
        ),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Ask the published database anything in SQL, read-only."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        if query is None and sys.stdin.isatty():
            prompt(reader, form)
        else:
            answer(reader, _query_text(query or "-"), form)


def answer(reader: Reader, text: str, form: Form) -> None:
    """Run a query and show what it gives."""
    found = reader.sql(text)
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


def check_command(
    sources: Annotated[
        bool,
        typer.Option("--sources", help="Check the sources' health instead: 3 when one is stale, failing or not known."),
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run every check on the published database; exit status 3 when one finds something."""
    if sources:
        _check_sources(home_of(home), as_json)
        return
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


def sources_command(home: HomeOption = None, as_json: JsonOption = False, as_csv: CsvOption = False) -> None:
    """The sources that are followed: last look, last change, when the next is due, last error."""
    show(_health(home_of(home)), _HEALTH_COLUMNS, form_of(as_json, as_csv))


def _health(home: Home) -> list[dict[str, Any]]:
    with closing(open_reader(home)) as reader:
        return reader.query("source_health").records()


def _check_sources(home: Home, as_json: bool) -> None:
    rows = _health(home)
    bad = [row for row in rows if row["status"] in ("stale", "unknown") or row["last_error"]]
    show(rows, _HEALTH_COLUMNS, Form.JSON if as_json else Form.TABLE)
    note(f"{len(rows)} sources, {len(bad)} stale, failing or not known")
    if bad:
        raise typer.Exit(A_CHECK_FOUND_SOMETHING)


_HEALTH_COLUMNS = (
    Column("source", lambda row: str(row["source"]), whole=True),
    Column("health", lambda row: str(row["status"])),
    Column("looked at (UTC)", lambda row: text(row["checked_at"])),
    Column("changed", lambda row: text(row["changed_at"])),
    Column("next due", lambda row: text(row["due_at"])),
    Column("newest revision", lambda row: day(row["newest_revision_at"])),
    Column("files", lambda row: count(row["files_present"]), right=True),
    Column("refused", lambda row: count(row["files_refused"]), right=True),
    Column("requests", lambda row: text(row["requests"]), right=True),
    Column("last error", lambda row: str(row["last_error"] or "")),
)


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
    Column("unreachable", lambda row: unreachable(row), right=True),
)


def unreachable(row: dict[str, Any] | Any) -> str:
    """What a source showed before its branch was rewritten, and shows no more."""
    if not row["revisions_unreachable"]:
        return ""
    return f"{count(row['runs_unreachable'])} runs, {count(row['revisions_unreachable'])} revisions"


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
