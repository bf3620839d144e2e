"""``kbw records``: who holds each record, per problem, host and GPU."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from enum import Enum
from typing import Annotated

import typer

from flows.cli.asked import wide
from flows.cli.columns import RECORDS, with_source
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
from flows.cli.reasons import SEVERITIES, by_severity, in_words, severities_explained
from flows.cli.render import Column, Format, count, day, note, percent, show


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


def records_command(
    problem: Annotated[
        str | None, typer.Argument(help="Only problems whose name has this in it.", show_default=False)
    ] = None,
    source: SourceOption = None,
    host: HostOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    level: LevelOption = None,
    family: FamilyOption = None,
    reason: ReasonOption = None,
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
        wanted = chosen(reader, source=source, host=host, gpu=gpu, mode=mode, level=level, family=family)
        sources = sources_asked(reader, wanted["source"])
        found = reader.query(
            "records",
            **wanted,
            problem=problem,
            reason=reason_meant(reason),
            clear=clear,
            withdrawn=withdrawn,
            sort=sort.value,
            at_most=at_most(limit),
            moment=moment(as_of) if as_of else None,
        )
        rows, counts = counted(found)
        if form.is_json:
            rows = Gpus(reader).within(rows)
    if form is Format.TABLE:
        _note_counts(len(rows), counts)
    more = [_SORTED_BY[sort]] if sort in _SORTED_BY else []
    show(
        rows,
        with_source((*RECORDS[:-1], *more, RECORDS[-1], *([_REASONS] if wide() else [])), sources),
        form,
        fields_of(found),
    )
    if form is Format.TABLE:
        note("Reasons: --wide, kbw stale, kbw explain. How a record is decided: kbw docs records")


_REASONS = Column("reasons", lambda row: in_words(row))


def _note_counts(shown: int, counts: Mapping[str, int]) -> None:
    """How many there are, and which of them can be used today: said first, so that it is on the first screen."""
    nothing = counts["matching"] - sum(counts[severity] for severity in SEVERITIES)
    told = f": {by_severity(counts, nothing)}" if counts["matching"] else ""
    note(f"{how_many(shown, counts['matching'], 'records')}{told}")
    for line in severities_explained():
        note(line)
