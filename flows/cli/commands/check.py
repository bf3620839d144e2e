"""``kbw check``: whether the published database keeps its promises, and whether its sources are well."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.columns import HEALTH
from flows.cli.exits import FOUND_SOMETHING
from flows.cli.lookup import open_reader
from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.render import Format, note, say, show, show_object
from warehouse.home import Home

if TYPE_CHECKING:
    from warehouse.database import Reader


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
        results = _checked(reader)
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
        raise typer.Exit(FOUND_SOMETHING)


def _checked(reader: Reader) -> dict[str, list[tuple[Any, ...]]]:
    """What each check finds; the others only where every table can be read, for they would fail on it."""
    results: dict[str, list[tuple[Any, ...]]] = {"tables_can_be_read": list(reader.unreadable())}
    return results if results["tables_can_be_read"] else results | reader.checks()


def _check_sources(home: Home, as_json: bool) -> None:
    with closing(open_reader(home)) as reader:
        rows = reader.query("source_health").records()
    bad = [row for row in rows if row["status"] in ("stale", "unknown") or row["last_error"]]
    show(rows, HEALTH, Format.JSON if as_json else Format.TABLE)
    note(f"{len(rows)} sources, {len(bad)} stale, failing or not known")
    if bad:
        raise typer.Exit(FOUND_SOMETHING)
