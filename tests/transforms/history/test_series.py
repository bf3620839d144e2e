"""Timelines of timing files: which content of a (host, mode) was present from which revision to which."""

from __future__ import annotations

from tests.histories import EAGER, shown, timing_path
from transforms.history.series import series_of, stretches, touched, version_intervals

HERE = timing_path("H")
MOVED = "results/timing/old/H/baseline_time_torch.json"
SERIES = ("H", EAGER)


def intervals(*trees, refused=()):
    """(first path, content, since, until) of each interval of a version, where a tree's texts name its contents."""
    history, blobs = shown(*trees)
    timeline = stretches(history, touched(history, 0))
    not_read = {blob for blob, data in blobs.items() if data.decode() in refused}
    return [
        (one.version.path, blobs[one.version.blob].decode(), one.since, one.until)
        for one in version_intervals(timeline, not_read)
    ]


def test_a_file_that_stays_is_present_in_one_interval():
    assert intervals({HERE: "A"}, {HERE: "A", "results/timing/README.md": "x"}) == [(HERE, "A", 0, None)]


def test_a_file_that_goes_is_present_until_the_revision_without_it():
    assert intervals({HERE: "A"}, {HERE: "A"}, {}) == [(HERE, "A", 0, 2)]


def test_a_file_put_back_is_the_version_that_was_there_before():
    history, _ = shown({HERE: "A"}, {}, {HERE: "A"})
    first, second = version_intervals(stretches(history, [SERIES]), ())
    assert (first.since, first.until, second.since, second.until) == (0, 1, 2, None)
    assert first.version == second.version


def test_a_b_a_are_three_versions():
    history, _ = shown({HERE: "A"}, {HERE: "B"}, {HERE: "A"})
    assert [one.version.number for one in version_intervals(stretches(history, [SERIES]), ())] == [0, 1, 2]


def test_a_file_moved_with_equal_content_is_the_version_it_was():
    history, _ = shown({HERE: "A"}, {MOVED: "A"})
    first, second = version_intervals(stretches(history, [SERIES]), ())
    assert first.version == second.version
    assert (first.until, second.since) == (1, 1)


def test_a_file_moved_with_other_content_is_the_next_version_of_its_series():
    assert intervals({HERE: "A"}, {MOVED: "B"}) == [(HERE, "A", 0, 1), (MOVED, "B", 1, None)]


def test_a_refused_file_does_not_replace_the_version_before_it():
    assert intervals({HERE: "A"}, {HERE: "{"}, {HERE: "{{"}, {HERE: "B"}, refused=("{", "{{")) == [
        (HERE, "A", 0, 1),
        (HERE, "A", 1, 2),
        (HERE, "A", 2, 3),
        (HERE, "B", 3, None),
    ]


def test_with_a_refused_file_and_nothing_before_it_nothing_is_present():
    assert intervals({HERE: "{"}, {HERE: "B"}, refused=("{",)) == [(HERE, "B", 1, None)]


def test_a_refused_file_does_not_bring_back_what_was_taken_away():
    assert intervals({HERE: "A"}, {}, {HERE: "{"}, refused=("{",)) == [(HERE, "A", 0, 1)]


def test_while_two_paths_give_one_series_nothing_is_present():
    both = {HERE: "A", MOVED: "B"}
    assert intervals({HERE: "A"}, both, {MOVED: "B"}) == [(HERE, "A", 0, 1), (MOVED, "B", 2, None)]


def test_hosts_that_differ_only_in_case_are_different_series():
    history, _ = shown({timing_path("h"): "A", timing_path("H"): "B"})
    assert set(series_of(history.revisions[0])) == {("h", EAGER), ("H", EAGER)}


def test_a_series_is_touched_when_anything_of_it_differs_after_what_is_known():
    other = timing_path("I")
    history, _ = shown({HERE: "A", other: "A"}, {HERE: "A", other: "B"}, {HERE: "A", other: "A"})
    assert touched(history, 0) == {SERIES, ("I", EAGER)}
    assert touched(history, 1) == {("I", EAGER)}
    assert touched(history, 3) == set()


def test_a_file_moved_touches_its_series():
    history, _ = shown({HERE: "A"}, {MOVED: "A"})
    assert touched(history, 1) == {SERIES}
