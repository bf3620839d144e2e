"""What is known of one problem: gathered for ``kbw show``, grouped by computation (DESIGN.md section 10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flows.cli.options import EVER
from flows.cli.render import Row, day

if TYPE_CHECKING:
    from datetime import datetime

    from warehouse.database import Reader


@dataclass(frozen=True)
class Asked:
    """What of a problem is asked for; None: all of it, or as it is now."""

    source: str | None = None
    host: str | None = None
    gpu: str | None = None
    mode: str | None = None
    computation: str | None = None
    """The beginning of a computation's digest."""
    moment: datetime | None = None

    @property
    def filters(self) -> dict[str, str | None]:
        """What narrows runs, as queries take it."""
        return {"source": self.source, "host": self.host, "gpu": self.gpu, "mode": self.mode}


@dataclass(frozen=True)
class Group:
    """The figures of one computation: only these may be held against each other."""

    computation: str
    codes: list[str]
    inputs: list[str] | None
    at_head_of: list[str]
    standing: list[dict[str, Any]]
    """The runs that stand and are ranked, the fastest first; never none."""

    @property
    def fastest(self) -> dict[str, Any]:
        """The fastest of all machines."""
        return self.standing[0]

    @property
    def records(self) -> list[dict[str, Any]]:
        """The holder of each environment's record, with the number of runs it is one of."""
        return [run for run in self.standing if run["rank"] == 1]

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """The ranking of the cohort of the fastest run."""
        cohort = [run for run in self.standing if run["cohort_id"] == self.fastest["cohort_id"]]
        return sorted(cohort, key=lambda run: int(run["rank"]))


@dataclass(frozen=True)
class Page:
    """What is known of one problem, as the queries give it."""

    problem: dict[str, str]
    sources: list[str]
    """The lineages that it is about."""
    runs: list[dict[str, Any]]
    copies: list[dict[str, Any]]
    groups: list[Group]
    coverage: list[dict[str, Any]]
    floors: dict[str, list[dict[str, Any]]]
    implementations: list[dict[str, Any]]
    workloads: list[dict[str, Any]]
    identities: list[dict[str, Any]]

    @property
    def ranked(self) -> list[dict[str, Any]]:
        """The runs that stand and are ranked, group after group."""
        return [run for group in self.groups for run in group.standing]

    @property
    def unranked(self) -> list[dict[str, Any]]:
        """The runs that stand and are not ranked, copies aside: they are told apart, by their sources."""
        return [run for run in self.runs if run["stands"] and run["rank"] is None and not run["copy_of"]]

    @property
    def gone(self) -> list[dict[str, Any]]:
        """The runs that are shown no more, copies aside."""
        return [run for run in self.runs if not run["stands"] and not run["copy_of"]]

    @property
    def workload(self) -> dict[str, Any] | None:
        """What the fastest run measured; where none stands, what was measured last."""
        wanted = self.groups[0].fastest["workload_id"] if self.groups else None
        return next((w for w in self.workloads if w["workload_id"] == wanted), next(iter(self.workloads), None))


def page_of(reader: Reader, named: dict[str, str], sources: list[str], asked: Asked) -> Page:
    """Everything that the page of a problem is made of."""
    runs = _runs(reader, named, asked)
    ranked = {run["cohort_id"] for run in runs if run["rank"] is not None}
    floors: dict[str, list[dict[str, Any]]] = {}
    for floor in reader.query("problem_floors", **named).records():
        if floor["cohort_id"] in ranked:
            floors.setdefault(floor["cohort_id"], []).append(floor)
    copies = reader.query("problem_copies", **named, **asked.filters, moment=asked.moment or EVER).records()
    coverage = reader.query("problem_coverage", **named, source=asked.source, gpu=asked.gpu, mode=asked.mode).records()
    return Page(
        problem=named,
        sources=sources,
        runs=runs,
        copies=[row for row in copies if row["stand"]],
        groups=_groups(reader.query("problem_computations", **named).records(), runs),
        coverage=[row for row in coverage if _is_wanted(row, asked)],
        floors=floors,
        implementations=reader.query("problem_implementations", **named).records(),
        workloads=reader.query("problem_workloads", **named).records(),
        identities=reader.query("problem_identities", **named).records(),
    )


def _runs(reader: Reader, named: dict[str, str], asked: Asked) -> list[dict[str, Any]]:
    """The runs observed by a moment, in the order of their ranks then.

    In two queries, because planning one that joins everything takes longer than answering both.
    """
    facts = {run["run_id"]: run for run in reader.query("problem_runs", **named, **asked.filters).records()}
    standing = reader.query("problem_standing", **named, moment=asked.moment).records()
    runs = [{**facts[row["run_id"]], **row} for row in standing if row["run_id"] in facts]
    return [run for run in runs if _is_wanted(run, asked)]


def _is_wanted(row: Row, asked: Asked) -> bool:
    return asked.computation is None or str(row["computation"]).startswith(asked.computation)


def _groups(computations: list[dict[str, Any]], runs: list[dict[str, Any]]) -> list[Group]:
    """The computations of which anything is ranked, those of the heads first."""
    ranked = sorted(
        (run for run in runs if run["rank"] is not None), key=lambda run: (run["mean_ns"], run["rank"], run["run_id"])
    )
    groups = [
        Group(
            one["computation"],
            one["codes"],
            one["inputs"],
            one["at_head_of"],
            [run for run in ranked if run["computation"] == one["computation"]],
        )
        for one in computations
    ]
    return [group for group in groups if group.standing]


def link_of(run: Row) -> str | None:
    """Where the figures first appeared, to the very file and commit."""
    return f"{run['url']}/blob/{run['first_revision']}/{run['path']}" if run["url"] else None


def days(since: datetime | None, until: datetime | None) -> str:
    """A day, or from when to when."""
    first, last = day(since), day(until)
    return first if first == last else f"{first} to {last}"
