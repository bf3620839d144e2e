"""``kbw history PROBLEM``: how the records of one problem moved, and every figure that was ever shown for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from flows.cli.chart import print_chart
from flows.cli.columns import (
    GPU,
    HOST,
    IMPLEMENTATION,
    INTERVAL,
    MEAN,
    computation_heading,
    copies,
    problem_name,
    short,
    with_source,
)
from flows.cli.filters import chosen
from flows.cli.gpus import Gpus
from flows.cli.lookup import one_problem, open_reader, sources_asked
from flows.cli.options import (
    EVER,
    AsOfOption,
    GpuOption,
    HomeOption,
    HostOption,
    JsonOption,
    ModeOption,
    ProblemArgument,
    SourceOption,
    form_of,
    home_of,
    moment,
)
from flows.cli.render import (
    Column,
    Format,
    count,
    day,
    duration,
    note,
    percent,
    say,
    say_long,
    show,
    show_object,
)

_EVENTS = (
    Column("when", lambda row: day(row["changed_at"]), whole=True),
    HOST,
    replace(GPU, spare=3),
    Column("what happened", lambda row: str(row["cause"]), whole=True),
    Column("held by", lambda row: str(row["implementation"] or "nobody")),
    MEAN,
    Column("before", lambda row: duration(row["previous_mean_ns"]), right=True, whole=True, spare=5),
    Column("gain", lambda row: percent(row["improvement"]), right=True, spare=4),
    Column("code", lambda row: short(row["code_digest"] or ""), spare=6),
)
_VERSIONS = (
    HOST,
    replace(GPU, spare=3),
    IMPLEMENTATION,
    replace(INTERVAL, shorter=lambda row: duration(row["mean_ns"])),
    Column("from", lambda row: day(row["from_at"]), whole=True),
    Column("until", lambda row: day(row["until_at"]) or "stands", whole=True),
    Column("code", lambda row: short(row["code_digest"] or "none"), spare=6),
)
_UNRANKED = Column("not ranked", lambda row: ", ".join(row["ineligible_reasons"]))
_REMOVALS = (
    HOST,
    replace(GPU, spare=3),
    IMPLEMENTATION,
    MEAN,
    Column("taken away", lambda row: day(row["removed_at"]), whole=True),
    Column("by revision", lambda row: str(row["removed_revision"])[:12], spare=2),
    Column("gap", lambda row: _gap(row)),
)
_UNREACHABLE = (
    HOST,
    replace(GPU, spare=3),
    IMPLEMENTATION,
    replace(INTERVAL, shorter=lambda row: duration(row["mean_ns"])),
    Column("observed", lambda row: day(row["observed_at"])),
    Column("in revision", lambda row: str(row["first_revision"])[:12], spare=2),
    Column("noticed", lambda row: day(row["unreachable_since"])),
    Column("code", lambda row: short(row["code_digest"] or "none"), spare=4),
)


def _gap(row: Mapping[str, Any]) -> str:
    """For how long nothing was in the place of a figure that was taken away."""
    if row["returned_at"] is None:
        return "nothing since"
    return f"{count(row['gap_days'])} days, until {day(row['returned_at'])}"


def history_command(
    problem: ProblemArgument,
    source: SourceOption = None,
    host: HostOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """How the records of one problem moved, and every figure that stood for it."""
    form = form_of(as_json)
    with closing(open_reader(home_of(home))) as reader:
        wanted = chosen(reader, source=source, host=host, gpu=gpu, mode=mode)
        sources = sources_asked(reader, wanted["source"])
        named = one_problem(reader, problem)
        asked = {**named, **wanted, "moment": moment(as_of) if as_of else EVER}
        found = {name: reader.query(query, **asked) for name, query in _PARTS.items()}
        parts = {name: one.records() for name, one in found.items()}
        computations = reader.query("problem_computations", **named).records()
        gpus = Gpus(reader)
        if form is Format.JSON:
            told = {name: rows if name == "copies" else gpus.within(rows) for name, rows in parts.items()}
            show_object({**named, "computations": computations, **told})
            return
        if form is not Format.TABLE:
            versions = gpus.within(parts["versions"]) if form.is_json else parts["versions"]
            show(versions, with_source(_VERSIONS, sources), form, found["versions"].columns)
            return
    say(f"{problem_name(named)}: how its records moved")
    say()
    groups = _groups(parts, computations)
    for group in groups:
        if len(groups) > 1:
            say_long(_heading(group))
            say()
        _print_group(parts, group.get("computation"), sources)
        versions = [row for row in parts["versions"] if row["computation"] == group.get("computation")]
        print_chart(versions, moment(as_of), several_sources=len(sources) > 1)
    _print_copies(parts["copies"])
    note("How a record is decided: kbw docs records")


_PARTS = {
    "events": "problem_events",
    "versions": "problem_versions_measured",
    "removals": "problem_removals",
    "unreachable": "problem_unreachable",
    "copies": "problem_copies",
}
"""What the answer consists of, and the query that gives it."""


def _groups(parts: Mapping[str, list[dict[str, Any]]], computations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The computations that were measured, those of the heads first; at the end what has no known module."""
    measured = {row["computation"] for name in ("events", "versions", "unreachable") for row in parts[name]}
    known = [one for one in computations if one["computation"] in measured]
    return [*known, {}] if None in measured or not known else known


def _heading(group: Mapping[str, Any]) -> str:
    if not group:
        return "Figures without a known module"
    return computation_heading(group["computation"], group["inputs"], group["at_head_of"])


def _print_group(parts: Mapping[str, list[dict[str, Any]]], computation: str | None, sources: list[str]) -> None:
    """Events and figures of one computation; parts that are empty are left out."""
    rows = {name: [row for row in part if row.get("computation") == computation] for name, part in parts.items()}
    for name, words, columns in _TABLES:
        if not rows[name]:
            continue
        if words:
            say(words)
            say()
        unranked = any(row.get("ineligible_reasons") for row in rows[name])
        show(rows[name], with_source((*columns, _UNRANKED) if unranked else columns, sources), Format.TABLE)
        say()


_TABLES = (
    ("events", "", _EVENTS),
    ("versions", "Every figure that stood, and when (the same code has the same eight digits):", _VERSIONS),
    ("removals", "Taken away with nothing in its place:", _REMOVALS),
    ("unreachable", "Kept, but unreachable: the branch was rewritten and shows them no more:", _UNREACHABLE),
)


def _print_copies(rows: list[dict[str, Any]]) -> None:
    if rows:
        total = sum(row["copies"] for row in rows)
        places = ", ".join(f"{row['source']} ({count(row['copies'])}, {count(row['stand'])} stand)" for row in rows)
        say_long(f"{copies(total)} of these figures in {places}; told once, here")
