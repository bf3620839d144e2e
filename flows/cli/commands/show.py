"""``kbw show PROBLEM``: everything about one problem, the answer first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Annotated, Any

import typer

from flows.cli.columns import (
    HELD_BY,
    HOST,
    IMPLEMENTATION,
    INTERVAL,
    OBSERVED,
    SEVERITY,
    VERSUS_EAGER,
    computation_heading,
    copies,
    gpu_name,
    half_ns,
    listed,
    problem_name,
    short,
    with_source,
)
from flows.cli.filters import chosen
from flows.cli.gpus import Gpus
from flows.cli.lookup import one_problem, open_reader, sources_asked
from flows.cli.options import (
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
from flows.cli.page import Asked, Group, Page, days, link_of, page_of
from flows.cli.reasons import in_words, why_unranked
from flows.cli.render import (
    Column,
    Format,
    Row,
    count,
    day,
    duration,
    interval,
    memory,
    note,
    operations,
    ratio,
    say,
    say_long,
    show,
    show_object,
)

_MARGIN = 10
"""Where the lines of a block go on."""
_RANKED = (
    HOST,
    Column("GPU", lambda row: _gpu(row)),
    IMPLEMENTATION,
    Column("rank", lambda row: str(row["rank"]), right=True),
    INTERVAL,
    VERSUS_EAGER,
    OBSERVED,
    SEVERITY,
    Column("computation", lambda row: short(row["computation"] or "")),
)
"""Every run that stands and is ranked, for the formats that have one table."""


def show_command(
    problem: ProblemArgument,
    source: SourceOption = None,
    host: HostOption = None,
    gpu: GpuOption = None,
    mode: ModeOption = None,
    computation: Annotated[
        str | None, typer.Option(help="Only the computation whose digest begins so.", show_default=False)
    ] = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """One problem: who is fastest, on what, by how much, and whether it can be trusted."""
    form = form_of(as_json)
    with closing(open_reader(home_of(home))) as reader:
        wanted = chosen(reader, source=source, host=host, gpu=gpu, mode=mode)
        sources = sources_asked(reader, wanted["source"])
        asked = Asked(**wanted, computation=computation, moment=moment(as_of) if as_of else None)
        page = page_of(reader, one_problem(reader, problem), sources, asked)
        if form is Format.JSON:
            show_object(_as_json(Gpus(reader), page))
            return
        if form is not Format.TABLE:
            runs = Gpus(reader).within(page.ranked) if form.is_json else page.ranked
            show(runs, with_source(_RANKED, sources), form, list(page.runs[0]) if page.runs else ())
            return
    _print(page, as_of)
    note("How a record is decided: kbw docs records")


def _as_json(gpus: Gpus, page: Page) -> dict[str, Any]:
    alone = page.groups[0] if len(page.groups) == 1 else None
    return {
        **page.problem,
        "fastest": gpus.within([alone.fastest])[0] if alone else None,
        "eligible_runs": len(page.ranked),
        "computations": [_group_as_json(gpus, group) for group in page.groups],
        "records": gpus.within([run for group in page.groups for run in group.records]),
        "ranking": gpus.within(alone.ranking) if alone else [],
        "unranked": gpus.within(page.unranked),
        "copies": page.copies,
        "runs": [{**run, "source_url": link_of(run)} for run in gpus.within(page.runs)],
        "coverage": gpus.within(page.coverage),
        "floors": page.floors,
        "implementations": page.implementations,
        "workloads": [{**one, **_parsed(one)} for one in page.workloads],
        "identities": page.identities,
    }


def _group_as_json(gpus: Gpus, group: Group) -> dict[str, Any]:
    return {
        "computation": group.computation,
        "codes": group.codes,
        "inputs": group.inputs,
        "at_head_of": group.at_head_of,
        "eligible_runs": len(group.standing),
        "fastest": gpus.within([group.fastest])[0],
        "records": gpus.within(group.records),
        "ranking": gpus.within(group.ranking),
    }


def _parsed(workload: Row) -> dict[str, Any]:
    told = {name: workload[name] for name in ("inputs", "axes", "scalars", "init")}
    return {name: None if text is None else json.loads(text) for name, text in told.items()}


def _print(page: Page, as_of: str | None) -> None:
    workload = page.workload
    title = workload["title"] if workload else page.problem["problem"].removesuffix(".py")
    family = f" · {workload['family']}" if workload else ""
    then = f" · as of {as_of}" if as_of else ""
    say(f"{title}  {page.problem['level']}/{page.problem['problem']}{family} · {_how_many(page)}{then}")
    say()
    if len(page.groups) > 1:
        _print_computations(page)
    else:
        _print_one(page)


def _how_many(page: Page) -> str:
    groups = f" of {len(page.groups)} computations" if len(page.groups) > 1 else ""
    sources = {run["source"] for run in page.ranked}
    places = f" in {len(sources)} sources" if len(sources) > 1 else ""
    return f"{count(len(page.ranked))} eligible runs{groups}{places}"


def _print_computations(page: Page) -> None:
    """Computations under each other, each with its own fastest; the rest is on the page of one of them alone."""
    for place, group in enumerate(page.groups):
        say_long(computation_heading(group.computation, group.inputs, group.at_head_of, len(group.codes)))
        _print_fastest(page, group, trust=place == 0)
        _print_floors_in_short(page, group)
        say()
        _print_records(page, group)
    _print_unranked(page)
    _print_copies(page)
    _print_gone(page)
    _print_coverages(page)
    name = problem_name(page.problem)
    say("Computations are not compared. One of them, with its ranking, floor, workload and links:")
    say(f"  kbw show {name} --computation {short(page.groups[0].computation)}")


def _print_one(page: Page) -> None:
    if page.groups:
        (group,) = page.groups
        _print_fastest(page, group, trust=True)
        say()
        _print_records(page, group)
        _print_ranking(group)
    else:
        say("No eligible run stands.")
        say()
    _print_unranked(page)
    _print_copies(page)
    _print_gone(page)
    _print_coverage(page)
    if page.groups:
        _print_floors(page, page.groups[0])
    _print_implementations(page)
    if page.workload:
        _print_workload(page, page.workload)
    _print_links(page)


def _print_fastest(page: Page, group: Group, *, trust: bool) -> None:
    """The fastest figure; ``trust``: with what is to be thought of figures like it."""
    best = group.fastest
    versus = (
        f" · {ratio(best['vs_baseline'])} faster than eager" if best["vs_baseline"] and not best["is_baseline"] else ""
    )
    whose = f", {best['source']}" if len(page.sources) > 1 else ""
    say(f"Fastest   {interval(best['mean_ns'], half_ns(best))} · mean of {best['num_trials']}{versus}")
    say(f"          {best['implementation']} on {best['host']} ({_gpu(best)}){whose}")
    say(f"          observed {day(best['observed_at'])}{_stale(best)}")
    known = next((one for one in page.implementations if one["mode"] == best["mode"]), None)
    if known and trust:
        say(f"          {known['trust']}: {known['trust_meaning']}")


def _print_floors_in_short(page: Page, group: Group) -> None:
    """The floors under the fastest figure in one line: the traced one, and the index's beside it."""
    told = [
        f"{floor['policy']} {duration(floor['floor_ns'])} ({ratio(floor['ratio'])} below)"
        for floor in page.floors.get(group.fastest["cohort_id"], [])
        if floor["floor_ns"] is not None
    ]
    if told:
        say_long(f"Floor     {', '.join(told)}", _MARGIN)


def _print_records(page: Page, group: Group) -> None:
    say("Current records, one per machine; machines are not compared")
    columns = (
        HOST,
        Column("GPU", lambda row: _gpu(row), spare=3),
        replace(INTERVAL, heading="best known", shorter=lambda row: duration(row["mean_ns"])),
        HELD_BY,
        VERSUS_EAGER,
        Column("runs", lambda row: count(row["cohort_size"]), right=True, spare=5),
        SEVERITY,
    )
    show(group.records, with_source(columns, page.sources), Format.TABLE)
    say()


def _print_ranking(group: Group) -> None:
    best = group.fastest
    say(f"Ranking on {best['host']} ({_gpu(best)})")
    show(
        group.ranking,
        (
            Column("#", lambda row: str(row["rank"]), right=True),
            Column("shared", lambda row: str(row["rank_shared"]), right=True, spare=6),
            Column(
                "implementation", lambda row: str(row["implementation"]) + (" (baseline)" if row["is_baseline"] else "")
            ),
            INTERVAL,
            Column("vs #1", lambda row: ratio(row["vs_first"]), right=True, spare=5),
            VERSUS_EAGER,
            OBSERVED,
            Column("stale", lambda row: in_words(row), spare=1),
        ),
        Format.TABLE,
    )
    say()


def _print_unranked(page: Page) -> None:
    if not page.unranked:
        return
    say("Stands, and is not ranked")
    columns = (
        HOST,
        Column("GPU", lambda row: _gpu(row)),
        Column("implementation", lambda row: str(row["implementation"])),
        INTERVAL,
        OBSERVED,
        Column("why", lambda row: why_unranked(row["ineligible_reasons"])),
    )
    show(page.unranked, with_source(columns, page.sources), Format.TABLE)
    say()


def _print_copies(page: Page) -> None:
    if page.copies:
        total = sum(row["stand"] for row in page.copies)
        places = ", ".join(f"{row['source']} ({count(row['stand'])})" for row in page.copies)
        say_long(f"{copies(total)} in {places}; not ranked, not counted")


def _print_gone(page: Page) -> None:
    if page.gone:
        hosts = sorted({str(run["host"]) for run in page.gone})
        say_long(f"No longer shown: {count(len(page.gone))} runs on {', '.join(hosts)}; `kbw history` has them")
    if page.gone or page.copies:
        say()


_COVERED = {
    "measured": "measured in {modes}",
    "equivalent": "{modes} on an equivalent version of the problem ({since}{withdrawn})",
    "withdrawn": "{modes} withdrawn on {gone}",
    "not_measured": "{modes} never measured",
}


def _print_coverage(page: Page) -> None:
    """On which GPUs the problem was measured as it is at heads: a line for each GPU, one for those without a figure."""
    for heads, rows in _by(page.coverage, "computation"):
        several = len({row["computation"] for row in page.coverage}) > 1
        whose = f", at head of {listed(rows[0]['at_head_of'])} ({short(heads)})" if several else ""
        say(f"Coverage of the problem as it is now{whose}")
        gpus = _by(rows, "hardware")
        measured = [(gpu, of_gpu) for gpu, of_gpu in gpus if not _never_measured(of_gpu)]
        lines = [{"gpu": gpu_name(r[0]), "words": "; ".join(map(_covered, r))} for _, r in measured]
        show(
            lines,
            (Column("GPU", lambda r: str(r["gpu"]), whole=True), Column("", lambda r: str(r["words"]))),
            Format.TABLE,
        )
        if never := [gpu_name(of_gpu[0]) for _, of_gpu in gpus if _never_measured(of_gpu)]:
            say_long(f"Never measured for this workload: {', '.join(never)}")
        say()


def _print_coverages(page: Page) -> None:
    """Likewise of several computations, in short."""
    say("Coverage of the problem as heads show it, with the number of modes")
    for computation, rows in _by(page.coverage, "computation"):
        told = [
            " ".join([status, ", ".join(f"{gpu_name(row)} ({row['modes']})" for row in of_status)])
            for status, of_status in _by(rows, "status")
            if status != "not_measured"
        ]
        if never := sum(_never_measured(of_gpu) for _, of_gpu in _by(rows, "hardware")):
            told.append(f"never measured on {never} GPU{'s' if never > 1 else ''}")
        say_long(f"  {short(computation)}  {'; '.join(told)}", _MARGIN + 2)
    say()


def _by(rows: Sequence[dict[str, Any]], name: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Rows that agree in a column, together, in the order in which each value comes first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(str(row[name]), []).append(row)
    return list(found.items())


def _never_measured(rows: Sequence[Row]) -> bool:
    return all(row["status"] == "not_measured" for row in rows)


def _covered(row: Row) -> str:
    return _COVERED[row["status"]].format(
        modes=f"{row['modes']} mode{'s' if row['modes'] != 1 else ''}",
        since=days(row["first_observed_at"], row["last_observed_at"]),
        gone=day(row["withdrawn_at"]),
        withdrawn=f", withdrawn on {day(row['withdrawn_at'])}" if row["withdrawn_at"] else "",
    )


def _print_floors(page: Page, group: Group) -> None:
    say("Floor under the record: an estimate, not evidence")
    for floor in page.floors.get(group.fastest["cohort_id"], []):
        if floor["floor_ns"] is None:
            say_long(f"  {floor['policy']}: unknown ({'; '.join(floor['assumptions'])})", 6)
            continue
        above = f"record {floor['ratio']:,.2f}x above it"
        say(f"  {floor['policy']}: {duration(floor['floor_ns'])}, {floor['bound']}-bound; {above}")
        for line in (_cost(floor), *floor["assumptions"]):
            say_long(f"      {line}", 8)
    say()


def _cost(floor: Row) -> str:
    """What is moved and computed, and how long each takes at its peak."""
    moved = f"{memory(floor['bytes'])} moved: {duration(floor['dram_ns'])}"
    if floor["flops"] is None:
        return moved
    peaks = (("TF32", floor["tf32_ns"]), ("fp32", floor["fp32_ns"]))
    times = [f"{duration(spent)} at the {name} peak" for name, spent in peaks if spent is not None]
    return f"{moved}; {operations(floor['flops'])}: {', '.join(times) or duration(floor['compute_ns'])}"


def _print_implementations(page: Page) -> None:
    best = {run["mode"]: run["mean_ns"] for run in reversed(page.ranked)}
    standing = [{**one, "best_ns": best[one["mode"]]} for one in page.implementations if one["mode"] in best]
    others = [one["title"] for one in page.implementations if one["mode"] not in best]
    say("Implementations")
    show(
        standing,
        (
            Column("implementation", lambda row: str(row["title"])),
            Column("best", lambda row: duration(row["best_ns"]), right=True),
            Column("runtime", lambda row: f"{row['language'] or '?'} · {row['interface']}"),
            Column("what runs", lambda row: str(row["what"] or "unknown")),
            Column(
                "availability",
                lambda row: f"{row['trust']} · {row['licence']} · {row['availability']} · {row['package']}",
                spare=1,
            ),
        ),
        Format.TABLE,
    )
    if others:
        say_long(f"Also run, no longer standing: {', '.join(others)}")
    say()


def _print_workload(page: Page, workload: Row) -> None:
    at_head = "" if workload["at_head"] else " (not the code at head)"
    say(f"Workload{at_head}")
    if workload["not_read"]:
        say(f"  what it declares is not known: {workload['not_read']}")
    else:
        _print_declared(workload)
    say("Identity")
    say(f"  {'workload':<12} {workload['workload_id']}")
    say(f"  {'code':<12} {workload['code_digest']}")
    say(f"  {'computation':<12} {workload['compute_digest'] or 'not known: equivalent to itself alone'}")
    for operation in sorted({row["operation_digest"] for row in page.identities if row["operation_digest"]}):
        say(f"  {'operation':<12} {operation} (interoperable, newest pin)")
    say()


def _print_declared(workload: Row) -> None:
    facts = _parsed(workload)
    for one in facts["inputs"]:
        say(f"  {one['name']:<12} {one['dtype']} [{', '.join(map(str, one['shape']))}]")
    say(f"  {'output':<12} {workload['output']}")
    axes = ", ".join(f"{name} = {size} ({workload['axis_kind']})" for name, size in facts["axes"].items())
    say(f"  {'axes':<12} {axes or 'none'}")
    scalars = ", ".join(f"{name} = {value}" for name, value in facts["scalars"].items())
    say(f"  {'scalars':<12} {scalars or 'none'}")
    say(f"  {'determinism':<12} {workload['determinism']}")
    say(f"  {'constraints':<12} {workload['constraints']}")


def _print_links(page: Page) -> None:
    """Where the records' figures and the workload's code stand; with one source, those of all standing figures."""
    runs = page.ranked if len(page.sources) == 1 else [run for group in page.groups for run in group.records]
    links = dict.fromkeys(link for run in runs if (link := link_of(run)))
    wanted = page.workload and page.workload["workload_id"]
    modules = [
        f"{one['url']}/blob/{one['head']}/{one['module_path']}"
        for one in page.workloads
        if one["url"] and one["module_path"] and (len(page.sources) == 1 or one["workload_id"] == wanted)
    ]
    shown = list(dict.fromkeys(modules))[: 1 if len(page.sources) > 1 else None]
    if links or shown:
        say("Sources")
        for link in (*links, *shown):
            say(f"  {link}")


def _gpu(run: Row) -> str:
    return " ".join(str(part) for part in (run["gpu"], run["form_factor"]) if part)


def _stale(run: Row) -> str:
    return f" · stale: {in_words(run)} ({run['severity']})" if run["stale"] else ""
