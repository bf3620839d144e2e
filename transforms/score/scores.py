"""A score: results held against one set of baselines.

``fast_p`` is KernelBench's: the share of problems whose kernel is correct and more than p times as fast. Its own script
divides by the problems that stand in its baseline file (``of_all`` here, where every problem of the level has one);
beside it stands the share of those that have a result and a baseline. Means are over correct, timed samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from transforms.measures import NS_PER_MS
from transforms.score.baselines import Baseline, BaselineSet, Problem
from transforms.score.results import Sample
from transforms.score.speedup import Band, Measured, measured, of_intervals, of_sessions

THRESHOLDS = (0.0, 0.5, 0.8, 1.0, 1.5, 2.0, 4.0)
"""The values of p: KernelBench's, and one beyond."""

_FLOAT_SLACK = 1e-9


@dataclass(frozen=True)
class Floor:
    """How fast a GPU may at best compute what a module states, in milliseconds: an estimate from datasheets.

    ``evident_ms`` is the part of it below which a figure cannot be believed: arithmetic, and memory where the data
    exceed the caches.
    """

    floor_ms: float
    evident_ms: float | None


def floor_of(row: Mapping[str, Any]) -> Floor:
    """From a row of ``sql/queries/score_floors.sql``."""
    evident = row["dram_ns"] if row["beyond_cache"] else None
    known = [one / NS_PER_MS for one in (row["compute_ns"], evident) if one is not None]
    return Floor(row["floor_ns"] / NS_PER_MS, max(known) if known else None)


@dataclass(frozen=True)
class Line:
    """One problem of a score. ``state``: scored, not_timed, wrong, not_compiled, missing or no_baseline."""

    problem: Problem
    state: str
    sample: Sample | None = None
    baseline: Baseline | None = None
    speed_up: Band | None = None
    in_sessions: Band | None = None
    peak_fraction: float | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Share:
    """Of how many problems how many are beyond a threshold: as counted, and at both ends of each band of doubt."""

    threshold: float
    count: int
    low: int
    high: int
    session_low: int
    session_high: int
    decided_by: tuple[Problem, ...]
    """The problems of which the interval holds the threshold."""
    decided_by_sessions: tuple[Problem, ...]

    def of(self, problems: int) -> Band:
        """The share of so many problems."""
        return Band(self.low / problems, self.count / problems, self.high / problems) if problems else Band(0, 0, 0)

    def of_in_sessions(self, problems: int) -> Band:
        """Likewise, with what sessions leave open."""
        if not problems:
            return Band(0, 0, 0)
        return Band(self.session_low / problems, self.count / problems, self.session_high / problems)


@dataclass(frozen=True)
class Means:
    """Means of the speed-up over correct, timed samples with a baseline; null where there is none."""

    geometric: Band | None
    median: Band | None
    arithmetic: Band | None


@dataclass(frozen=True)
class Score:
    """Results against one set of baselines."""

    against: BaselineSet
    lines: tuple[Line, ...]
    shares: tuple[Share, ...]
    means: Means
    means_in_sessions: Means
    problems: int
    with_result: int
    compiled: int
    correct: int
    scored: int
    with_baseline: int
    with_both: int
    warnings: tuple[str, ...] = field(default=())


def score(
    problems: Sequence[Problem],
    samples: Mapping[tuple[str, int], Sample],
    against: BaselineSet,
    floors: Mapping[str, Floor] | None = None,
    *,
    equivalent: bool = False,
    warnings: Sequence[str] = (),
) -> Score:
    """Hold one sample of each problem (by level and number) against a set of baselines.

    ``floors`` are those of the candidate's GPU, by the digest of code.
    """
    baselines = against.covering(problems, equivalent=equivalent)
    timed = [one for one in samples.values() if one.is_timed]
    durations = dict(zip(map(id, timed), measured(timed), strict=True))
    lines = tuple(
        _line(
            problem,
            samples.get((problem.level, problem.number)),
            baselines.get((problem.level, problem.number)),
            durations,
            floors or {},
        )
        for problem in problems
    )
    scored = [line for line in lines if line.state == "scored"]
    with_result = [line for line in lines if line.sample is not None]
    return Score(
        against=against,
        lines=lines,
        shares=tuple(_share(scored, threshold) for threshold in THRESHOLDS),
        means=_means([line.speed_up for line in scored]),
        means_in_sessions=_means([line.in_sessions or line.speed_up for line in scored]),
        problems=len(problems),
        with_result=len(with_result),
        compiled=sum(line.sample.compiled for line in with_result if line.sample),
        correct=sum(line.sample.correct for line in with_result if line.sample),
        scored=len(scored),
        with_baseline=len(baselines),
        with_both=sum(line.baseline is not None for line in with_result),
        warnings=tuple(warnings),
    )


def _line(
    problem: Problem,
    sample: Sample | None,
    baseline: Baseline | None,
    durations: Mapping[int, Measured],
    floors: Mapping[str, Floor],
) -> Line:
    state = _state(sample, baseline)
    floor = floors.get(problem.code_digest or "")
    candidate = durations.get(id(sample)) if sample is not None else None
    peak = floor.floor_ms / candidate.mean_ms if floor and candidate else None
    remarks = _remarks(candidate, floor)
    if state != "scored" or baseline is None or candidate is None:
        return Line(problem, state, sample, baseline, peak_fraction=peak, remarks=remarks)
    band = of_intervals(baseline.measured, candidate)
    sessions = of_sessions(band.value, baseline.limit_ratio)
    return Line(problem, state, sample, baseline, band, sessions, peak, remarks)


def _state(sample: Sample | None, baseline: Baseline | None) -> str:
    if sample is None:
        return "missing"
    if not sample.correct:
        return "wrong" if sample.compiled else "not_compiled"
    if not sample.is_timed:
        return "not_timed"
    return "scored" if baseline is not None else "no_baseline"


def _remarks(candidate: Measured | None, floor: Floor | None) -> tuple[str, ...]:
    """``below_floor``: faster than physics permits, by more than the interval and rounding may hide."""
    if candidate is None or floor is None or floor.evident_ms is None:
        return ()
    return ("below_floor",) if candidate.high_ms < floor.evident_ms * (1 - _FLOAT_SLACK) else ()


def _share(scored: Sequence[Line], threshold: float) -> Share:
    bands = [(line.problem, line.speed_up, line.in_sessions) for line in scored if line.speed_up is not None]
    return Share(
        threshold=threshold,
        count=sum(band.is_beyond(threshold) for _, band, _ in bands),
        low=sum(band.low > threshold for _, band, _ in bands),
        high=sum(band.high > threshold for _, band, _ in bands),
        session_low=sum((sessions or band).low > threshold for _, band, sessions in bands),
        session_high=sum((sessions or band).high > threshold for _, band, sessions in bands),
        decided_by=tuple(problem for problem, band, _ in bands if not band.is_decided(threshold)),
        decided_by_sessions=tuple(
            problem for problem, _, sessions in bands if sessions is not None and not sessions.is_decided(threshold)
        ),
    )


def _means(bands: Sequence[Band | None]) -> Means:
    known = [band for band in bands if band is not None]
    return Means(
        geometric=_mean(known, _geometric),
        median=_mean(known, median),
        arithmetic=_mean(known, lambda values: math.fsum(values) / len(values)),
    )


def _mean(bands: Sequence[Band], mean: Callable[[list[float]], float]) -> Band | None:
    """A mean, and what it is where every value is at the same end of its band: the widest that it can be."""
    if not bands:
        return None
    return Band(
        mean([band.low for band in bands]), mean([band.value for band in bands]), mean([band.high for band in bands])
    )


def _geometric(values: list[float]) -> float:
    if min(values) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))
