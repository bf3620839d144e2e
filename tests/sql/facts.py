"""The sample's facts worked through in plain Python, apart from the SQL and the tables that it is to be compared with.

Slow and simple on purpose: every revision is looked at whole. What a path means is asked of the timing reader.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from transforms.timings.paths import timing_path

SAMPLE = Path(__file__).resolve().parents[2] / "flows" / "sources" / "sample_data"
UPSTREAM = "ScalingIntelligence/KernelBench"
_HARNESS = re.compile(r"scripts/generate_baseline_time.*\.py|src/(kernelbench/)?(eval|timing)\.py")


class Key(NamedTuple):
    """Where figures stand."""

    host: str
    mode: str
    hardware: str
    level: str
    problem: str


class Figures(NamedTuple):
    """In milliseconds, as reported."""

    mean: float
    std: float
    min: float
    max: float
    num_trials: int

    @property
    def low(self) -> float:
        """Low end of the mean's 95 % interval, less rounding."""
        return max(self.mean - 1.96 * self.std / self.num_trials**0.5, self.min) - rounding(self.mean)

    @property
    def high(self) -> float:
        """High end of the mean's 95 % interval, plus rounding."""
        return self.mean + 1.96 * self.std / self.num_trials**0.5 + rounding(self.mean)


@dataclass(eq=False)
class Run:
    """One set of figures with the code it was first seen with and the positions at which it stood."""

    key: Key
    figures: Figures
    path: str
    code: str | None
    compute: str | None
    positions: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Module:
    """What is known of one module."""

    code: str
    compute: str


class Facts:
    """Upstream's history as the sample ships it."""

    def __init__(self) -> None:
        revisions = (
            pl.read_parquet(SAMPLE / "revisions.parquet").filter(source=UPSTREAM).sort("position", nulls_last=True)
        )
        revisions = revisions.filter(pl.col("position").is_not_null())
        self.declared = revisions.rows(named=True)
        self.at: list[datetime] = revisions["committed_at"].to_list()
        trees: dict[str, dict[str, str]] = defaultdict(dict)
        for revision, path, blob in pl.read_parquet(SAMPLE / "trees.parquet").iter_rows():
            trees[revision][path] = blob
        self.trees = [trees[revision] for revision in revisions["revision"]]
        self._figures = pl.read_parquet(SAMPLE / "timings.parquet").partition_by("blob", as_dict=True)
        problems = pl.read_parquet(SAMPLE / "problems.parquet")
        self._modules = {blob: json.loads(facts) for blob, facts in problems.iter_rows()}
        self.last = len(self.at) - 1
        self.refused: set[tuple[str, str, str, str]] = set()
        self.runs = self._all_runs()
        self.present = frozenset(run for run in self.runs if self.last in run.positions)

    def modules(self, position: int) -> dict[tuple[str, str], Module]:
        """The modules that a revision shows, by level and file."""
        found = {}
        for path, blob in self.trees[position].items():
            if path.startswith("KernelBench/"):
                _, level, file = path.split("/")
                known = self._modules[blob]
                found[level, file] = Module(known["code_digest"], known["compute_digest"])
        return found

    def harness(self, position: int) -> dict[str, str]:
        """The timing scripts that a revision shows."""
        return {path: blob for path, blob in self.trees[position].items() if _HARNESS.fullmatch(path)}

    def newest(self, moment: datetime) -> int:
        """Position of the newest revision at or before a moment."""
        return max(position for position, at in enumerate(self.at) if at <= moment)

    def cohorts(self) -> dict[tuple[Any, ...], list[Run]]:
        """Runs of one host, GPU, problem and code."""
        found = defaultdict(list)
        for run in self.runs:
            if run.code is not None:
                found[run.key.host, run.key.hardware, run.key.level, run.key.problem, run.code].append(run)
        return found

    def first_at(self, run: Run) -> datetime:
        """When a run was first shown."""
        return self.at[run.positions[0]]

    def leader(self, runs: list[Run], position: int) -> Run | None:
        """The fastest of those that stand; equal means: the earlier, then the mode's name."""
        standing = [run for run in runs if position in run.positions]
        return min(standing, key=lambda r: (r.figures.mean, r.positions[0], r.key.mode), default=None)

    def _all_runs(self) -> list[Run]:
        runs: dict[tuple[Key, Figures], Run] = {}
        for position in range(len(self.at)):
            modules = self.modules(position)
            for path, blob in self.trees[position].items():
                named = timing_path(path)
                for row in self._figures[blob,].iter_rows(named=True) if named else ():
                    problem = (row["key"] or "").split("/")[-1]
                    if row["key"] is None:
                        continue
                    if row["mean"] is None:
                        self.refused.add((named.host, named.mode, row["level"], row["key"]))
                        continue
                    key = Key(named.host, named.mode, row["hardware"], row["level"], problem)
                    figures = Figures(*(row[name] for name in Figures._fields))
                    module = modules.get((row["level"], problem))
                    found = runs.setdefault(
                        (key, figures),
                        Run(key, figures, path, module and module.code, module and module.compute),
                    )
                    found.positions.append(position)
        return list(runs.values())


def rounding(figure: float) -> float:
    """Half a unit of the third significant digit, or of the last decimal where more digits were written."""
    digits = Decimal(repr(figure)).normalize()
    exponent = min(digits.adjusted() - 2, int(digits.as_tuple().exponent))
    return 0.5 * 10.0**exponent


@cache
def facts() -> Facts:
    """Read once."""
    return Facts()
