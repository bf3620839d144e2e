"""``kbw coverage``: what was measured of the problems as they are now, and what is missing."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from flows.cli.columns import AT_HEAD_OF, MODE, PROBLEM, gpu_name, listed, short
from flows.cli.filters import chosen
from flows.cli.gpus import Gpus
from flows.cli.lookup import counted, fields_of, open_reader, sources_asked
from flows.cli.options import (
    CsvOption,
    FamilyOption,
    GpuOption,
    HomeOption,
    JsonOption,
    LevelOption,
    ModeOption,
    SourceOption,
    at_most,
    form_of,
    home_of,
    how_many,
)
from flows.cli.render import Column, Format, count, note, show

_COVERAGE = (
    Column("GPU", lambda row: gpu_name(row), whole=True),
    MODE,
    Column("computations", lambda row: count(row["computations"]), right=True, spare=2),
    Column("measured", lambda row: count(row["measured"]), right=True),
    Column("equivalent", lambda row: count(row["equivalent"]), right=True),
    Column("withdrawn", lambda row: count(row["withdrawn"]), right=True),
    Column("not measured", lambda row: count(row["not_measured"]), right=True, spare=3),
)
_GAPS = (
    Column("rank", lambda row: count(row["gap_rank"]), right=True),
    PROBLEM,
    Column("GPU", lambda row: gpu_name(row)),
    MODE,
    Column("status", lambda row: str(row["status"]).replace("_", " ")),
    Column("command that fills it", lambda row: str(row["command"] or "")),
)
_MEASURED_BY = Column("measured by", lambda row: listed(row["measured_by"]), spare=1)
_COMPUTATION = Column("computation", lambda row: short(row["computation"] or ""))


def coverage_command(
    source: SourceOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    level: LevelOption = None,
    family: FamilyOption = None,
    gaps: Annotated[bool, typer.Option("--gaps", help="The gaps one by one, the most useful first.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="At most so many gaps; 0: all.")] = 25,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """For how many problems, as they are now, each GPU has figures in each mode."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        wanted = chosen(reader, source=source, gpu=gpu, mode=mode, level=level, family=family)
        if gaps:
            found = reader.query("gaps", **wanted, at_most=at_most(limit))
        else:
            found = reader.query("coverage_by_gpu", **wanted)
        rows, counts = counted(found)
        several = len(sources_asked(reader, None)) > 1
        if form.is_json:
            rows = Gpus(reader).within(rows)
    if gaps:
        show(rows, (*_GAPS[:2], _COMPUTATION, AT_HEAD_OF, *_GAPS[2:]) if several else _GAPS, form, fields_of(found))
        if form is Format.TABLE:
            note(how_many(len(rows), counts["matching"], "gaps"))
            note("Commands run in a checkout of the source at its head; how gaps are ranked: kbw docs trust")
        return
    show(rows, (*_COVERAGE, _MEASURED_BY) if several else _COVERAGE, form, fields_of(found))
    if form is Format.TABLE:
        note(f"{how_many(len(rows), len(rows), 'pairs')} of GPU and mode")
        note(
            "measured: the problem as it is at head; equivalent: another version with the same computation; withdrawn: "
            "no longer shown. Counted are computations, whoever measured them. One problem: kbw show PROBLEM"
        )
