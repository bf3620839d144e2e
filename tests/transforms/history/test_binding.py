"""Which code figures were measured on, and how long they were present: the table of DESIGN section 5."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.histories import A100, H100
from transforms.history.binding import bind, interval_frame, presence, version_frame
from transforms.history.series import Version, VersionInterval

Entry = tuple[float, str | None]
"""A mean, and the code beside it."""


def frame(*versions: dict[str, Entry], series: int = 0, hardware: Sequence[str | None] = ()) -> pl.DataFrame:
    """Entries of one series, version by version: problem to (mean, code at the version's first revision)."""
    rows = [
        {
            "series": series,
            "number": number,
            "level": "level1",
            "problem": problem,
            "hardware": hardware[number] if hardware else H100,
            "mean": mean,
            "std": 0.0,
            "min": mean,
            "max": mean,
            "num_trials": 100,
            "code_digest": code,
        }
        for number, version in enumerate(versions)
        for problem, (mean, code) in version.items()
    ]
    schema: dict[str, Any] = {
        "series": pl.Int64,
        "number": pl.Int64,
        "level": pl.String,
        "problem": pl.String,
        "hardware": pl.String,
        **dict.fromkeys(("mean", "std", "min", "max"), pl.Float64),
        "num_trials": pl.Int64,
        "code_digest": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def codes(bound: pl.DataFrame, series: int = 0) -> dict[tuple[int, str], str | None]:
    """The code that each entry of a series was bound to, by version and problem."""
    rows = bound.filter(series=series).select("number", "problem", "code_digest").iter_rows()
    return {(number, problem): code for number, problem, code in rows}


def test_equal_figures_of_equal_code_stay_bound_to_it():
    assert codes(bind(frame({"a": (1.0, "old")}, {"a": (1.0, "old")})))[1, "a"] == "old"


def test_equal_figures_of_changed_code_stay_bound_to_the_code_they_measured():
    assert codes(bind(frame({"a": (1.0, "old")}, {"a": (1.0, "new")})))[1, "a"] == "old"


def test_other_figures_are_bound_to_the_code_beside_them():
    assert codes(bind(frame({"a": (1.0, "old")}, {"a": (2.0, "new")})))[1, "a"] == "new"


def test_a_file_half_of_which_changed_was_not_measured_again():
    one = {"a": (1.0, "old"), "b": (1.0, "old"), "c": (1.0, "old"), "d": (1.0, "old")}
    two = {"a": (1.0, "new"), "b": (1.0, "new"), "c": (2.0, "new"), "d": (2.0, "new")}
    assert codes(bind(frame(one, two)))[1, "a"] == "old"


def test_a_file_more_than_half_of_which_changed_was_measured_again():
    one = {"a": (1.0, "old"), "b": (1.0, "old"), "c": (1.0, "old")}
    two = {"a": (1.0, "new"), "b": (2.0, "new"), "c": (2.0, "new")}
    assert codes(bind(frame(one, two)))[1, "a"] == "new"


def test_only_entries_that_both_versions_hold_count_as_shared():
    one = {"a": (1.0, "old"), "b": (1.0, "old"), "gone": (1.0, "old")}
    two = {"a": (1.0, "new"), "b": (2.0, "new"), "come": (2.0, "new")}
    assert codes(bind(frame(one, two)))[1, "a"] == "old"


def test_an_entry_that_stays_while_its_file_is_measured_again_keeps_its_run_where_its_code_is_equal():
    one = {"a": (1.0, "same"), "b": (1.0, "old"), "c": (1.0, "old")}
    two = {"a": (1.0, "same"), "b": (2.0, "new"), "c": (2.0, "new")}
    assert codes(bind(frame(one, two)))[1, "a"] == "same"


def test_code_bound_once_is_carried_through_every_later_version():
    versions = [{"a": (1.0, code)} for code in ("first", "second", "third")]
    assert codes(bind(frame(*versions)))[2, "a"] == "first"


def test_a_figure_that_came_back_after_another_is_bound_anew():
    versions = [{"a": (1.0, "first")}, {"a": (2.0, "first")}, {"a": (1.0, "third")}]
    assert codes(bind(frame(*versions)))[2, "a"] == "third"


def test_figures_without_a_module_stay_unbound_when_a_module_comes():
    assert codes(bind(frame({"a": (1.0, None)}, {"a": (1.0, "come")})))[1, "a"] is None


def test_figures_stay_bound_when_the_module_goes():
    assert codes(bind(frame({"a": (1.0, "old")}, {"a": (1.0, None)})))[1, "a"] == "old"


def test_equal_figures_on_another_gpu_are_other_figures():
    assert codes(bind(frame({"a": (1.0, "old")}, {"a": (1.0, "new")}, hardware=[H100, A100])))[1, "a"] == "new"


def test_hardware_reported_by_neither_version_is_equal():
    assert codes(bind(frame({"a": (1.0, "old")}, {"a": (1.0, "new")}, hardware=[None, None])))[1, "a"] == "old"


@pytest.mark.parametrize("figure", ["std", "min", "max", "num_trials"])
def test_every_figure_counts_not_the_mean_alone(figure):
    entries = frame({"a": (1.0, "old")}, {"a": (1.0, "new")})
    last = pl.col("number") == 1
    entries = entries.with_columns(pl.when(last).then(pl.col(figure) + 1).otherwise(figure).alias(figure))
    assert codes(bind(entries))[1, "a"] == "new"


def test_series_are_bound_each_for_itself():
    unchanged = frame({"a": (1.0, "old")}, {"a": (1.0, "new")}, series=0)
    measured_again = frame(
        {"a": (1.0, "old"), "b": (1.0, "old"), "c": (1.0, "old")},
        {"a": (1.0, "new"), "b": (2.0, "new"), "c": (2.0, "new")},
        series=1,
    )
    bound = bind(pl.concat([measured_again, unchanged]))
    assert codes(bound, 0)[1, "a"] == "old"
    assert codes(bound, 1)[1, "a"] == "new"


def test_nothing_is_bound_to_nothing():
    assert bind(frame()).is_empty()


problems = st.dictionaries(
    st.sampled_from("abc"),
    st.tuples(st.sampled_from([1.0, 2.0]), st.sampled_from(["old", "new", None])),
    max_size=3,
)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(series=st.lists(st.lists(problems, min_size=1, max_size=5), min_size=1, max_size=3))
def test_any_versions_are_bound_as_the_table_says(series):
    bound = bind(pl.concat([frame(*versions, series=number) for number, versions in enumerate(series)]))
    for number, versions in enumerate(series):
        assert codes(bound, number) == by_the_table(versions)


def by_the_table(versions: list[dict[str, Entry]]) -> dict[tuple[int, str], str | None]:
    """The table of section 5, an entry at a time: each version against the one before it."""
    bound: dict[tuple[int, str], str | None] = {}
    before: dict[str, Entry] = {}
    for number, version in enumerate(versions):
        shared = [problem for problem in version if problem in before]
        changed = [problem for problem in shared if version[problem][0] != before[problem][0]]
        now = {}
        for problem, (mean, code) in version.items():
            if problem not in shared or problem in changed:
                now[problem] = (mean, code)
            elif code == before[problem][1]:
                now[problem] = before[problem]
            elif len(changed) > len(shared) / 2:
                now[problem] = (mean, code)
            else:
                now[problem] = before[problem]
        bound |= {(number, problem): code for problem, (_, code) in now.items()}
        before = now
    return bound


def intervals(carried: dict[int, list[str]], stood: list[tuple[int, int, int | None]]) -> list[tuple[Any, ...]]:
    """The presence of runs: which version carried which, and (version, since, until)."""
    entries = pl.DataFrame(
        [(run, version) for version, runs in carried.items() for run in runs],
        schema={"run_id": pl.String, "version": pl.Int64},
        orient="row",
    )
    standings = pl.DataFrame(stood, schema={"version": pl.Int64, "since": pl.Int64, "until": pl.Int64}, orient="row")
    return sorted(presence(entries, standings).select("run_id", "since", "until").iter_rows())


def test_a_run_that_stands_still_has_no_end():
    assert intervals({0: ["r"]}, [(0, 3, None)]) == [("r", 3, None)]


def test_a_run_carried_by_versions_in_a_row_stands_in_one_interval():
    assert intervals({0: ["r"], 1: ["r"]}, [(0, 0, 2), (1, 2, None)]) == [("r", 0, None)]


def test_a_run_put_back_has_a_second_interval():
    assert intervals({0: ["r"]}, [(0, 0, 2), (0, 3, 5)]) == [("r", 0, 2), ("r", 3, 5)]


def test_a_b_a_gives_a_two_intervals():
    assert intervals({0: ["a"], 1: ["b"], 2: ["a"]}, [(0, 0, 1), (1, 1, 2), (2, 2, None)]) == [
        ("a", 0, 1),
        ("a", 2, None),
        ("b", 1, 2),
    ]


def test_versions_are_numbered_alike_in_both_frames():
    eager, tuned = ("H", "torch"), ("H", "tuned")
    one, two, three = (
        Version(eager, 0, "e", "b0", 0),
        Version(eager, 1, "e", "b1", 2),
        Version(tuned, 0, "t", "b2", 1),
    )
    stood = [
        VersionInterval(one, 0, 2),
        VersionInterval(two, 2, 3),
        VersionInterval(one, 3, None),
        VersionInterval(three, 1, None),
    ]
    versions = {row["version"]: (row["series"], row["number"], row["blob"]) for row in version_frame(stood).to_dicts()}
    assert versions == {0: (0, 0, "b0"), 1: (0, 1, "b1"), 2: (1, 0, "b2")}
    assert interval_frame(stood).rows() == [(0, 0, 2), (1, 2, 3), (0, 3, None), (2, 1, None)]
