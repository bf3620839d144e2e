"""Which baselines are chosen, and what is said where there is none."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.transforms.score.made_up import A100, L40S, baseline, baselines, problem, sample
from transforms.score.baselines import BaselineSet, Problem, SetName, problems_of, sets_of
from transforms.score.choices import Wish, choose, gpus_of, warnings_of

TWO = [problem(1), problem(2)]
RESULTS = [sample(1, 2.0), sample(2, 3.0)]
WHOLE = baselines(baseline(1, 4.0), baseline(2, 5.0))


def chosen(*sets: BaselineSet, results=RESULTS, problems=TWO, **wish) -> SetName | None:
    found = choose(problems, results, sets, gpus_of(results), Wish(**wish)).chosen
    return found.name if found else None


def test_the_set_of_the_same_gpu_is_chosen():
    assert chosen(baselines(baseline(1, 4.0), baseline(2, 5.0), gpu=A100, host="A"), WHOLE) == WHOLE.name


def test_eager_is_chosen_unless_another_mode_is_named():
    compiled = baselines(baseline(1, 4.0), baseline(2, 5.0), mode="torch_compile")
    assert chosen(compiled, WHOLE) == WHOLE.name
    assert chosen(compiled) is None
    assert chosen(compiled, WHOLE, mode="torch_compile") == compiled.name


def test_of_several_the_one_that_covers_most_of_what_can_be_scored_then_what_stands_then_the_newest():
    partial = baselines(baseline(1, 4.0), host="partial")
    gone = baselines(baseline(1, 4.0, present=False), baseline(2, 5.0, present=False), host="gone")
    old = datetime(2025, 1, 1)
    older = baselines(baseline(1, 4.0, observed_at=old), baseline(2, 5.0, observed_at=old), host="older")
    assert chosen(partial, gone, older, WHOLE) == WHOLE.name
    assert chosen(partial, gone, older) == older.name
    assert chosen(partial, gone) == gone.name
    assert chosen(partial) == partial.name


def test_upstream_goes_first_among_equals_and_then_the_name():
    upstream = baselines(baseline(1, 4.0), baseline(2, 5.0), source="ScalingIntelligence/KernelBench")
    other = baselines(baseline(1, 4.0), baseline(2, 5.0), source="a/b")
    assert chosen(WHOLE, other, upstream) == upstream.name
    assert chosen(WHOLE, other) == other.name


def test_a_host_that_is_named_is_taken_where_it_fits():
    second = baselines(baseline(1, 4.0), host="second")
    assert chosen(WHOLE, second, host="second") == second.name
    assert chosen(WHOLE, second, source="other/y", host="second") is None


def test_another_gpu_is_refused_and_named_unless_it_is_asked_for():
    other = baselines(baseline(1, 4.0), baseline(2, 5.0), gpu=A100, host="A")
    found = choose(TWO, RESULTS, [other], {L40S}, Wish())
    assert (found.chosen, [one.of.name for one in found.other_gpu]) == (None, [other.name])
    assert chosen(other, any_gpu=True) == other.name


def test_other_code_on_the_same_gpu_is_refused_and_named():
    """As where the problems were given larger sizes and only the old ones were measured."""
    other = baselines(baseline(1, 4.0, code_digest="v0", compute_digest="v0"))
    found = choose(TWO, RESULTS, [other], {L40S}, Wish())
    assert (found.chosen, found.other_code, found.rivals) == (None, (other,), ())


def test_another_precision_is_never_compared():
    half = baselines(baseline(1, 4.0), baseline(2, 5.0), precision="bf16")
    assert chosen(half) is None
    assert chosen(half, results=[sample(1, 2.0, precision="bf16")]) == half.name


def test_results_of_two_gpus_or_none_choose_no_baseline_of_a_third():
    assert gpus_of([sample(1, 2.0), sample(2, 3.0, hardware=A100)]) == {L40S, A100}
    nothing = [sample(1, 2.0, hardware=None)]
    assert chosen(WHOLE, results=nothing) is None
    assert chosen(WHOLE, results=nothing, any_gpu=True) == WHOLE.name


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"l2_cleared": None}, "is not known to clear the L2 cache"),
        ({"l2_cleared": False}, "does not clear the L2 cache"),
        ({"torch": "torch==2.5.0"}, "declared torch==2.5.0"),
        ({"present": False}, "does not show these baselines any more"),
    ],
)
def test_what_differs_is_a_warning_with_its_evidence(change, words):
    against = baselines(baseline(1, 4.0, **change))
    (warning,) = warnings_of(against, {L40S}, [sample(1, 2.0, num_trials=100)])
    assert words in warning


def test_what_does_not_differ_is_no_warning():
    assert warnings_of(WHOLE, {L40S}, [sample(1, 2.0, num_trials=100), sample(2, None)]) == []


def test_another_gpu_and_missing_statistics_are_warnings():
    gpu, statistics = warnings_of(WHOLE, {A100}, [sample(1, 2.0)])
    assert f"the results report {A100}, the baseline was measured on {L40S}" in gpu
    assert "only rounding is known" in statistics


def test_rows_become_problems_and_sets():
    row = {"level": "level1", "number": 1, "problem": "1_p.py", "code_digest": "c", "compute_digest": "d"}
    assert problems_of([row, {**row, "number": None}]) == [Problem("level1", 1, "1_p.py", "c", "d")]
    assert problems_of([row, {**row, "problem": "1_q.py"}]) == [], "of two files of one number none can be meant"
    figure = {
        **row,
        "run_id": "r",
        "source": "lab/x",
        "host": "H",
        "mode": "torch",
        "precision": None,
        "gpu": L40S,
        "hardware": L40S,
        "source_metrics": "{}",
        "mean_ns": 2_000_000,
        "low_ns": 1_900_000,
        "high_ns": 2_200_000,
        "present": True,
        "torch": None,
        "observed_at": datetime(2026, 3, 1),
        "first_revision": "r1",
        "l2_cleared": True,
        "limit_ratio": 1.1,
    }
    (found,) = sets_of([figure])
    assert (str(found.name), found.gpu, found.present) == ("lab/x:H/torch", L40S, True)
    assert found.figures[0].measured.high_ms == pytest.approx(2.2, abs=1e-12)
