"""What results are held against: problems and their code, and the figures that were measured of it.

A *set* is what one host of a lineage measured in one mode: what upstream's script takes as its baseline file. Of a set
a problem has the figure of its own code; else, where that is asked for, one of code that computes the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from transforms.measures import NS_PER_MS
from transforms.score.speedup import Measured


class SetName(NamedTuple):
    """Which baselines: as a timing file's place says it."""

    source: str
    host: str
    mode: str

    def __str__(self) -> str:
        return f"{self.source}:{self.host}/{self.mode}"


@dataclass(frozen=True)
class Problem:
    """A problem of a level, and the digests of its code as it counts here."""

    level: str
    number: int
    name: str
    code_digest: str | None
    compute_digest: str | None


@dataclass(frozen=True)
class Baseline:
    """One figure that may be divided by. ``limit_ratio``: what a second session stays within nine times in ten."""

    run_id: str
    number: int
    level: str
    problem: str
    code_digest: str
    compute_digest: str | None
    precision: str | None
    measured: Measured
    present: bool
    observed_at: datetime
    revision: str
    torch: str | None
    l2_cleared: bool | None
    limit_ratio: float | None
    hardware: str | None = None
    reported: str = "{}"
    """The figures as they were reported, in milliseconds, as canonical JSON without hardware."""


@dataclass(frozen=True)
class BaselineSet:
    """The figures of one host and mode, on one GPU, in one precision (null: as the modules say)."""

    name: SetName
    gpu: str | None
    precision: str | None
    figures: tuple[Baseline, ...]

    @property
    def newest(self) -> datetime:
        """When the newest of its figures was first shown."""
        return max(one.observed_at for one in self.figures)

    @property
    def present(self) -> bool:
        """Whether its source shows any of it still."""
        return any(one.present for one in self.figures)

    def covering(self, problems: Iterable[Problem], *, equivalent: bool) -> dict[tuple[str, int], Baseline]:
        """The figure of each problem that the set has measured, by level and number.

        ``equivalent``: also of other code that computes the same on the same shapes.
        """
        by_code = {(one.level, one.code_digest): one for one in self.figures}
        by_compute = {(one.level, one.compute_digest): one for one in self.figures if one.compute_digest}
        found = {}
        for problem in problems:
            one = by_code.get((problem.level, problem.code_digest)) if problem.code_digest else None
            if one is None and equivalent and problem.compute_digest:
                one = by_compute.get((problem.level, problem.compute_digest))
            if one is not None:
                found[problem.level, problem.number] = one
        return found

    def of_other_code(self, problems: Iterable[Problem]) -> int:
        """How many of these problems, by level and number, it measured as other code alone."""
        codes: dict[tuple[str, int], set[str]] = defaultdict(set)
        for figure in self.figures:
            codes[figure.level, figure.number].add(figure.code_digest)
        measured = ((codes.get((one.level, one.number), set()), one.code_digest) for one in problems)
        return sum(bool(known) and code not in known for known, code in measured)


def problems_of(rows: Iterable[Mapping[str, Any]]) -> list[Problem]:
    """From the rows of ``sql/queries/score_problems.sql``: of a number that two files have, none can be meant."""
    found: dict[tuple[str, int], list[Problem]] = defaultdict(list)
    for row in rows:
        if row["number"] is not None:
            problem = Problem(row["level"], row["number"], row["problem"], row["code_digest"], row["compute_digest"])
            found[problem.level, problem.number].append(problem)
    return [each[0] for each in found.values() if len(each) == 1]


def sets_of(rows: Iterable[Mapping[str, Any]]) -> list[BaselineSet]:
    """From the rows of ``sql/queries/score_baselines.sql``."""
    figures: dict[tuple[SetName, str | None, str | None], list[Baseline]] = defaultdict(list)
    for row in rows:
        key = SetName(row["source"], row["host"], row["mode"]), row["gpu"], row["precision"]
        figures[key].append(_baseline(row))
    return [BaselineSet(name, gpu, precision, tuple(each)) for (name, gpu, precision), each in figures.items()]


def _baseline(row: Mapping[str, Any]) -> Baseline:
    measured = Measured(row["mean_ns"] / NS_PER_MS, row["low_ns"] / NS_PER_MS, row["high_ns"] / NS_PER_MS)
    return Baseline(
        run_id=row["run_id"],
        number=row["number"],
        level=row["level"],
        problem=row["problem"],
        code_digest=row["code_digest"],
        compute_digest=row["compute_digest"],
        precision=row["precision"],
        measured=measured,
        present=row["present"],
        observed_at=row["observed_at"],
        revision=row["first_revision"],
        torch=row["torch"],
        l2_cleared=row["l2_cleared"],
        limit_ratio=row["limit_ratio"],
        hardware=row["hardware"],
        reported=row["source_metrics"],
    )
