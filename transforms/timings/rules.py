"""The rules that hold between the figures of one entry, over many entries at once (DESIGN section 4)."""

from collections.abc import Callable, Iterator

import polars as pl
import rfc8785

from transforms.measures import JSON_INTEGER_LIMIT
from transforms.numbers import json_number
from transforms.registry import known_hardware
from transforms.timings.names import with_problems
from transforms.timings.rounding import half_width

__all__ = ["FLAGS", "judge", "with_details", "with_measures"]

FLAGS = ("few_trials", "hardware_missing", "noisy", "unknown_gpu", "zero_spread")
"""Flags of entries that are kept, in the order they are listed in."""
FEW_TRIALS = 10
NOISY_SHARE = 1 / 4
SLACK = 1e-9
"""Relative: a figure is never refused for the noise of floating-point arithmetic."""

_mean, _std, _min, _max, _trials = (pl.col(name) for name in ("mean", "std", "min", "max", "num_trials"))
_fault, _hardware, _problem = pl.col("fault"), pl.col("hardware"), pl.col("problem")


def judge(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of `Rows.frame` with their `problem` and `reason`: the first that applies, null for an entry to keep.

    `unnamed`: nothing but its name speaks against the entry, and a module beside the file may have that name.
    """
    rows = with_problems(rows)
    rows = rows.with_columns(doubt=_doubts(rows))
    not_positive = (pl.min_horizontal(_mean, _min, _max) <= 0) | (_std < 0)
    bad_count = _fault == "bad_trial_count"
    of_figures = (
        pl.when(_fault.is_not_null() & ~bad_count)
        .then(_fault)
        .when(not_positive)
        .then(pl.lit("not_positive"))
        .when(bad_count | (_trials < 1) | (_trials > JSON_INTEGER_LIMIT))
        .then(pl.lit("bad_trial_count"))
        .otherwise("doubt")
    )
    rows = rows.with_columns(of_figures=of_figures)
    reason = (
        pl.when((_fault == "duplicate_key") | pl.col("shared"))
        .then(pl.lit("duplicate_key"))
        .when(_problem.is_null())
        .then(pl.lit("bad_problem_name"))
        .otherwise("of_figures")
    )
    return rows.with_columns(reason=reason).with_columns(
        unnamed=(pl.col("reason") == "bad_problem_name").fill_null(False) & pl.col("of_figures").is_null()
    )


def _doubts(rows: pl.DataFrame) -> pl.Series:
    """`mean_outside_range`, `impossible_spread` or null for each row.

    Widths only ever make room: they are worked out for the entries whose figures do not agree exactly.
    """
    doubts = pl.Series("doubt", [None], pl.String).new_from_index(0, rows.height)
    doubtful = rows.select(_outside(_exact) | _impossible(_exact)).to_series().arg_true()
    if doubtful.is_empty():
        return doubts
    figures = rows.select("mean", "std", "min", "max", "num_trials")[doubtful]
    widths = figures.select(half_width(pl.col("mean", "std", "min", "max")).name.suffix("_h"))
    reasons = figures.hstack(widths).select(
        pl.when(_outside(_rounded))
        .then(pl.lit("mean_outside_range"))
        .when(_impossible(_rounded))
        .then(pl.lit("impossible_spread"))
    )
    return doubts.scatter(doubtful, reasons.to_series())


Width = Callable[[str], pl.Expr]
"""The half-width of a figure, by its name."""


def _exact(_name: str) -> pl.Expr:
    return pl.lit(0.0)


def _rounded(name: str) -> pl.Expr:
    return pl.col(f"{name}_h")


def _above(h: Width) -> pl.Expr:
    return _max + h("max") - _mean + h("mean") + SLACK * _mean


def _below(h: Width) -> pl.Expr:
    return _mean + h("mean") - _min + h("min") + SLACK * _mean


def _outside(h: Width) -> pl.Expr:
    return (_above(h) < 0) | (_below(h) < 0)


def _impossible(h: Width) -> pl.Expr:
    """More spread than any sample of this size with this mean between these ends can have: (max - mean)(mean - min).

    Roots are taken factor by factor, since the products of very large or small figures leave the range of doubles.
    """
    trials = _trials.cast(pl.Float64)
    most = _above(h).sqrt() * _below(h).sqrt() * (trials / (trials - 1)).sqrt()
    return (_trials > 1) & (_std - h("std") > most * (1 + SLACK))


def with_measures(kept: pl.DataFrame) -> pl.DataFrame:
    """Kept entries with what is worked out from their figures: `rounding`, `flags`, `source_metrics`.

    Hardware reported as an empty string is none.
    """
    kept = kept.with_columns(hardware=pl.when(_hardware != "").then(_hardware))
    bits = [holds.cast(pl.UInt8) * (1 << bit) for bit, holds in enumerate(_flags())]
    # One step for all the texts, since polars works out the columns of a step side by side.
    kept = kept.with_columns(
        *_metric_texts(),
        rounding=half_width(_mean),
        flags=pl.lit(_FLAG_SETS).gather(pl.sum_horizontal(bits)),
    )
    return kept.with_columns(source_metrics=pl.coalesce("metrics", _SOURCE_METRICS))


def _flags() -> Iterator[pl.Expr]:
    """Whether each of FLAGS holds, in their order."""
    yield _trials < FEW_TRIALS
    yield _hardware.is_null()
    yield _std > _mean * NOISY_SHARE
    yield (~_hardware.is_in(known_hardware())).fill_null(False)
    yield _std == 0


_FLAG_SETS = pl.Series(
    [[flag for bit, flag in enumerate(FLAGS) if bits >> bit & 1] for bits in range(1 << len(FLAGS))],
    dtype=pl.List(pl.String),
)
"""The flags of every combination of bits: there are few, and lists are slow to build row by row."""


def _metric_texts() -> Iterator[pl.Expr]:
    """The JSON texts of the reported figures, each in a column `<name>_json`; of the device, with its name or empty."""
    yield json_number(pl.col("mean", "std", "min", "max")).name.suffix("_json")
    count = _trials.cast(pl.String)
    yield (
        pl.when(_trials > JSON_INTEGER_LIMIT).then(pl.format('"{}"', count)).otherwise(count).alias("num_trials_json")
    )
    yield pl.col("device").map_batches(_device_members, return_dtype=pl.String).alias("device_json")


def _device_members(devices: pl.Series) -> pl.Series:
    """`"device":"cuda:0",` for each device, nothing for none."""
    known = devices.drop_nulls().unique()
    members = [f'"device":{rfc8785.dumps(device).decode()},' for device in known]
    return devices.replace_strict(known, members, return_dtype=pl.String).fill_null("")


_SOURCE_METRICS = pl.concat_str(
    pl.lit("{"),
    "device_json",
    pl.lit('"max":'),
    "max_json",
    pl.lit(',"mean":'),
    "mean_json",
    pl.lit(',"min":'),
    "min_json",
    pl.lit(',"num_trials":'),
    "num_trials_json",
    pl.lit(',"std":'),
    "std_json",
    pl.lit("}"),
)
"""The canonical JSON of an entry that has upstream's own keys only; hardware has a column of its own."""


def with_details(refused: pl.DataFrame) -> pl.DataFrame:
    """Refused entries with `detail`: the offending values in words."""
    mean, std, low, high = (json_number(figure) for figure in (_mean, _std, _min, _max))
    worded = {
        "duplicate_key": pl.format("another key of {} names {} too", "level", "problem"),
        "bad_problem_name": pl.format("{} names no problem of {}", "problem_key", "level"),
        "not_positive": pl.format("mean is {}, std {}, min {}, max {}", mean, std, low, high),
        "bad_trial_count": pl.format("num_trials is {}", "num_trials"),
        "mean_outside_range": pl.format("mean {} is not between min {} and max {}", mean, low, high),
        "impossible_spread": pl.format(
            "std {} is more than {} trials with mean {}, min {} and max {} can have",
            std,
            "num_trials",
            mean,
            low,
            high,
        ),
    }
    reason = pl.col("reason")
    said = pl.when(reason == _fault).then("fault_detail")
    details = [said, *(pl.when(reason == name).then(words) for name, words in worded.items())]
    return refused.with_columns(detail=pl.coalesce(details))
