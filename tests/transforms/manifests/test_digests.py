"""What changes a digest, and what does not."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from math import nextafter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transforms.manifests.made_up import FIGURES, PIN, PROBLEM, RUN
from transforms.manifests.digests import Document
from transforms.manifests.documents import digest, manifests
from transforms.manifests.facts import Pin, PinnedProblem, PinnedRun


def digests(run: PinnedRun = RUN, problem: PinnedProblem = PROBLEM, pin: Pin = PIN) -> dict[str, str]:
    return {name: digest(document) for name, document in manifests(run, problem, pin).items()}


def changed(run: PinnedRun = RUN, problem: PinnedProblem = PROBLEM, pin: Pin = PIN) -> set[str]:
    """The kinds whose digests differ from those of the made-up run."""
    before, now = digests(), digests(run, problem, pin)
    return {name for name in before if before[name] != now[name]}


@given(st.sampled_from(FIGURES), st.floats(1e-6, 1e6), st.integers(1, 10**9))
def test_any_changed_figure_changes_only_the_run(figure: str, reported: float, trials: int) -> None:
    value: Any = trials if figure == "num_trials" else reported
    other = replace(RUN, **{figure: value})
    assert changed(other) == (set() if other == RUN else {"run"})


@pytest.mark.parametrize("figure", ["mean", "std", "min", "max"])
def test_the_smallest_change_of_a_figure_counts(figure: str) -> None:
    value: Any = nextafter(getattr(RUN, figure), 9.0)
    other = replace(RUN, **{figure: value})
    assert changed(other) == {"run"}


@pytest.mark.parametrize(
    ("run", "kinds"),
    [
        (replace(RUN, host="another"), {"run"}),
        (replace(RUN, path="results/timing/H100_Modal/baseline_time.json"), {"run"}),
        (replace(RUN, mode="torch_compile"), {"implementation", "run"}),
        (replace(RUN, hardware="NVIDIA L4"), {"environment", "run"}),
    ],
    ids=["host", "path", "mode", "hardware"],
)
def test_what_a_run_s_facts_change(run: PinnedRun, kinds: set[str]) -> None:
    assert changed(run) == kinds


OF_THE_CODE = {"operation", "workload", "implementation", "run"}


@pytest.mark.parametrize(
    ("problem", "kinds"),
    [
        (replace(PROBLEM, module_sha256="cd" * 32), OF_THE_CODE),
        (replace(PROBLEM, inputs=PROBLEM.inputs[::-1]), OF_THE_CODE),
        (replace(PROBLEM, module_size_bytes=322), {"implementation", "run"}),
        (replace(PROBLEM, axes={"rows": 3, "cols": 6}), {"workload", "run"}),
        (replace(PROBLEM, scalars={"alpha": 0.5}), {"workload", "run"}),
        (replace(PROBLEM, scalars={"beta": 2, "alpha": 0.5}), set()),
    ],
    ids=["code", "order of inputs", "size of the file", "size of an axis", "scalars", "spelling of scalars"],
)
def test_what_a_problem_s_facts_change(problem: PinnedProblem, kinds: set[str]) -> None:
    assert changed(problem=problem) == kinds


def test_another_commit_changes_everything_of_the_code_and_a_date_only_the_run() -> None:
    assert changed(pin=replace(PIN, commit="decade")) == OF_THE_CODE
    assert changed(pin=replace(PIN, observed_at=PIN.observed_at + timedelta(seconds=1))) == {"run"}


@given(st.permutations(list(PROBLEM.axes)), st.permutations(list(PROBLEM.scalars)))
def test_the_order_of_axes_and_scalars_never_matters(axes: list[str], scalars: list[str]) -> None:
    shuffled = replace(
        PROBLEM,
        axes={axis: PROBLEM.axes[axis] for axis in axes},
        scalars={scalar: PROBLEM.scalars[scalar] for scalar in scalars},
    )
    assert manifests(RUN, shuffled, PIN) == manifests(RUN, PROBLEM, PIN)


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_the_order_of_members_never_matters(shuffle: Random) -> None:
    def shuffled(value: object) -> object:
        if isinstance(value, dict):
            members = list(value)
            shuffle.shuffle(members)
            return {member: shuffled(value[member]) for member in members}
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    for document in manifests(RUN, PROBLEM, PIN).values():
        other: Document = json.loads(json.dumps(shuffled(document)))
        assert digest(other) == digest(document)
