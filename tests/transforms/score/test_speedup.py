"""A speed-up and its bands, calculated by hand."""

from __future__ import annotations

import math

import pytest

from tests.transforms.score.made_up import sample
from transforms.score.speedup import Band, Measured, measured, of_intervals, of_sessions


def test_the_interval_of_many_trials_is_the_normal_one_widened_by_rounding():
    """1.96 x 0.5 / sqrt(100) = 0.098; 4.0 stands for 3.995 to 4.005."""
    (found,) = measured([sample(1, 4.0, std_ms=0.5, min_ms=3.0, max_ms=6.0, num_trials=100)])
    assert found.mean_ms == 4.0
    assert found.low_ms == pytest.approx(4.0 - 0.098 - 0.005, abs=1e-12)
    assert found.high_ms == pytest.approx(4.0 + 0.098 + 0.005, abs=1e-12)


def test_the_interval_of_few_trials_is_students_and_does_not_reach_below_the_fastest():
    """Of 4 trials 3.182446305 x 0.5 / sqrt(3) = 0.918693...; 4 less that is less than 3.5."""
    (found,) = measured([sample(1, 4.0, std_ms=0.5, min_ms=3.5, max_ms=6.0, num_trials=4)])
    half = 3.182446305 * 0.5 / math.sqrt(3)
    assert found.low_ms == pytest.approx(3.5 - 0.005, abs=1e-12)
    assert found.high_ms == pytest.approx(4.0 + half + 0.005, abs=1e-12)


@pytest.mark.parametrize("trials", [29, 30])
def test_students_interval_ends_at_thirty_trials(trials):
    """With 28 degrees of freedom the factor is 2.048407142."""
    (found,) = measured([sample(1, 4.0, std_ms=0.5, min_ms=1.0, max_ms=9.0, num_trials=trials)])
    half = 2.048407142 * 0.5 / math.sqrt(28) if trials == 29 else 1.96 * 0.5 / math.sqrt(30)
    assert found.high_ms == pytest.approx(4.0 + half + 0.005, abs=1e-12)


@pytest.mark.parametrize("known", [{}, {"std_ms": 0.5}, {"num_trials": 100}, {"std_ms": 0.5, "num_trials": 1}])
def test_without_statistics_only_rounding_is_known(known):
    (found,) = measured([sample(1, 1.23, **known)])
    assert (found.low_ms, found.high_ms) == (pytest.approx(1.225, abs=1e-12), pytest.approx(1.235, abs=1e-12))


def test_what_was_not_timed_has_no_duration():
    with pytest.raises(ValueError, match="problem 7, sample 2: was not timed"):
        measured([sample(7, None, sample_id=2)])


def test_a_speed_up_lies_between_the_ends_of_both_intervals():
    band = of_intervals(Measured(6.0, 5.4, 6.6), Measured(2.0, 1.8, 2.2))
    assert band.value == pytest.approx(3.0, abs=1e-12)
    assert band.low == pytest.approx(5.4 / 2.2, abs=1e-12)
    assert band.high == pytest.approx(6.6 / 1.8, abs=1e-12)


def test_a_candidate_that_may_have_taken_no_time_is_faster_without_bound():
    assert of_intervals(Measured(6.0, 6.0, 6.0), Measured(0.001, -0.001, 0.003)).high == math.inf
    assert of_intervals(Measured(0.001, -0.001, 0.003), Measured(1.0, 1.0, 1.0)).low == 0.0


def test_in_another_session_a_speed_up_is_within_the_limit_ratio():
    assert of_sessions(2.0, 1.25) == Band(1.6, 2.0, 2.5)
    assert of_sessions(2.0, None) is None


@pytest.mark.parametrize(
    ("band", "decided"),
    [
        (Band(1.1, 1.2, 1.3), True),
        (Band(0.9, 1.2, 1.3), False),
        (Band(0.8, 0.9, 1.0), True),
        (Band(1.0, 1.1, 1.2), False),
    ],
)
def test_a_threshold_is_decided_where_all_of_a_band_is_on_one_side(band, decided):
    """fast_p counts what is more than p: exactly p is not."""
    assert band.is_decided(1.0) is decided
