"""What becomes of reported milliseconds: whole nanoseconds, and the mean's 95 % interval (DESIGN.md section 8).

The index's rules: ``floor(ms * 1e6 + 0.5)``, halves up; 1.96 std/sqrt(n) on both sides of the mean, the low end not
below the minimum. The tables share them from 30 trials on (section 10). Each rule stands here twice, for one figure and
for columns of them: manifests are made one by one and by the thousand, and a property test holds both to the same
digests.
"""

from __future__ import annotations

import math

import polars as pl

from transforms.measures import JSON_INTEGER_LIMIT, NORMAL_95, NS_PER_MS, STUDENT_95


def nanoseconds(milliseconds: float) -> float:
    """Whole nanoseconds; an integer as long as JSON can write it exactly."""
    whole = math.floor(milliseconds * NS_PER_MS + 0.5)
    return whole if whole <= JSON_INTEGER_LIMIT else float(whole)


def ci95(mean: float, std: float, least: float, trials: int) -> tuple[float, float]:
    """The ends of the mean's 95 % interval, in the figures' own unit."""
    half = NORMAL_95 * std / math.sqrt(trials)
    return max(mean - half, least), mean + half


def nanoseconds_of(milliseconds: pl.Expr) -> pl.Expr:
    """``nanoseconds`` of a column, as Float64."""
    return (milliseconds * NS_PER_MS + 0.5).floor()


def index_half_width() -> pl.Expr:
    """Half of the mean's 95 % interval as the public index has it, whatever the number of trials."""
    return NORMAL_95 * pl.col("std") / pl.col("num_trials").sqrt()


def half_width() -> pl.Expr:
    """Half of the mean's 95 % interval as tables have it: of fewer than 30 trials Student's, of the sample's deviation.

    Scripts report the deviation of the trials themselves (over n, not n - 1). Of a single trial nothing is known: it
    has the index's interval, and the flag ``few_trials``.
    """
    trials = pl.col("num_trials")
    freedom = trials - 1
    student = freedom.replace_strict(dict(enumerate(STUDENT_95, 1)), default=None, return_dtype=pl.Float64)
    return pl.when(student.is_null()).then(index_half_width()).otherwise(student * pl.col("std") / freedom.sqrt())


def durations(half: pl.Expr) -> dict[str, pl.Expr]:
    """The durations of runs in whole nanoseconds, as Float64, by the names that tables and manifests give them.

    From the columns ``mean, std, min, max`` in milliseconds and ``num_trials``; ``half`` is that of the interval.
    """
    mean, std, least = (pl.col(figure) for figure in ("mean", "std", "min"))
    milliseconds = {
        "mean_ns": mean,
        "std_ns": std,
        "min_ns": least,
        "max_ns": pl.col("max"),
        "ci95_low_ns": pl.max_horizontal(mean - half, least),
        "ci95_high_ns": mean + half,
    }
    return {name: nanoseconds_of(figure) for name, figure in milliseconds.items()}
