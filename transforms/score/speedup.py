"""A speed-up and how sure it is: the ratio of two means, each known to lie within an interval.

Three sources of doubt are kept apart, since they mean different things: the trials of one run and the digits that were
written (``of_intervals``), another session on the same machine (``of_sessions``), and the choice of another baseline,
which is a matter of several scores (``transforms.score.choices``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from transforms.measures import NORMAL_95, STUDENT_95
from transforms.score.results import Sample
from transforms.timings.rounding import half_widths


@dataclass(frozen=True)
class Measured:
    """A mean duration in milliseconds, and between what it lies: the 95 % interval, wider by what rounding hides."""

    mean_ms: float
    low_ms: float
    high_ms: float


@dataclass(frozen=True)
class Band:
    """A value and between what it lies; ``high`` is infinite where the candidate may have taken no time at all."""

    low: float
    value: float
    high: float

    def is_beyond(self, threshold: float) -> bool:
        """Whether the value itself is above a threshold, as fast_p counts."""
        return self.value > threshold

    def is_decided(self, threshold: float) -> bool:
        """Whether all that the value may be lies on one side of a threshold."""
        return self.low > threshold or self.high <= threshold


def measured(samples: Sequence[Sample]) -> list[Measured]:
    """The durations of samples that are timed, with their intervals (DESIGN.md sections 4 and 10).

    Without a deviation or a number of trials only rounding is known. Of fewer than 30 trials the interval is Student's.
    """
    means = [one.runtime_ms for one in samples]
    widths = half_widths(pl.Series(means, dtype=pl.Float64)).to_list()
    return [_measured(one, width) for one, width in zip(samples, widths, strict=True)]


def _measured(sample: Sample, rounding_ms: float) -> Measured:
    mean = sample.runtime_ms
    if mean is None:
        raise ValueError(f"problem {sample.number}, sample {sample.sample_id}: was not timed")
    half = _half_width(sample.std_ms, sample.num_trials)
    least = sample.min_ms if sample.min_ms is not None and sample.min_ms <= mean else 0.0
    return Measured(mean, max(mean - half, least) - rounding_ms, mean + half + rounding_ms)


def _half_width(std: float | None, trials: int | None) -> float:
    """Half of a mean's 95 % interval. Scripts report the deviation over n, of which Student's wants that over n - 1."""
    if std is None or trials is None or trials < 2:
        return 0.0
    if trials - 1 <= len(STUDENT_95):
        return STUDENT_95[trials - 2] * std / math.sqrt(trials - 1)
    return NORMAL_95 * std / math.sqrt(trials)


def of_intervals(baseline: Measured, candidate: Measured) -> Band:
    """How many times as long the baseline takes, and what that may be at the ends of both intervals."""
    low = baseline.low_ms / candidate.high_ms
    high = baseline.high_ms / candidate.low_ms if candidate.low_ms > 0 else math.inf
    return Band(max(low, 0.0), baseline.mean_ms / candidate.mean_ms, high)


def of_sessions(value: float, limit_ratio: float | None) -> Band | None:
    """What a speed-up may be in another session: ``limit_ratio`` is what nine in ten repetitions stay within.

    Null where no such limit is known.
    """
    return None if limit_ratio is None else Band(value / limit_ratio, value, value * limit_ratio)
