"""``kbw stale``: figures that can no longer be trusted without a second look, and why."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from enum import Enum
from typing import Annotated

import typer

from flows.cli.columns import GPU, HOST, IMPLEMENTATION, MEAN, OBSERVED, PROBLEM, SEVERITY, with_source
from flows.cli.exits import FOUND_SOMETHING
from flows.cli.filters import chosen, reason_meant
from flows.cli.gpus import Gpus
from flows.cli.lookup import counted, fields_of, open_reader, sources_asked
from flows.cli.options import (
    AsOfOption,
    CsvOption,
    FamilyOption,
    GpuOption,
    HomeOption,
    HostOption,
    JsonOption,
    LevelOption,
    ModeOption,
    ReasonOption,
    SourceOption,
    at_most,
    form_of,
    home_of,
    how_many,
    moment,
)
from flows.cli.reasons import by_severity, in_words, severities_explained
from flows.cli.render import Column, Format, note, show

_STALE = (
    PROBLEM,
    HOST,
    replace(GPU, spare=3),
    IMPLEMENTATION,
    MEAN,
    OBSERVED,
    replace(SEVERITY, spare=0),
    Column("why", lambda row: in_words(row), shorter=lambda row: ", ".join(row["reasons"])),
)


class Severity(Enum):
    """How grave a reason is."""

    ERROR = "error"
    WARN = "warn"
    NOTE = "note"


def stale_command(
    reason: ReasonOption = None,
    severity: Annotated[
        Severity | None, typer.Option(help="Only figures with a reason at least that grave.", show_default=False)
    ] = None,
    source: SourceOption = None,
    host: HostOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    level: LevelOption = None,
    family: FamilyOption = None,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="Also figures that no longer stand.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 25,
    fail: Annotated[
        bool, typer.Option("--fail", help="Exit with 3 when a figure is listed: for scripts, with --severity.")
    ] = False,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Figures that can no longer be trusted without a second look, and why."""
    form = form_of(as_json, as_csv)
    reason = reason_meant(reason)
    with closing(open_reader(home_of(home))) as reader:
        wanted = chosen(reader, source=source, host=host, gpu=gpu, mode=mode, level=level, family=family)
        sources = sources_asked(reader, wanted["source"])
        found = reader.query(
            "stale_runs",
            **wanted,
            reason=reason,
            severity=severity and severity.value,
            withdrawn=withdrawn,
            at_most=at_most(limit),
            moment=moment(as_of),
        )
        rows, counts = counted(found)
        if form.is_json:
            rows = Gpus(reader).within(rows)
    show(rows, with_source(_STALE, sources), form, fields_of(found))
    if form is Format.TABLE:
        told = f": {by_severity(counts)}" if rows else ""
        note(f"{how_many(len(rows), counts['matching'], 'stale figures')}{told}")
        for line in severities_explained():
            note(line)
    if fail and rows:
        raise typer.Exit(FOUND_SOMETHING)
