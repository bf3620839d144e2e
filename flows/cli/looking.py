"""Commands that look along time and over the grid: ``history``, ``stale``, ``coverage``."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from typing import Annotated, Any

import typer

from flows.cli.asking import AsOfOption, moment, one_problem
from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.reading import open_reader
from flows.cli.render import (
    Column,
    Form,
    count,
    day,
    duration,
    interval,
    note,
    percent,
    say,
    show,
    show_object,
    three_digits,
)
from flows.cli.words import REASONS, in_words

SOMETHING_IS_STALE = 3
_ALL = 2**62
_CHART_WIDTH, _CHART_HEIGHT = 64, 10


_EVENTS = (
    Column("when", lambda row: day(row["at"])),
    Column("host", lambda row: str(row["host"])),
    Column("GPU", lambda row: str(row["gpu"])),
    Column("what happened", lambda row: str(row["cause"])),
    Column("held by", lambda row: str(row["implementation"] or "nobody")),
    Column("mean", lambda row: duration(row["mean_ns"]), right=True),
    Column("before", lambda row: duration(row["previous_mean_ns"]), right=True),
    Column("gain", lambda row: percent(row["improvement"]), right=True),
    Column("code", lambda row: str(row["code_digest"] or "")[:8]),
)
_VERSIONS = (
    Column("host", lambda row: str(row["host"])),
    Column("GPU", lambda row: str(row["gpu"])),
    Column("implementation", lambda row: str(row["implementation"])),
    Column("mean, 95 % interval", lambda row: interval(row["mean_ns"], row["ci95_half_ns"]), right=True),
    Column("from", lambda row: day(row["from_at"])),
    Column("until", lambda row: day(row["until_at"]) or "stands"),
    Column("code", lambda row: str(row["code_digest"] or "none")[:8]),
)


_REMOVALS = (
    Column("host", lambda row: str(row["host"])),
    Column("GPU", lambda row: str(row["gpu"])),
    Column("implementation", lambda row: str(row["implementation"])),
    Column("mean", lambda row: duration(row["mean_ns"]), right=True),
    Column("taken away", lambda row: day(row["removed_at"])),
    Column("by revision", lambda row: str(row["removed_revision"])[:12]),
    Column("gap", lambda row: gap(row)),
)


_UNREACHABLE = (
    Column("host", lambda row: str(row["host"])),
    Column("GPU", lambda row: str(row["gpu"])),
    Column("implementation", lambda row: str(row["implementation"])),
    Column("mean, 95 % interval", lambda row: interval(row["mean_ns"], row["ci95_half_ns"]), right=True),
    Column("observed", lambda row: day(row["observed_at"])),
    Column("in revision", lambda row: str(row["first_revision"])[:12]),
    Column("noticed", lambda row: day(row["lost_at"])),
    Column("code", lambda row: str(row["code_digest"] or "none")[:8]),
)


def gap(row: Mapping[str, Any]) -> str:
    """For how long nothing stood in the place of a figure that was taken away."""
    if row["returned_at"] is None:
        return "nothing since"
    return f"{count(row['gap_days'])} days, until {day(row['returned_at'])}"


def history_command(
    problem: Annotated[str, typer.Argument(help="level3/28, 28_VisionTransformer or VisionTransformer.")],
    host: Annotated[str | None, typer.Option(help="Only this host folder.", show_default=False)] = None,
    mode: Annotated[str | None, typer.Option(help="Only this mode.", show_default=False)] = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """How the records of one problem moved, and every figure that stood for it."""
    with closing(open_reader(home_of(home))) as reader:
        named = one_problem(reader, problem)
        asked = {**named, "host": host, "mode": mode, "moment": moment(as_of)}
        events = reader.query("problem_events", **asked).records()
        versions = reader.query("problem_versions_measured", **asked).records()
        removals = reader.query("problem_removals", **asked).records()
        lost = reader.query("problem_unreachable", **asked).records()
    if as_json:
        show_object({**named, "events": events, "versions": versions, "removals": removals, "unreachable": lost})
        return
    say(f"{named['level']}/{named['problem'].removesuffix('.py')}: how its records moved")
    say()
    show(events, _EVENTS, Form.TABLE)
    say()
    say("Every figure that stood, and when (the same code has the same eight digits):")
    say()
    show(versions, _VERSIONS, Form.TABLE)
    if removals:
        say()
        say("Taken away with nothing in its place:")
        say()
        show(removals, _REMOVALS, Form.TABLE)
    if lost:
        say()
        say("Kept, but unreachable: the branch was rewritten and shows them no more:")
        say()
        show(lost, _UNREACHABLE, Form.TABLE)
    _chart(versions, moment(as_of))
    note("How a record is decided: docs/records.md")


def _chart(versions: list[dict[str, Any]], until: datetime) -> None:
    """The means over time, a line for each figure that stood, where there is more than one moment to draw."""
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


_STALE = (
    Column("problem", lambda row: f"{row['level']}/{row['problem'].removesuffix('.py')}", whole=True),
    Column("host", lambda row: str(row["host"])),
    Column("GPU", lambda row: str(row["gpu"])),
    Column("implementation", lambda row: str(row["implementation"])),
    Column("mean", lambda row: duration(row["mean_ns"]), right=True),
    Column("observed", lambda row: day(row["observed_at"])),
    Column("why", lambda row: in_words(row)),
)


def stale_command(
    reason: Annotated[
        str | None, typer.Option(help="Only this reason, e.g. problem_changed.", show_default=False)
    ] = None,
    host: Annotated[str | None, typer.Option(help="Only this host folder.", show_default=False)] = None,
    gpu: Annotated[str | None, typer.Option(help="Only GPUs with this in their name.", show_default=False)] = None,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="Also figures that no longer stand.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="At most so many; 0: all.")] = 25,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with 3 when there is any: for scripts.")] = False,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Figures that can no longer be trusted without a second look, and why."""
    form = form_of(as_json, as_csv)
    if reason is not None and reason not in REASONS:
        raise typer.BadParameter(f"{reason}: no such reason; there are {', '.join(REASONS)}")
    with closing(open_reader(home_of(home))) as reader:
        rows = reader.query(
            "stale_runs",
            reason=reason,
            host=host,
            gpu=gpu,
            withdrawn=withdrawn,
            at_most=limit or _ALL,
            moment=moment(as_of),
        ).records()
    show(rows, _STALE, form)
    if form is Form.TABLE:
        cut = f", the first {limit}; --limit 0 shows all" if limit and len(rows) == limit else ""
        note(f"{count(len(rows))} stale figures{cut}")
    if fail and rows:
        raise typer.Exit(SOMETHING_IS_STALE)


_COVERAGE = (
    Column("GPU", lambda row: gpu_name(row), whole=True),
    Column("mode", lambda row: str(row["mode"])),
    Column("problems", lambda row: count(row["problems"]), right=True),
    Column("measured", lambda row: count(row["measured"]), right=True),
    Column("equivalent", lambda row: count(row["equivalent"]), right=True),
    Column("withdrawn", lambda row: count(row["withdrawn"]), right=True),
    Column("not measured", lambda row: count(row["not_measured"]), right=True),
    Column("source", lambda row: str(row["source"])),
)


_GAPS = (
    Column("rank", lambda row: count(row["gap_rank"]), right=True),
    Column("problem", lambda row: f"{row['level']}/{row['problem'].removesuffix('.py')}", whole=True),
    Column("GPU", lambda row: gpu_name(row)),
    Column("mode", lambda row: str(row["mode"])),
    Column("status", lambda row: str(row["status"]).replace("_", " ")),
    Column("command that fills it", lambda row: str(row["command"] or "")),
)


def gpu_name(row: dict[str, Any] | Any) -> str:
    """``NVIDIA A100 SXM4 40 GB``: enough to tell cards of one product apart."""
    if row["product"] is None:
        return str(row["hardware"] or "GPU not reported")
    return " ".join(str(part) for part in (row["product"], row["form_factor"], f"{row['memory_gb']} GB") if part)


def coverage_command(
    gpu: Annotated[str | None, typer.Option(help="Only GPUs with this in their name.", show_default=False)] = None,
    level: Annotated[str | None, typer.Option(help="Only this level.", show_default=False)] = None,
    mode: Annotated[str | None, typer.Option(help="Only this mode.", show_default=False)] = None,
    gaps: Annotated[bool, typer.Option("--gaps", help="The gaps one by one, the most useful first.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="At most so many gaps; 0: all.")] = 25,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """For how many problems, as they are now, each GPU has figures in each mode."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        if gaps:
            rows = reader.query("gaps", gpu=gpu, level=level, mode=mode, at_most=limit or _ALL).records()
        else:
            rows = reader.query("coverage_by_gpu", gpu=gpu, level=level, mode=mode).records()
    if gaps:
        show(rows, _GAPS, form)
        if form is Form.TABLE:
            note("Commands run in a checkout of the source at its head; how gaps are ranked: docs/trust.md")
        return
    show(rows, _COVERAGE, form)
    if form is Form.TABLE:
        note(
            "measured: the problem as it is now; equivalent: another version with the same computation; withdrawn: no "
            "longer shown. One problem: kbw show PROBLEM"
        )
