"""``kbw history PROBLEM``: how the records of one problem moved, and every figure that was ever shown for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from typing import Any

from flows.cli.columns import GPU, HOST, IMPLEMENTATION, INTERVAL, MEAN, problem_name
from flows.cli.gpus import Gpus
from flows.cli.lookup import one_problem, open_reader
from flows.cli.options import (
    EVER,
    AsOfOption,
    HomeOption,
    HostOption,
    JsonOption,
    ModeOption,
    ProblemArgument,
    home_of,
    moment,
)
from flows.cli.render import Column, Format, count, day, duration, note, percent, say, show, show_object, three_digits

_CHART_WIDTH, _CHART_HEIGHT = 64, 10

_EVENTS = (
    Column("when", lambda row: day(row["at"])),
    HOST,
    GPU,
    Column("what happened", lambda row: str(row["cause"])),
    Column("held by", lambda row: str(row["implementation"] or "nobody")),
    MEAN,
    Column("before", lambda row: duration(row["previous_mean_ns"]), right=True),
    Column("gain", lambda row: percent(row["improvement"]), right=True),
    Column("code", lambda row: str(row["code_digest"] or "")[:8]),
)
_VERSIONS = (
    HOST,
    GPU,
    IMPLEMENTATION,
    INTERVAL,
    Column("from", lambda row: day(row["from_at"])),
    Column("until", lambda row: day(row["until_at"]) or "stands"),
    Column("code", lambda row: str(row["code_digest"] or "none")[:8]),
)
_REMOVALS = (
    HOST,
    GPU,
    IMPLEMENTATION,
    MEAN,
    Column("taken away", lambda row: day(row["removed_at"])),
    Column("by revision", lambda row: str(row["removed_revision"])[:12]),
    Column("gap", lambda row: _gap(row)),
)
_UNREACHABLE = (
    HOST,
    GPU,
    IMPLEMENTATION,
    INTERVAL,
    Column("observed", lambda row: day(row["observed_at"])),
    Column("in revision", lambda row: str(row["first_revision"])[:12]),
    Column("noticed", lambda row: day(row["unreachable_since"])),
    Column("code", lambda row: str(row["code_digest"] or "none")[:8]),
)


def _gap(row: Mapping[str, Any]) -> str:
    """For how long nothing was in the place of a figure that was taken away."""
    if row["returned_at"] is None:
        return "nothing since"
    return f"{count(row['gap_days'])} days, until {day(row['returned_at'])}"


def history_command(
    problem: ProblemArgument,
    host: HostOption = None,
    mode: ModeOption = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """How the records of one problem moved, and every figure that stood for it."""
    with closing(open_reader(home_of(home))) as reader:
        named = one_problem(reader, problem)
        asked = {**named, "host": host, "mode": mode, "moment": moment(as_of) if as_of else EVER}
        events = reader.query("problem_events", **asked).records()
        versions = reader.query("problem_versions_measured", **asked).records()
        removals = reader.query("problem_removals", **asked).records()
        unreachable = reader.query("problem_unreachable", **asked).records()
        if as_json:
            parts = {"events": events, "versions": versions, "removals": removals, "unreachable": unreachable}
            gpus = Gpus(reader)
            show_object({**named, **{part: gpus.within(rows) for part, rows in parts.items()}})
            return
    say(f"{problem_name(named)}: how its records moved")
    say()
    show(events, _EVENTS, Format.TABLE)
    say()
    say("Every figure that stood, and when (the same code has the same eight digits):")
    say()
    show(versions, _VERSIONS, Format.TABLE)
    if removals:
        say()
        say("Taken away with nothing in its place:")
        say()
        show(removals, _REMOVALS, Format.TABLE)
    if unreachable:
        say()
        say("Kept, but unreachable: the branch was rewritten and shows them no more:")
        say()
        show(unreachable, _UNREACHABLE, Format.TABLE)
    _chart(versions, moment(as_of))
    note("How a record is decided: docs/records.md")


def _chart(versions: list[dict[str, Any]], until: datetime) -> None:
    """The means over time, a line for each figure, where there is more than one moment to draw."""
    if len({row["from_at"] for row in versions}) < 2:
        return
    import plotille

    figure = plotille.Figure()
    figure.width, figure.height, figure.with_colors = _CHART_WIDTH, _CHART_HEIGHT, False
    figure.x_label, figure.y_label = "", "ms"
    figure.register_label_formatter(float, lambda value, chars, delta, left: three_digits(value).rjust(chars))
    figure.register_label_formatter(int, lambda value, chars, delta, left: str(value).rjust(chars))
    figure.set_y_limits(min_=0)
    for row in versions:
        mean_ms = row["mean_ns"] / 1e6
        figure.plot([row["from_at"], row["until_at"] or until], [mean_ms, mean_ms])
    say()
    print(figure.show())
