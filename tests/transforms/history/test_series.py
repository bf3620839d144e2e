"""Timelines of timing files: which content of a (host, mode) stood from which revision to which."""

from __future__ import annotations

from tests.histories import EAGER, shown, timing_path
from transforms.history.series import contradictions, series_of, standings, stretches, touched

HERE = timing_path("H")
MOVED = "results/timing/old/H/baseline_time_torch.json"
SERIES = ("H", EAGER)


def stood(*trees, refused=()):
    """(first path, content, since, until) of each version that stood, where a tree's texts name its contents."""
    history, blobs = shown(*trees)
    timeline = stretches(history, touched(history, 0))
    not_read = {blob for blob, data in blobs.items() if data.decode() in refused}
    return [
        (standing.version.path, blobs[standing.version.blob].decode(), standing.since, standing.until)
        for standing in standings(timeline, not_read)
    ]


def test_a_file_that_stays_stands_in_one_stretch():
    assert stood({HERE: "A"}, {HERE: "A", "results/timing/README.md": "x"}) == [(HERE, "A", 0, None)]


def test_a_file_that_goes_stands_until_the_revision_without_it():
    assert stood({HERE: "A"}, {HERE: "A"}, {}) == [(HERE, "A", 0, 2)]


def test_a_file_put_back_is_the_version_that_stood_before():
    history, _ = shown({HERE: "A"}, {}, {HERE: "A"})
    first, second = standings(stretches(history, [SERIES]), ())
    assert (first.since, first.until, second.since, second.until) == (0, 1, 2, None)
    assert first.version == second.version


def test_a_b_a_are_three_versions():
    history, _ = shown({HERE: "A"}, {HERE: "B"}, {HERE: "A"})
    assert [standing.version.number for standing in standings(stretches(history, [SERIES]), ())] == [0, 1, 2]


def test_a_file_moved_with_equal_content_is_the_version_it_was():
    history, _ = shown({HERE: "A"}, {MOVED: "A"})
    first, second = standings(stretches(history, [SERIES]), ())
    assert first.version == second.version
    assert (first.until, second.since) == (1, 1)


def test_a_file_moved_with_other_content_is_the_next_version_of_its_series():
    assert stood({HERE: "A"}, {MOVED: "B"}) == [(HERE, "A", 0, 1), (MOVED, "B", 1, None)]


def test_a_refused_file_does_not_replace_the_version_before_it():
    assert stood({HERE: "A"}, {HERE: "{"}, {HERE: "{{"}, {HERE: "B"}, refused=("{", "{{")) == [
        (HERE, "A", 0, 1),
        (HERE, "A", 1, 2),
        (HERE, "A", 2, 3),
        (HERE, "B", 3, None),
    ]


def test_a_refused_file_with_nothing_before_it_lets_nothing_stand():
    assert stood({HERE: "{"}, {HERE: "B"}, refused=("{",)) == [(HERE, "B", 1, None)]


def test_a_refused_file_does_not_bring_back_what_was_taken_away():
    assert stood({HERE: "A"}, {}, {HERE: "{"}, refused=("{",)) == [(HERE, "A", 0, 1)]


def test_two_paths_of_one_series_let_nothing_stand_while_both_are_there():
    both = {HERE: "A", MOVED: "B"}
    assert stood({HERE: "A"}, both, {MOVED: "B"}) == [(HERE, "A", 0, 1), (MOVED, "B", 2, None)]
    history, _ = shown({HERE: "A"}, both, {MOVED: "B"})
    (contradiction,) = contradictions(stretches(history, [SERIES]))
    assert (contradiction.since, contradiction.until) == (1, 2)


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
