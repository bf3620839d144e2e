"""``kbw diff``: what came, went and changed between two revisions of a source."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import Annotated, Any

import typer

from flows.cli.columns import HOST, MODE, PROBLEM
from flows.cli.declared import harness, software
from flows.cli.filters import chosen
from flows.cli.gpus import Gpus
from flows.cli.lookup import DIGITS, open_reader, two_commits
from flows.cli.options import (
    FamilyOption,
    GpuOption,
    HomeOption,
    HostOption,
    JsonOption,
    LevelOption,
    ModeOption,
    SourceOption,
    form_of,
    home_of,
)
from flows.cli.reasons import why_changed
from flows.cli.render import Column, Format, Row, count, day, duration, note, ratio, say, show, show_object

_SUMMARY = (
    HOST,
    Column("GPU", lambda row: str(row["hardware"] or "not reported")),
    MODE,
    Column("same", lambda row: count(row["same"]), right=True),
    Column("new", lambda row: count(row["new"]), right=True),
    Column("gone", lambda row: count(row["gone"]), right=True),
    Column("changed", lambda row: count(row["changed"]), right=True),
    Column("median ratio", lambda row: ratio(row["median_ratio"]), right=True),
    Column("beyond intervals", lambda row: count(row["beyond_interval"]), right=True),
)
_CHANGED = (
    PROBLEM,
    HOST,
    MODE,
    Column("before", lambda row: duration(row["before_ns"]), right=True),
    Column("after", lambda row: duration(row["after_ns"]), right=True),
    Column("ratio", lambda row: ratio(row["ratio"]), right=True),
    Column("beyond intervals", lambda row: "yes" if row["beyond_interval"] else "no"),
    Column("why", lambda row: why_changed(row["reason"])),
)
_WHY = Column("why", lambda row: why_changed(row["reason"]) if row["what"] == "changed" else "")
_FIGURES = (_CHANGED[0], Column("what", lambda row: str(row["what"])), *_CHANGED[1:-1], _WHY)
"""Every figure that is new, gone or changed, for the formats that have one table."""


def diff_command(
    before: Annotated[str, typer.Argument(metavar="REV1", help="A revision, the beginning of its id, newest or head.")],
    after: Annotated[str, typer.Argument(metavar="REV2", help="Another one of the same source.")],
    source: SourceOption = None,
    host: HostOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    level: LevelOption = None,
    family: FamilyOption = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many changed figures; 0: all.")] = 25,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """What came, went and changed between two revisions of a source: figures, problems, declared software."""
    form = form_of(as_json)
    with closing(open_reader(home_of(home))) as reader:
        wanted = chosen(reader, source=source, host=host, gpu=gpu, mode=mode, level=level, family=family)
        old, new = two_commits(reader, before, after, wanted.pop("source"))
        ends = {"source": old["source"], "before": old["position"], "after": new["position"]}
        summary = reader.query("diff_summary", **ends, **wanted).records()
        found = reader.query("diff_figures", **ends, **wanted)
        figures = found.records()
        problems = reader.query("diff_problems", **ends, level=wanted["level"], family=wanted["family"]).records()
        declared = reader.query("declared_at", **ends).records()
        gpus = Gpus(reader)
        if form is Format.JSON:
            show_object(
                {
                    "source": old["source"],
                    "before": old,
                    "after": new,
                    "declared": declared,
                    "problems": problems,
                    "summary": gpus.within(summary),
                    "figures": gpus.within(figures),
                }
            )
            return
        if form is not Format.TABLE:
            show(gpus.within(figures) if form.is_json else figures, _FIGURES, form, found.columns)
            return
    say(f"{old['source']}: {_commit(old)} to {_commit(new)}")
    say()
    _print_declared(declared)
    _print_problems(problems)
    say("Figures:")
    say()
    show(summary, _SUMMARY, Format.TABLE)
    _print_changed([row for row in figures if row["what"] == "changed"], limit)
    note(
        "ratio: after over before, above 1 it got slower. New and gone figures one by one: --json. More: kbw docs trust"
    )


def _print_declared(declared: list[dict[str, Any]]) -> None:
    if len(declared) == 2 and software(declared[0]) == software(declared[1]):
        say(f"Declared software: {software(declared[0])}, at both")
    elif len(declared) == 2:
        say(f"Declared software: {software(declared[0])}; then {software(declared[1])}")
    if len(declared) == 2:
        same = declared[0]["harness_digest"] == declared[1]["harness_digest"]
        words = "the same" if same else f"{harness(declared[0])}; then {harness(declared[1])}"
        say(f"Timing scripts: {words}")
    say()


def _print_problems(problems: list[dict[str, Any]]) -> None:
    counted = Counter(row["what"] for row in problems)
    say(f"Problems: {counted['new']} new, {counted['gone']} gone, {counted['changed']} changed")
    for reason, times in Counter(row["reason"] for row in problems if row["what"] == "changed").most_common():
        say(f"  {times} {reason or 'changed'}: {why_changed(reason)}")
    say()


def _print_changed(changed: list[dict[str, Any]], limit: int) -> None:
    if not changed:
        return
    shown = changed[: limit or None]
    say()
    say(f"Changed, the largest change first ({count(len(shown))} of {count(len(changed))}):")
    say()
    show(shown, _CHANGED, Format.TABLE)


def _commit(row: Row) -> str:
    return f"{row['revision'][:DIGITS]} ({day(row['committed_at'])})"
