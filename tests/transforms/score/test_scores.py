"""A score, calculated by hand, and by KernelBench's definitions where both are defined."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transforms.score.made_up import baseline, baselines, by_problem, problem, sample
from transforms.score.scores import THRESHOLDS, Floor, floor_of, score
from transforms.score.speedup import Band

FOUR = [problem(number) for number in (1, 2, 3, 4)]


def shares(made) -> dict[float, float]:
    return {share.threshold: share.of(made.problems).value for share in made.shares}


def test_a_score_of_four_problems_by_hand():
    """Speed-ups 8/2 = 4 and 3/6 = 0.5; the third is wrong, the fourth was not compiled."""
    against = baselines(*(baseline(number, mean) for number, mean in ((1, 8.0), (2, 3.0), (3, 5.0), (4, 7.0))))
    results = by_problem(
        sample(1, 2.0), sample(2, 6.0), sample(3, None, correct=False), sample(4, None, correct=False, compiled=False)
    )
    made = score(FOUR, results, against)
    assert (made.problems, made.with_result, made.compiled, made.correct, made.scored) == (4, 4, 3, 2, 2)
    assert shares(made) == {0.0: 0.5, 0.5: 0.25, 0.8: 0.25, 1.0: 0.25, 1.5: 0.25, 2.0: 0.25, 4.0: 0.0}
    assert made.means.geometric is not None and made.means.median is not None and made.means.arithmetic is not None
    assert made.means.geometric.value == pytest.approx(math.sqrt(2.0), abs=1e-12)
    assert made.means.median.value == pytest.approx(2.25, abs=1e-12)
    assert made.means.arithmetic.value == pytest.approx(2.25, abs=1e-12)
    assert [line.state for line in made.lines] == ["scored", "scored", "wrong", "not_compiled"]


def test_both_denominators_are_told():
    """Of four problems three have a baseline and two a result; one has both and is faster."""
    against = baselines(*(baseline(number, 4.0) for number in (1, 2, 3)))
    made = score(FOUR, by_problem(sample(1, 2.0), sample(4, 1.0)), against)
    one = next(share for share in made.shares if share.threshold == 1.0)
    assert (one.of(made.problems).value, one.of(made.with_both).value) == (0.25, 1.0)
    assert (made.with_baseline, made.with_both, made.with_result) == (3, 1, 2)
    assert [line.state for line in made.lines] == ["scored", "missing", "missing", "no_baseline"]


def test_a_correct_sample_that_was_not_timed_counts_as_correct_and_is_not_fast():
    made = score(FOUR[:1], by_problem(sample(1, None)), baselines(baseline(1, 4.0)))
    assert (made.correct, made.scored, shares(made)[0.0]) == (1, 0, 0.0)
    assert made.lines[0].state == "not_timed"
    assert made.means.geometric is None


durations = st.floats(0.01, 100.0)


@given(st.lists(st.tuples(st.booleans(), durations, durations), min_size=1, max_size=30))
def test_fast_p_and_the_geometric_mean_are_kernelbenchs(rows):
    """Its script: of correct samples baseline / actual; those above p over all problems; the product's n-th root."""
    problems = [problem(number) for number in range(len(rows))]
    against = baselines(*(baseline(number, base) for number, (_, base, _) in enumerate(rows)))
    results = [sample(n, time if right else None, correct=right) for n, (right, _, time) in enumerate(rows)]
    made = score(problems, by_problem(*results), against)
    speed_ups = [base / time for right, base, time in rows if right]
    for threshold in THRESHOLDS:
        expected = sum(one > threshold for one in speed_ups) / len(rows)
        assert shares(made)[threshold] == pytest.approx(expected, abs=1e-12)
    if speed_ups:
        assert made.means.geometric is not None
        assert made.means.geometric.value == pytest.approx(math.prod(speed_ups) ** (1 / len(speed_ups)), rel=1e-12)


@given(st.lists(st.tuples(durations, st.floats(1.0, 1.5), durations), min_size=1, max_size=20))
def test_every_value_lies_within_its_bands(rows):
    problems = [problem(number) for number in range(len(rows))]
    figures = [baseline(n, b, low=b / 1.1, high=b * 1.1, limit_ratio=limit) for n, (b, limit, _) in enumerate(rows)]
    made = score(problems, by_problem(*(sample(n, time) for n, (_, _, time) in enumerate(rows))), baselines(*figures))
    for share in made.shares:
        assert share.low <= share.count <= share.high
        assert share.session_low <= share.count <= share.session_high
    for means in (made.means, made.means_in_sessions):
        for band in (means.geometric, means.median, means.arithmetic):
            assert band is not None and band.low <= band.value * (1 + 1e-12) and band.value <= band.high * (1 + 1e-12)


def test_a_case_in_which_rounding_alone_decides():
    """1.00 stands for 0.995 to 1.005, and so does the baseline: which is faster nobody can say."""
    made = score(FOUR[:1], by_problem(sample(1, 1.0)), baselines(baseline(1, 1.004, low=0.9985, high=1.0095)))
    one = next(share for share in made.shares if share.threshold == 1.0)
    assert (one.count, one.low, one.high) == (1, 0, 1)
    assert [each.number for each in one.decided_by] == [1]
    assert one.of(1) == Band(0.0, 1.0, 1.0)


def test_a_case_in_which_only_sessions_decide():
    """1.02 times as fast, to three digits and more; sessions on this machine differ by up to 1.05."""
    made = score(FOUR[:1], by_problem(sample(1, 100.0)), baselines(baseline(1, 102.0, limit_ratio=1.05)))
    one = next(share for share in made.shares if share.threshold == 1.0)
    assert (one.count, one.low, one.high) == (1, 1, 1)
    assert (one.session_low, one.session_high) == (0, 1)
    assert ([each.number for each in one.decided_by], [each.number for each in one.decided_by_sessions]) == ([], [1])


def test_a_case_in_which_fast_1_flips_between_two_baselines():
    results = by_problem(sample(1, 2.0))
    slow, quick = (score(FOUR[:1], results, baselines(baseline(1, mean), host=str(mean))) for mean in (3.0, 1.5))
    assert (shares(slow)[1.0], shares(quick)[1.0]) == (1.0, 0.0)


def test_a_kernel_that_is_faster_than_the_hardware_permits_is_suspect():
    """By more than rounding hides (0.399 is at most 0.3995); what fits into a cache need not cross memory."""
    floors = {"code1": Floor(0.4, 0.4), "code2": Floor(0.4, None), "code3": Floor(0.3993, 0.3993)}
    floors["code4"] = Floor(0.4, 0.1)
    results = by_problem(sample(1, 0.2), sample(2, 0.2), sample(3, 0.399), sample(4, 0.2))
    made = score(FOUR, results, baselines(*(baseline(number, 1.0) for number in (1, 2, 3, 4))), floors)
    assert [line.remarks for line in made.lines] == [("below_floor",), (), (), ()]
    assert made.lines[0].peak_fraction == pytest.approx(2.0, abs=1e-12)


def test_a_floor_is_evident_by_arithmetic_and_by_memory_where_the_data_exceed_the_caches():
    row = {"floor_ns": 5e6, "compute_ns": 2e6, "dram_ns": 5e6}
    assert floor_of({**row, "beyond_cache": True}) == Floor(5.0, 5.0)
    assert floor_of({**row, "beyond_cache": False}) == Floor(5.0, 2.0)
    assert floor_of({**row, "compute_ns": None, "beyond_cache": None}) == Floor(5.0, None)


def test_other_code_is_compared_only_where_that_is_asked_for():
    """As where a problem was changed so that it draws its inputs otherwise."""
    now = [problem(1, code="new", compute="same")]
    against = baselines(baseline(1, 4.0, code_digest="old", compute_digest="same"))
    results = by_problem(sample(1, 2.0))
    assert score(now, results, against).lines[0].state == "no_baseline"
    assert score(now, results, against, equivalent=True).lines[0].state == "scored"
