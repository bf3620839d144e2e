"""What timing scripts do together follows from what each of their texts does."""

from __future__ import annotations

import pytest

from transforms import registry
from transforms.history.declared import harness_digest
from transforms.layout import TOP
from transforms.registry.harness import FACTS, HarnessScript, merge

FUNCTION = HarnessScript(
    blob="function",
    path="src/timing.py",
    first_seen="2026-01-01",
    warm_up_trials=3,
    trials=10,
    l2_cleared=True,
    first_trial_discarded=True,
    timer="cuda_events",
    statistic="mean",
    defaults=("warm_up_trials", "trials", "first_trial_discarded"),
    basis="The function.",
)
BARE = HarnessScript(
    blob="bare", path="scripts/generate_baseline_time.py", first_seen="2026-01-01", basis="The script names nothing."
)
HUNDRED = HarnessScript(
    blob="hundred",
    path="scripts/generate_baseline_time.py",
    first_seen="2026-01-01",
    trials=100,
    precision="fp32",
    basis="The script asks for a hundred.",
)
MODAL = HarnessScript(
    blob="modal",
    path="scripts/generate_baseline_time_modal.py",
    first_seen="2026-01-01",
    warm_up_trials=5,
    trials=100,
    precision="fp32",
    basis="The Modal script asks for five and a hundred.",
)
KNOWN = {script.blob: script for script in (FUNCTION, BARE, HUNDRED, MODAL)}


def _scripts(*blobs: str) -> dict[str, str]:
    return {KNOWN[blob].path: blob for blob in blobs}


def test_what_a_caller_names_goes_before_the_function_s_default() -> None:
    facts = merge(_scripts("function", "hundred"), KNOWN)
    assert (facts.warm_up_trials, facts.trials, facts.precision) == (3, 100, "fp32")


def test_callers_that_agree_decide() -> None:
    assert merge(_scripts("function", "hundred", "modal"), KNOWN).trials == 100


def test_callers_that_differ_leave_a_fact_unknown() -> None:
    """One leaves the warm-ups to the function, which does three; the other asks for five."""
    assert merge(_scripts("function", "hundred", "modal"), KNOWN).warm_up_trials is None


def test_a_default_and_a_named_value_that_are_equal_agree() -> None:
    named = {**KNOWN, "modal": HarnessScript(blob="modal", path=MODAL.path, first_seen="", trials=10)}
    assert merge(_scripts("function", "bare", "modal"), named).trials == 10


def test_what_the_function_s_body_does_no_caller_changes() -> None:
    facts = merge({**_scripts("function"), "scripts/generate_baseline_time.py": "edited"}, KNOWN)
    assert (facts.l2_cleared, facts.statistic) == (True, "mean")


def test_a_caller_whose_text_is_unknown_makes_defaults_unknown() -> None:
    facts = merge({**_scripts("function", "modal"), "scripts/generate_baseline_time.py": "edited"}, KNOWN)
    assert (facts.warm_up_trials, facts.trials, facts.first_trial_discarded) == (None, None, None)
    assert facts.basis.endswith("The timing function, or a script that calls it, is not known.")


def test_without_a_caller_defaults_say_nothing() -> None:
    facts = merge(_scripts("function"), KNOWN)
    assert (facts.l2_cleared, facts.trials, facts.warm_up_trials) == (True, None, None)


def test_a_function_whose_text_is_unknown_leaves_what_its_callers_name() -> None:
    facts = merge({**_scripts("hundred"), "src/timing.py": "edited"}, KNOWN)
    assert (facts.trials, facts.l2_cleared, facts.warm_up_trials) == (100, None, None)


def test_where_there_is_a_timing_py_an_eval_py_decides_nothing() -> None:
    facts = merge({**_scripts("function", "hundred"), "src/eval.py": "edited"}, KNOWN)
    assert facts == merge(_scripts("function", "hundred"), KNOWN)


def test_two_timing_functions_leave_unknown_which_one_timed() -> None:
    assert merge({**_scripts("function", "hundred"), "src/kernelbench/timing.py": "other"}, KNOWN).l2_cleared is None


def test_no_scripts_no_facts() -> None:
    facts = merge({}, KNOWN)
    assert {getattr(facts, name) for name in FACTS} == {None}
    assert facts.basis == ""


def test_the_basis_is_that_of_each_text_once() -> None:
    assert merge(_scripts("function", "modal"), KNOWN).basis == (
        "The function. The Modal script asks for five and a hundred."
    )


every_script = pytest.mark.parametrize(
    "script", registry.harness_scripts().values(), ids=lambda script: script.blob[:10]
)


@every_script
def test_a_known_text_is_one_of_the_scripts_that_time(script: HarnessScript) -> None:
    assert TOP.is_harness(script.path)
    assert len(script.blob) == 40
    assert script.basis.endswith(".")


@every_script
def test_a_text_proposes_only_what_it_says(script: HarnessScript) -> None:
    assert set(script.defaults) <= set(FACTS)
    assert all(getattr(script, name) is not None for name in script.defaults)


def test_no_text_is_told_of_twice() -> None:
    told = [(script.path, script.blob) for script in registry.harness_scripts().values()]
    assert len(told) == len(set(told)) == 37


def test_a_digest_is_that_of_its_scripts_and_each_of_them_is_known() -> None:
    scripts = registry.harness_scripts()
    for digest, harness in registry.harnesses().items():
        assert harness_digest(harness.scripts) == digest
        assert {scripts[blob].path for blob in harness.scripts.values()} == set(harness.scripts)
        assert harness.basis.endswith(".")


UPSTREAM = {
    "2024-12-01": {"src/eval.py": "65ec84f9b3"},
    "2025-01-20": {"scripts/generate_baseline_time.py": "f39069ca00", "src/eval.py": "4532154ee6"},
    "2025-03-16": {
        "scripts/generate_baseline_time.py": "8846ab5638",
        "scripts/generate_baseline_time_modal.py": "240d6c7beb",
        "src/eval.py": "4532154ee6",
    },
    "2025-11-11": {
        "scripts/generate_baseline_time.py": "5a68ea082d",
        "scripts/generate_baseline_time_modal.py": "a7f157ef15",
        "src/eval.py": "4a072c895b",
    },
    "2025-12-31": {
        "scripts/generate_baseline_time.py": "2d992d1e30",
        "scripts/generate_baseline_time_modal.py": "37bda8ae24",
        "src/kernelbench/eval.py": "023b4f8817",
        "src/kernelbench/timing.py": "b930a8902e",
    },
    "2026-03-05": {
        "scripts/generate_baseline_time.py": "e53fd9155f",
        "scripts/generate_baseline_time_modal.py": "8cc409fa08",
        "src/kernelbench/eval.py": "3557dc948f",
        "src/kernelbench/timing.py": "f22920b4b4",
    },
}
"""Some of upstream's revisions: the first ten digits of the blobs of its timing scripts."""


@pytest.mark.parametrize(
    ("day", "l2_cleared", "first_trial_discarded", "warm_up_trials", "trials", "precision"),
    [
        ("2024-12-01", False, False, None, None, None),
        ("2025-01-20", False, False, 3, 100, "as_written"),
        ("2025-03-16", False, False, 3, 100, "as_written"),
        ("2025-11-11", False, False, 3, 100, "as_written"),
        ("2025-12-31", True, True, 3, 100, "as_written"),
        ("2026-03-05", True, True, None, 100, None),
    ],
)
def test_upstream_discards_the_first_trial_and_clears_l2_from_the_end_of_2025_on(
    day: str,
    l2_cleared: bool,
    first_trial_discarded: bool,
    warm_up_trials: int | None,
    trials: int | None,
    precision: str | None,
) -> None:
    """Of 2024 only the function is known. In 2026 the Modal script differs from the plain one: 3 warm-ups and fp32
    against the function's 5 and bf16."""
    whole = {blob[:10]: blob for blob in registry.harness_scripts()}
    facts = registry.harness_facts({path: whole[blob] for path, blob in UPSTREAM[day].items()})
    assert (facts.l2_cleared, facts.first_trial_discarded) == (l2_cleared, first_trial_discarded)
    assert (facts.warm_up_trials, facts.trials, facts.precision) == (warm_up_trials, trials, precision)
    assert (facts.timer, facts.statistic, facts.device_synchronized) == ("cuda_events", "mean", True)
    assert facts.outliers_dropped is False
