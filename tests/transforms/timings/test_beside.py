"""Units and precisions that stand beside figures."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.timings.beside import in_milliseconds, known_precision, precision_of_mode
from transforms.timings.reader import TimingReadings, read_timings

MICROSECONDS = {"mean": 4280.0, "std": 42.8, "min": 4194.4, "max": 4408.4, "num_trials": 100}
"""4.28 ms, as somebody reports it in microseconds."""


def read(document: Any) -> TimingReadings:
    return read_timings([("b1", json.dumps(document).encode())])


def only_entry(document: Any) -> dict[str, Any]:
    readings = read(document)
    assert readings.refusals.is_empty(), readings.refusals
    return readings.entries.row(0, named=True)


@pytest.mark.parametrize("unit", ["us", "\u00b5s", "\u03bcs", "usec", "Microseconds", " us "])
@pytest.mark.parametrize("where", ["entry", "level", "file"])
def test_a_unit_is_obeyed_wherever_it_stands(unit, where):
    said = {"unit": unit}
    entry = {**MICROSECONDS, **(said if where == "entry" else {})}
    level = {"19_ReLU.py": entry, **(said if where == "level" else {})}
    kept = only_entry({"level1": level, **(said if where == "file" else {})})
    assert [kept[name] for name in ("mean", "std", "min", "max", "rounding")] == [4.28, 0.0428, 4.1944, 4.4084, 0.005]
    assert json.loads(kept["source_metrics"])["reported_unit"] == unit


@pytest.mark.parametrize(
    ("unit", "mean"), [("ns", 4.28e6), ("us", 4280.0), ("ms", 4.28), ("s", 0.00428), ("seconds", 0.00428)]
)
def test_every_unit_gives_the_same_milliseconds(unit, mean):
    entry = {"mean": mean, "std": 0, "min": mean, "max": mean, "num_trials": 1, "unit": unit}
    assert only_entry({"level1": {"19_ReLU.py": entry}})["mean"] == 4.28


def test_the_unit_of_the_entry_goes_before_that_of_the_file():
    entry = {**MICROSECONDS, "unit": "us"}
    assert only_entry({"unit": "s", "level1": {"19_ReLU.py": entry}})["mean"] == 4.28


@pytest.mark.parametrize("unit", ["cycles", "", 1, None, ["us"]])
def test_another_unit_is_refused(unit):
    refusals = read({"level1": {"19_ReLU.py": {**MICROSECONDS, "unit": unit}}}).refusals
    assert refusals.select("reason").rows() == [("unknown_unit",)]
    assert "none of ns, us, ms, s" in refusals["detail"][0]


def test_an_unknown_unit_of_a_file_refuses_its_entries_and_says_which():
    refusals = read({"unit": "ticks", "level1": {"19_ReLU.py": MICROSECONDS}}).refusals
    assert refusals.select("reason", "detail").rows() == [("unknown_unit", "unit is ticks, none of ns, us, ms, s")]


@pytest.mark.parametrize("name", ["precision", "dtype"])
@pytest.mark.parametrize(
    ("said", "known"),
    [("bf16", "bf16"), ("torch.bfloat16", "bf16"), ("Float16", "fp16"), ("half", "fp16"), ("tf32", "tf32")],
)
def test_a_precision_is_kept_under_its_usual_name(name, said, known):
    assert only_entry({"level1": {"19_ReLU.py": {**MICROSECONDS, name: said}}})["precision"] == known
    assert only_entry({name: said, "level1": {"19_ReLU.py": MICROSECONDS}})["precision"] == known
    assert only_entry({"level1": {name: said, "19_ReLU.py": MICROSECONDS}})["precision"] == known
    assert known_precision(said) == known


def test_without_a_word_the_precision_is_the_modules():
    assert only_entry({"level1": {"19_ReLU.py": MICROSECONDS}})["precision"] is None


@pytest.mark.parametrize(
    ("mode", "precision"),
    [
        ("torch", None),
        ("torch_bf16", "bf16"),
        ("torch_compile_inductor_default_fp16", "fp16"),
        ("torch_compile_float", None),
        ("bf16", None),
        ("torch_compile_cudagraphs", None),
    ],
)
def test_a_mode_may_end_in_a_precision(mode, precision):
    assert precision_of_mode(mode) == precision


def test_a_median_is_kept_in_milliseconds():
    kept = only_entry({"level1": {"19_ReLU.py": {**MICROSECONDS, "unit": "us", "median": 4250.0}}})
    assert kept["median"] == 4.25
    assert only_entry({"level1": {"19_ReLU.py": {**MICROSECONDS, "median": "none"}}})["median"] is None


@pytest.mark.parametrize(("level", "key"), [("level_1", "19_ReLU"), ("level1", "19_ReLU"), ("level_1", "19_ReLU.py")])
def test_an_entry_that_lacks_only_a_name_is_kept_apart(level, key):
    readings = read({level: {key: MICROSECONDS}})
    assert readings.entries.is_empty()
    assert readings.refusals.select("level", "problem_key", "reason").rows() == [(level, key, "bad_problem_name")]
    assert readings.unnamed.select("level", "problem_key", "mean").rows() == [(level, key, 4280.0)]


def test_what_has_another_fault_than_its_name_is_not_kept_apart():
    readings = read({"level1": {"19_ReLU": None, "20_a": {**MICROSECONDS, "min": 5000.0}}})
    assert readings.unnamed.is_empty()
    assert readings.refusals["reason"].to_list() == ["bad_problem_name", "bad_problem_name"]


@given(st.integers(1, 10**15), st.integers(0, 12))
def test_a_figure_is_the_nearest_double_to_the_decimal_that_was_meant(digits, places):
    """Scaling the text is what a person does by moving the point."""
    written = f"{digits}e-{places}"
    for power in (-6, -3, 0, 3):
        assert in_milliseconds(written, power) == float(f"{digits}e{power - places}")
