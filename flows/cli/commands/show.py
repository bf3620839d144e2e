"""``kbw show PROBLEM``: everything about one problem, the answer first."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flows.cli.columns import HELD_BY, HOST, INTERVAL, OBSERVED, SOURCE, VERSUS_EAGER, gpu_name
from flows.cli.gpus import Gpus
from flows.cli.lookup import one_problem, open_reader
from flows.cli.options import (
    AsOfOption,
    GpuOption,
    HomeOption,
    HostOption,
    JsonOption,
    ProblemArgument,
    home_of,
    moment,
)
from flows.cli.reasons import in_words
from flows.cli.render import Column, Format, Row, count, day, duration, interval, note, ratio, say, show, show_object

if TYPE_CHECKING:
    from datetime import datetime

    from warehouse.database import Reader


@dataclass(frozen=True)
class Page:
    """What is known of one problem, as the queries give it."""

    problem: dict[str, str]
    runs: list[dict[str, Any]]
    coverage: list[dict[str, Any]]
    floors: dict[str, list[dict[str, Any]]]
    implementations: list[dict[str, Any]]
    workloads: list[dict[str, Any]]
    identities: list[dict[str, Any]]

    @property
    def standing(self) -> list[dict[str, Any]]:
        """The runs that stand and are ranked, the fastest of all first."""
        return sorted((run for run in self.runs if run["stands"]), key=lambda run: (run["mean_ns"], run["rank"]))

    @property
    def ranked_cohort(self) -> list[dict[str, Any]]:
        """The ranking of the cohort of the fastest run."""
        return sorted(
            (run for run in self.standing if run["cohort_id"] == self.standing[0]["cohort_id"]),
            key=lambda run: int(run["rank"]),
        )

    @property
    def workload(self) -> dict[str, Any] | None:
        """What the fastest run measured; where none stands, what was measured last."""
        wanted = self.standing[0]["workload_id"] if self.standing else None
        return next((w for w in self.workloads if w["workload_id"] == wanted), next(iter(self.workloads), None))


def show_command(
    problem: ProblemArgument,
    host: HostOption = None,
    gpu: GpuOption = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """One problem: who is fastest, on what, by how much, and whether it can be trusted."""
    with closing(open_reader(home_of(home))) as reader:
        page = _page(reader, one_problem(reader, problem), host, gpu, moment(as_of) if as_of else None)
        if as_json:
            show_object(_as_json(Gpus(reader), page))
            return
    _print(page, as_of)
    note("How a record is decided: docs/records.md")


def _page(reader: Reader, named: dict[str, str], host: str | None, gpu: str | None, at: datetime | None) -> Page:
    runs = _runs(reader, named, host, gpu, at)
    floors: dict[str, list[dict[str, Any]]] = {run["cohort_id"]: [] for run in runs if run["stands"]}
    for floor in reader.query("problem_floors", **named).records():
        if floor["cohort_id"] in floors:
            floors[floor["cohort_id"]].append(floor)
    return Page(
        problem=named,
        runs=runs,
        coverage=reader.query("problem_coverage", **named, gpu=gpu).records(),
        floors=floors,
        implementations=reader.query("problem_implementations", **named).records(),
        workloads=reader.query("problem_workloads", **named).records(),
        identities=reader.query("problem_identities", **named).records(),
    )


def _runs(
    reader: Reader, named: dict[str, str], host: str | None, gpu: str | None, at: datetime | None
) -> list[dict[str, Any]]:
    """The runs observed by a moment (null: now), in the order of their ranks then.

    In two queries, because planning one that joins everything takes longer than answering both.
    """
    facts = {run["run_id"]: run for run in reader.query("problem_runs", **named, host=host, gpu=gpu).records()}
    standing = reader.query("problem_standing", **named, moment=at).records()
    return [{**facts[row["run_id"]], **row} for row in standing if row["run_id"] in facts]


def _as_json(gpus: Gpus, page: Page) -> dict[str, Any]:
    standing = gpus.within(page.standing)
    return {
        **page.problem,
        "fastest": standing[0] if standing else None,
        "eligible_runs": len(standing),
        "records": gpus.within(_records(page)),
        "ranking": gpus.within(page.ranked_cohort) if standing else [],
        "runs": [{**run, "source_url": _link(run)} for run in gpus.within(page.runs)],
        "coverage": gpus.within(page.coverage),
        "floors": page.floors,
        "implementations": page.implementations,
        "workloads": [{**one, **_parsed(one)} for one in page.workloads],
        "identities": page.identities,
    }


def _records(page: Page) -> list[dict[str, Any]]:
    """The holder of each environment's record, with the number of runs it is one of."""
    return [run for run in page.standing if run["rank"] == 1]


def _parsed(workload: Row) -> dict[str, Any]:
    return {name: json.loads(workload[name]) for name in ("inputs", "axes", "scalars", "init")}


def _link(run: Row) -> str | None:
    """Where the figures first appeared, to the very file and commit."""
    return f"{run['url']}/blob/{run['first_revision']}/{run['path']}" if run["url"] else None


def _print(page: Page, as_of: str | None) -> None:
    workload = page.workload
    title = workload["title"] if workload else page.problem["problem"].removesuffix(".py")
    family = f" · {workload['family']}" if workload else ""
    then = f" · as of {as_of}" if as_of else ""
    say(
        f"{title}  {page.problem['level']}/{page.problem['problem']}{family} · {len(page.standing)} eligible runs{then}"
    )
    say()
    if page.standing:
        _print_fastest(page)
        _print_records(page)
        _print_ranking(page)
    else:
        say("No eligible run stands.")
        say()
    _print_gone(page)
    _print_coverage(page)
    if page.standing:
        _print_floors(page)
    _print_implementations(page)
    if workload:
        _print_workload(page, workload)
    _print_links(page)


def _print_fastest(page: Page) -> None:
    best = page.standing[0]
    versus = (
        f" · {ratio(best['vs_baseline'])} faster than eager" if best["vs_baseline"] and not best["is_baseline"] else ""
    )
    say(f"Fastest   {interval(best['mean_ns'], best['ci95_half_ns'])} · mean of {best['num_trials']}{versus}")
    say(f"          {best['implementation']} on {best['host']} ({_gpu(best)})")
    say(f"          observed {day(best['observed_at'])}{_stale(best)}")
    trust = next((i for i in page.implementations if i["mode"] == best["mode"]), None)
    if trust:
        say(f"          {trust['trust']}: {trust['trust_meaning']}")
    say()


def _print_records(page: Page) -> None:
    say("Current records, one per machine; machines are not compared")
    show(
        _records(page),
        (
            HOST,
            Column("GPU", lambda row: _gpu(row)),
            Column("best known", lambda row: interval(row["mean_ns"], row["ci95_half_ns"]), right=True),
            HELD_BY,
            VERSUS_EAGER,
            Column("runs", lambda row: count(row["cohort_size"]), right=True),
            SOURCE,
        ),
        Format.TABLE,
    )
    say()


def _print_ranking(page: Page) -> None:
    best = page.standing[0]
    say(f"Ranking on {best['host']} ({_gpu(best)})")
    show(
        page.ranked_cohort,
        (
            Column("#", lambda row: str(row["rank"]), right=True),
            Column("shared", lambda row: str(row["rank_shared"]), right=True),
            Column(
                "implementation", lambda row: str(row["implementation"]) + (" (baseline)" if row["is_baseline"] else "")
            ),
            INTERVAL,
            Column("vs #1", lambda row: ratio(row["vs_first"]), right=True),
            VERSUS_EAGER,
            OBSERVED,
            Column("stale", lambda row: in_words(row)),
        ),
        Format.TABLE,
    )
    say()


def _print_gone(page: Page) -> None:
    gone = [run for run in page.runs if not run["stands"]]
    if not gone:
        return
    hosts = sorted({str(run["host"]) for run in gone})
    say(f"No longer shown: {count(len(gone))} runs on {', '.join(hosts)}; `kbw history` has them")
    say()


_COVERED = {
    "measured": "measured in {modes}",
    "equivalent": "{modes} on an equivalent version of the problem ({since}{withdrawn})",
    "withdrawn": "{modes} withdrawn on {gone}",
    "not_measured": "{modes} never measured for this workload",
}


def _print_coverage(page: Page) -> None:
    if not page.coverage:
        return
    say("Coverage of the problem as it is now")
    by_gpu: dict[tuple[str, str], list[str]] = {}
    for row in page.coverage:
        by_gpu.setdefault((row["source"], gpu_name(row)), []).append(_covered(row))
    rows = [{"gpu": gpu, "words": "; ".join(words)} for (_, gpu), words in by_gpu.items()]
    show(
        rows, (Column("GPU", lambda r: str(r["gpu"]), whole=True), Column("", lambda r: str(r["words"]))), Format.TABLE
    )
    say()


def _covered(row: Row) -> str:
    since, until = day(row["first_observed_at"]), day(row["last_observed_at"])
    return _COVERED[row["status"]].format(
        modes=f"{row['modes']} mode{'s' if row['modes'] != 1 else ''}",
        since=since if since == until else f"{since} to {until}",
        gone=day(row["withdrawn_at"]),
        withdrawn=f", withdrawn on {day(row['withdrawn_at'])}" if row["withdrawn_at"] else "",
    )


def _print_floors(page: Page) -> None:
    say("Floor under the record: an estimate, not evidence")
    for floor in page.floors[page.standing[0]["cohort_id"]]:
        if floor["floor_ns"] is None:
            say(f"  {floor['policy']}: unknown ({'; '.join(floor['assumptions'])})")
            continue
        above = f"record {floor['ratio']:,.2f}x above it"
        say(f"  {floor['policy']}: {duration(floor['floor_ns'])}, {floor['bound']}-bound; {above}")
        for line in (_cost(floor), *floor["assumptions"]):
            say(f"      {line}")
    say()


def _cost(floor: Row) -> str:
    """What is moved and computed, and how long each takes at its peak."""
    moved = f"{floor['bytes'] / 1e6:,.3g} MB moved: {duration(floor['dram_ns'])}"
    if floor["flops"] is None:
        return moved
    peaks = (("TF32", floor["tf32_ns"]), ("fp32", floor["fp32_ns"]))
    times = [f"{duration(spent)} at the {name} peak" for name, spent in peaks if spent is not None]
    return f"{moved}; {floor['flops'] / 1e9:,.3g} GFLOP: {', '.join(times) or duration(floor['compute_ns'])}"


def _print_implementations(page: Page) -> None:
    best = {run["mode"]: run["mean_ns"] for run in reversed(page.standing)}
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
            ),
        ),
        Format.TABLE,
    )
    if others:
        say(f"Also run, no longer standing: {', '.join(others)}")
    say()


def _print_workload(page: Page, workload: Row) -> None:
    facts = _parsed(workload)
    at_head = "" if workload["at_head"] else " (not the code at head)"
    say(f"Workload{at_head}")
    for one in facts["inputs"]:
        say(f"  {one['name']:<12} {one['dtype']} [{', '.join(map(str, one['shape']))}]")
    say(f"  {'output':<12} {workload['output']}")
    axes = ", ".join(f"{name} = {size} ({workload['axis_kind']})" for name, size in facts["axes"].items())
    say(f"  {'axes':<12} {axes or 'none'}")
    scalars = ", ".join(f"{name} = {value}" for name, value in facts["scalars"].items())
    say(f"  {'scalars':<12} {scalars or 'none'}")
    say(f"  {'determinism':<12} {workload['determinism']}")
    say(f"  {'constraints':<12} {workload['constraints']}")
    say("Identity")
    say(f"  {'workload':<12} {workload['workload_id']}")
    say(f"  {'code':<12} {workload['code_digest']}")
    say(f"  {'computation':<12} {workload['compute_digest']}")
    for operation in sorted({row["operation_digest"] for row in page.identities if row["operation_digest"]}):
        say(f"  {'operation':<12} {operation} (interoperable, newest pin)")
    say()


def _print_links(page: Page) -> None:
    links = dict.fromkeys(link for run in page.standing if (link := _link(run)))
    modules = dict.fromkeys(
        f"{one['url']}/blob/{one['head']}/{one['module_path']}"
        for one in page.workloads
        if one["url"] and one["module_path"]
    )
    if links or modules:
        say("Sources")
        for link in (*links, *modules):
            say(f"  {link}")


def _gpu(run: Row) -> str:
    return " ".join(str(part) for part in (run["gpu"], run["form_factor"]) if part)


def _stale(run: Row) -> str:
    return f" · stale: {in_words(run)}" if run["stale"] else ""
