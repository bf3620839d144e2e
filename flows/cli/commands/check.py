"""``kbw check``: whether the database keeps its promises, landing what was kept, and whether sources are well."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.columns import HEALTH
from flows.cli.exits import FOUND_SOMETHING
from flows.cli.health import health_of
from flows.cli.lookup import open_reader
from flows.cli.metrics import MetricsOption, is_well, write_metrics
from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.progress import progress
from flows.cli.render import Format, count, note, say, show, show_object
from warehouse.home import Home

if TYPE_CHECKING:
    from warehouse.database import Reader
    from warehouse.landing.audit import Audit


def check_command(
    sources: Annotated[
        bool,
        typer.Option("--sources", help="Check the sources' health instead: 3 when one is stale, failing or not known."),
    ] = False,
    landing: Annotated[
        bool,
        typer.Option("--landing", help="Read all that has landed instead: 3 when anything is lost or damaged."),
    ] = False,
    set_aside: Annotated[
        bool,
        typer.Option(
            "--set-aside",
            help="Beside --landing: move what is damaged to landing/damaged, so that the next ingest fetches it again. "
            "Without it nothing is written.",
        ),
    ] = False,
    metrics: MetricsOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run every check on the published database; exit status 3 when one finds something."""
    if set_aside and not landing:
        raise typer.BadParameter("--set-aside goes with --landing")
    if metrics is not None and not sources:
        raise typer.BadParameter("--metrics goes with --sources")
    if landing:
        _check_landing(home_of(home), as_json, set_aside=set_aside)
        return
    if sources:
        _check_sources(home_of(home), as_json, metrics)
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


def _check_sources(home: Home, as_json: bool, metrics: Path | None) -> None:
    rows = health_of(home)
    bad = [row for row in rows if not is_well(row)]
    if metrics is not None:
        write_metrics(metrics, rows)
    show(rows, HEALTH, Format.JSON if as_json else Format.TABLE)
    note(f"{len(rows)} sources, {len(bad)} stale, failing or not known" if rows else "no source is followed")
    if bad or not rows:
        raise typer.Exit(FOUND_SOMETHING)


def _check_landing(home: Home, as_json: bool, *, set_aside: bool) -> None:
    from warehouse.landing.audit import audit, set_findings_aside
    from warehouse.locking import only_ingest

    with progress() as listener, only_ingest(home) if set_aside else nullcontext():
        found = audit(home.landing, listener.words)
        moved = set_findings_aside(home.landing, found) if set_aside else []
    if as_json:
        findings = [{**asdict(one), "remedy": one.remedy} for one in found.findings]
        show_object({**asdict(found), "findings": findings, "set_aside": len(moved)})
    else:
        _say_landing(found)
    if found.findings:
        raise typer.Exit(FOUND_SOMETHING)


_NOBODY = "needed by no source"
_AT_MOST = 10
"""Findings of one source that are told; thousands help nobody who reads them."""


def _say_landing(found: Audit) -> None:
    for source, group in groupby(found.findings, key=lambda one: (one.sources or (_NOBODY,))[0]):
        findings = list(group)
        counts = Counter(one.what for one in findings)
        say(f"{source}: {', '.join(f'{count(n)} {what}' for what, n in counts.items())}")
        for one in findings[:_AT_MOST]:
            say(f"  {one.what:<7} {one.file}: {one.said}")
        if len(findings) > _AT_MOST:
            say(f"  and {count(len(findings) - _AT_MOST)} more; --json has all")
        say(f"  to do   {max((one.remedy for one in findings), key=len)}")
    if not found.has_digests:
        note("of before there were digests: the next ingest adds them; until then only blobs can be compared")
    if found.kept_aside:
        note(f"{count(found.kept_aside)} files were set aside before, in landing/damaged; they may be removed")
    note(f"{count(found.files)} files read, {count(len(found.findings))} lost, damaged or unknown")
