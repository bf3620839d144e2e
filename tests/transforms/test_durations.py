"""Whole nanoseconds and the 95 % interval, for one figure and for columns of them."""

from __future__ import annotations

import math
from fractions import Fraction
from math import floor

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.durations import ci95, durations, half_width, index_half_width, nanoseconds, nanoseconds_of
from transforms.measures import STUDENT_95

FIGURES = st.floats(0, 1e25)


@pytest.mark.parametrize(
    ("milliseconds", "whole"),
    [(0.0, 0), (1.37, 1_370_000), (4.9e-7, 0), (5e-7, 1), (1.5e-6, 2), (2.5e-6, 3), (1e-6, 1)],
)
def test_nanoseconds_are_rounded_with_halves_up(milliseconds, whole):
    assert nanoseconds(milliseconds) == whole
    assert isinstance(nanoseconds(milliseconds), int)


@given(st.integers(1, 999), st.integers(-6, 4))
def test_nanoseconds_round_halves_up(digits, exponent):
    """Of the decimal that was written, as long as a double can tell it from its neighbours."""
    exact = Fraction(digits) * Fraction(10) ** exponent * 10**6
    assert nanoseconds(float(f"{digits}e{exponent}")) == floor(exact + Fraction(1, 2))


@given(st.floats(0, 1e9))
def test_nanoseconds_are_whole_numbers_by_the_index_s_rule(milliseconds):
    assert nanoseconds(milliseconds) == floor(milliseconds * 1e6 + 0.5)
    assert isinstance(nanoseconds(milliseconds), int)


def test_nanoseconds_beyond_exact_integers_are_what_a_double_holds():
    assert nanoseconds(1e12) == 1e18
    assert isinstance(nanoseconds(1e12), float)


def test_what_json_cannot_count_is_a_float():
    """2^53 ns are 104 days."""
    assert isinstance(nanoseconds(2**52 / 1e6), int)
    assert isinstance(nanoseconds(2**54 / 1e6), float)


def test_the_interval_is_the_means_and_does_not_begin_below_the_minimum():
    """1.96 x 0.5 / sqrt(100) is 0.098."""
    assert ci95(2.0, 0.5, 1.0, 100) == (pytest.approx(1.902), pytest.approx(2.098))
    assert ci95(2.0, 0.5, 1.95, 100) == (1.95, pytest.approx(2.098))


@given(mean=FIGURES, std=FIGURES, least=FIGURES, most=FIGURES, trials=st.integers(1, 2**53 - 1))
def test_columns_say_what_single_figures_say(mean, std, least, most, trials):
    row = pl.DataFrame({"mean": [mean], "std": [std], "min": [least], "max": [most], "num_trials": [trials]})
    low, high = ci95(mean, std, least, trials)
    one_by_one = {"mean_ns": mean, "std_ns": std, "min_ns": least, "max_ns": most}
    one_by_one |= {"ci95_low_ns": low, "ci95_high_ns": high}
    (found,) = row.select(**durations(index_half_width())).to_dicts()
    assert found == {name: float(nanoseconds(figure)) for name, figure in one_by_one.items()}


def test_no_figure_has_no_nanoseconds():
    frame = pl.DataFrame({"figure": [None, math.pi]}, schema={"figure": pl.Float64})
    assert frame.select(nanoseconds_of(pl.col("figure")))["figure"].to_list() == [None, 3_141_593.0]


def half(std: float, trials: int) -> float:
    """Half of a table's interval in milliseconds."""
    row = pl.DataFrame({"std": [std], "num_trials": [trials]})
    return float(row.select(half_width()).item())


def test_the_interval_of_few_trials_is_students():
    """5 trials: t is 2.776445 for 4 degrees of freedom, the sample's deviation std x sqrt(5/4); over sqrt(5)."""
    assert half(0.2, 5) == pytest.approx(2.776445105 * 0.2 / 2)
    assert half(0.2, 29) == pytest.approx(2.048407142 * 0.2 / math.sqrt(28))
    assert half(0.2, 30) == pytest.approx(1.96 * 0.2 / math.sqrt(30))
    assert half(0.2, 1) == pytest.approx(1.96 * 0.2)


@pytest.mark.parametrize("freedom", [1, 2, 5, 12, 28])
def test_the_quantiles_of_students_t_hold_95_percent(freedom):
    """The density integrated by Simpson's rule between them."""
    end = STUDENT_95[freedom - 1]
    steps = 20_000
    scale = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi) * math.gamma(freedom / 2))

    def density(t: float) -> float:
        return scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

    width = 2 * end / steps
    weights = [1, *([4, 2] * (steps // 2))[:-1], 1]
    area = sum(weight * density(-end + width * n) for n, weight in enumerate(weights)) * width / 3
    assert area == pytest.approx(0.95, abs=1e-7)
