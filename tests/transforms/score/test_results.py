"""Which forms of results are read, and what is refused: every form that was met in public is here, made small."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from tests.fuzz.mutations import fuzzed, hostile, in_time
from transforms.score.results import LARGEST_RESULTS, Sample, level_named, read_results

L40S = "NVIDIA L40S"
FIGURES = {"mean": 4.67, "std": 0.0263, "min": 4.58, "max": 4.71, "num_trials": 100, "hardware": L40S}
RIGHT = {
    "sample_id": 0,
    "compiled": True,
    "correctness": True,
    "metadata": {"hardware": L40S, "device": "cuda:0", "correctness_trials": "(5 / 5)"},
    "runtime": 4.67,
    "runtime_stats": FIGURES,
}
WRONG = {
    "sample_id": 0,
    "compiled": True,
    "correctness": False,
    "metadata": {"hardware": L40S, "device": "cuda:0"},
    "runtime": -1.0,
    "runtime_stats": {},
}
READ = Sample(None, 1, 0, True, True, 4.67, 0.0263, 4.58, 4.71, 100, None, L40S)


def read(document: Any, name: str = "", level: str | None = None):
    """The samples of a document, and for each refusal its place and reason."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    results = read_results(data, name, level)
    return list(results.samples), [(one.place, one.reason) for one in results.refused]


def test_a_list_of_samples_by_the_number_of_the_problem_is_what_kernelbench_writes():
    samples, refused = read({"1": [RIGHT], "2": [WRONG]})
    assert samples == [READ, Sample(None, 2, 0, True, False, hardware=L40S)]
    assert refused == []
    assert [one.is_timed for one in samples] == [True, False]


def test_one_sample_by_the_number_of_the_problem_is_what_it_wrote_before():
    assert read({"1": RIGHT}, level="level2")[0] == [Sample("level2", *_without_level(READ))]


def test_problems_may_stand_below_their_levels():
    samples, refused = read({"level1": {"1": [RIGHT]}, "level_2": {"1": WRONG}, "note": "x"})
    assert [(one.level, one.number) for one in samples] == [("level1", 1), ("level2", 1)]
    assert refused == []


def test_a_report_names_the_level_of_all_its_results():
    """As one public run of a model writes it."""
    document = {
        "run_info": {"level": 2, "model": "a model"},
        "results": [{"problem_id": 1, "success": True, "eval_result": RIGHT}, {"problem_id": 2, "success": False}],
    }
    samples, refused = read(document)
    assert samples == [Sample("level2", *_without_level(READ))]
    assert refused == [("entry 1", "no_result")]


def test_an_object_per_line_says_itself_of_which_problem_it_is():
    line = {"level": 1, "problem_id": 3, "problem_name": "3_x.py", "precision": "bf16", "eval_result": WRONG}
    lines = [line, {**line, "problem_id": 4, "eval_result": RIGHT}, {**line, "problem_id": 5, "eval_result": None}]
    samples, refused = read("\n".join(map(json.dumps, lines)).encode())
    assert [(one.level, one.number, one.precision, one.runtime_ms) for one in samples] == [
        ("level1", 3, "bf16", None),
        ("level1", 4, "bf16", 4.67),
    ]
    assert refused == [("line 3", "wrong_type")]


@pytest.mark.parametrize(
    ("name", "level", "number", "sample"),
    [
        ("level_1_problem_3_sample_2_eval_result.json", "level1", 3, 0),
        ("runs/x/level_4_problem_12_sample_0.json", "level4", 12, 0),
        ("problem_7.json", None, 7, 0),
    ],
)
def test_the_name_of_a_file_of_one_sample_says_of_which_problem_it_is(name, level, number, sample):
    """What the sample says of itself goes before its file's name."""
    (one,), refused = read(RIGHT, name)
    assert (one.level, one.number, one.sample_id) == (level, number, sample)
    assert refused == []


def test_the_number_of_a_sample_comes_from_the_name_where_the_file_does_not_say_it():
    nameless = {name: value for name, value in RIGHT.items() if name != "sample_id"}
    (one,), _ = read(nameless, "level_1_problem_3_sample_2.json")
    assert one.sample_id == 2


def test_the_reference_that_a_result_measured_itself_is_kept_apart():
    (one,), _ = read({"1": [{**RIGHT, "ref_runtime": 6.5}]})
    assert (one.runtime_ms, one.reference_ms) == (4.67, 6.5)
    (one,), _ = read({"1": [{**RIGHT, "ref_runtime": -1.0, "ref_runtime_stats": {"mean": 6.25}}]})
    assert one.reference_ms == 6.25


def test_a_correct_sample_that_was_not_timed_is_correct_and_has_no_speed_up():
    (one,), refused = read({"1": [{**RIGHT, "runtime": -1.0, "runtime_stats": {}}]})
    assert (one.correct, one.runtime_ms, one.is_timed) == (True, None, False)
    assert refused == []


def test_the_mean_of_the_trials_stands_in_where_no_runtime_is_said():
    (one,), _ = read({"1": [{"sample_id": 0, "compiled": True, "correctness": True, "runtime_stats": FIGURES}]})
    assert one.runtime_ms == 4.67


def test_missing_members_are_what_kernelbench_takes_them_for():
    (one,), _ = read({"1": [{"sample_id": 3, "compiled": True}]})
    assert one == Sample(None, 1, 3, True, False)


def test_a_sample_that_stands_twice_alike_is_one_and_not_alike_is_refused():
    assert read({"1": [RIGHT, RIGHT]}) == ([READ], [])
    samples, refused = read({"1": [RIGHT, {**RIGHT, "runtime": 3.0}], "2": [WRONG]})
    assert [one.number for one in samples] == [2]
    assert refused == [("problem 1", "duplicate_sample")]


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ("x", "wrong_type"),
        (None, "wrong_type"),
        ({**RIGHT, "compiled": "yes"}, "wrong_type"),
        ({**RIGHT, "correctness": 1}, "wrong_type"),
        ({**RIGHT, "runtime": "4.67"}, "wrong_type"),
        ({**RIGHT, "runtime": True}, "wrong_type"),
        ({**RIGHT, "runtime": 10**400}, "wrong_type"),
        ({**RIGHT, "runtime": 0}, "bad_runtime"),
        ({**RIGHT, "runtime": -2.0}, "bad_runtime"),
        ({**RIGHT, "runtime": float("nan")}, "bad_runtime"),
        ({**RIGHT, "runtime": float("inf")}, "bad_runtime"),
        ({**RIGHT, "runtime_stats": [1]}, "wrong_type"),
        ({**RIGHT, "runtime_stats": {**FIGURES, "std": -0.5}}, "bad_runtime"),
        ({**RIGHT, "metadata": "L40S"}, "wrong_type"),
        ({**RIGHT, "sample_id": -1}, "bad_sample"),
        ({**RIGHT, "sample_id": "first"}, "bad_sample"),
        ({"note": "nothing was run"}, "no_result"),
    ],
)
def test_a_part_that_cannot_be_read_is_refused_and_its_neighbours_go_on(part, reason):
    samples, refused = read({"1": [RIGHT], "2": [part], "x3": [RIGHT]})
    assert samples == [READ]
    assert refused == [("problem 2, sample at 0", reason), ("problem x3, sample at 0", "bad_problem")]


def test_a_key_that_stands_twice_is_nobody_s():
    one = json.dumps(RIGHT)
    samples, refused = read(
        f'{{"1": [{one}], "1": [{one}], "2": [{one[:-1]}, "runtime": 1.0}}], "3": [{one}]}}'.encode()
    )
    assert [sample.number for sample in samples] == [3]
    assert refused == [("problem 1", "duplicate_key"), ("problem 2, sample at 0", "duplicate_key")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xff\xfe", "not_text"),
        (b"{", "not_json"),
        (b"[" * 100_000, "not_json"),
        (b"3", "unexpected_shape"),
        (b"{}", "unexpected_shape"),
        (b'{"level": {"1": []}}', "unexpected_shape"),
        (b" " * (LARGEST_RESULTS + 1), "too_large"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(data, reason):
    assert read(data) == ([], [("the file", reason)])


@pytest.mark.parametrize(
    ("word", "level"),
    [
        (3, "level3"),
        ("3", "level3"),
        ("level3", "level3"),
        ("Level_3", "level3"),
        ("levels", None),
        (True, None),
        (None, None),
    ],
)
def test_a_level_is_named_in_several_spellings(word, level):
    assert level_named(word) == level


@fuzzed
@given(hostile(json.dumps({"1": [RIGHT], "2": WRONG, "level1": {"3": [{**RIGHT, "ref_runtime": 2.0}]}}).encode()))
def test_a_mutated_file_is_read_or_says_why(data):
    with in_time():
        results = read_results(data, "level_1_problem_3_sample_0.json")
    assert results.samples or results.refused or not data.strip(b"{}[] \t\r\n")


def _without_level(sample: Sample) -> tuple[Any, ...]:
    return tuple(getattr(sample, name) for name in sample.__dataclass_fields__ if name != "level")
