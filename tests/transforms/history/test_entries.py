"""A series told by several files, and keys that only the modules beside them give a meaning."""

from __future__ import annotations

from typing import Any

import pytest

from tests.histories import EAGER, figures, module, module_path, normalised, shown, timing_json, timing_path, timings

ALL = timing_path("H")
LEVEL1 = timing_path("H", f"{EAGER}_level1")
LEVEL2 = timing_path("H", f"{EAGER}_level2")
RELU = "19_ReLU.py"


def tables(*trees: dict[str, Any]) -> dict[str, Any]:
    return normalised(*shown(*trees)).tables


def runs(*trees: dict[str, Any]) -> list[tuple[Any, ...]]:
    """(mode, level, problem, mean, present) of every run."""
    found = tables(*trees)["runs"].select("mode", "level", "problem", "mean_ns", "present").rows()
    return sorted((mode, level, problem, mean / 1e6, present) for mode, level, problem, mean, present in found)


def refusals(*trees: dict[str, Any]) -> list[tuple[Any, ...]]:
    """(level, key, reason, path) of every refusal."""
    found = tables(*trees)["quarantine"].select("level", "problem_key", "reason", "path").rows()
    return sorted(found)


def test_files_of_one_level_each_tell_one_mode():
    tree = {LEVEL1: timings(n19_ReLU=1.5), LEVEL2: timings("level2", n19_ReLU=2.5)}
    assert runs(tree) == [(EAGER, "level1", RELU, 1.5, True), (EAGER, "level2", RELU, 2.5, True)]
    assert refusals(tree) == []


def test_equal_figures_in_the_file_of_all_levels_and_in_that_of_one_are_one_run():
    tree = {ALL: timings(n19_ReLU=1.5), LEVEL1: timings(n19_ReLU=1.5)}
    assert runs(tree) == [(EAGER, "level1", RELU, 1.5, True)]
    assert refusals(tree) == []


def test_unequal_figures_in_two_files_of_a_mode_are_both_refused_and_their_neighbours_kept():
    tree = {ALL: timings(n19_ReLU=1.5, n20_a=2.0), LEVEL1: timings(n19_ReLU=1.6)}
    assert runs(tree) == [(EAGER, "level1", "20_a.py", 2.0, True)]
    assert {(level, key, reason) for level, key, reason, _ in refusals(tree)} == {("level1", RELU, "duplicate_key")}


def test_what_another_file_takes_back_is_present_again():
    first, clash = {ALL: timings(n19_ReLU=1.5)}, {ALL: timings(n19_ReLU=1.5), LEVEL1: timings(n19_ReLU=1.6)}
    found = tables(first, clash, first)
    intervals = found["presence"].select("from_position", "until_position").rows()
    assert sorted(intervals) == [(0, 1), (2, None)]
    (row,) = found["quarantine"].select("first_revision", "last_revision", "present").rows()
    assert row == (f"{1:040x}", f"{1:040x}", False)


def test_a_file_of_one_level_that_cannot_be_read_leaves_the_one_before_it_and_the_others():
    good = {LEVEL1: timings(n19_ReLU=1.5), LEVEL2: timings("level2", n19_ReLU=2.5)}
    broken = {LEVEL1: "<html>", LEVEL2: timings("level2", n19_ReLU=3.5)}
    assert runs(good, broken) == [
        (EAGER, "level1", RELU, 1.5, True),
        (EAGER, "level2", RELU, 2.5, False),
        (EAGER, "level2", RELU, 3.5, True),
    ]


def test_two_paths_of_one_level_contradict_each_other():
    elsewhere = f"results/timing/old/H/baseline_time_{EAGER}_level1.json"
    tree = {LEVEL1: timings(n19_ReLU=1.5), elsewhere: timings(n19_ReLU=1.5)}
    assert runs(tree) == []
    assert {reason for _, _, reason, _ in refusals(tree)} == {"duplicate_key"}


LOOSE = {
    "a key without its ending": {"level1": {"19_ReLU": figures(1.5)}},
    "a level with an underscore": {"level_1": {RELU: figures(1.5)}},
    "both": {"level_1": {"19_ReLU": figures(1.5)}},
}


@pytest.mark.parametrize("case", LOOSE)
def test_a_loose_name_names_the_problem_where_a_module_is_called_so(case):
    tree = {ALL: timing_json(LOOSE[case]), module_path(RELU): module("ReLU")}
    assert runs(tree) == [(EAGER, "level1", RELU, 1.5, True)]
    assert refusals(tree) == []
    (eligible,) = tables(tree)["runs"]["eligible"]
    assert eligible


@pytest.mark.parametrize("case", LOOSE)
def test_else_it_is_refused_with_what_was_looked_for(case):
    tree = {ALL: timing_json(LOOSE[case]), module_path("20_a.py"): module("a")}
    found = tables(tree)
    assert found["runs"].is_empty()
    (row,) = found["quarantine"].select("reason", "detail").rows()
    assert row[0] == "bad_problem_name"
    assert "there is no module level1/19_ReLU.py beside it" in row[1]


def test_a_loose_and_a_strict_key_of_one_problem_are_both_refused():
    both = {"level1": {"19_ReLU": figures(1.5), RELU: figures(1.5)}}
    tree = {ALL: timing_json(both), module_path(RELU): module("ReLU")}
    assert runs(tree) == []
    assert {(key, reason) for _, key, reason, _ in refusals(tree)} == {
        ("19_ReLU", "duplicate_key"),
        (RELU, "duplicate_key"),
    }
