"""What was refused, and from which revision to which it stood there (DESIGN sections 4 and 9)."""

from __future__ import annotations

from tests.histories import figures, normalised, shown, timing_json, timing_path, timings
from transforms.contracts.validate import check_batch

HERE = timing_path("H")
MOVED = "results/timing/old/H/baseline_time_torch.json"
GOOD = timings(n19_ReLU=1.5)
BROKEN = "{"
EMPTY_ENTRY = timings(n19_ReLU=None)


def quarantined(*trees):
    """(problem key, reason, first, last, present, path) of each row, revisions by their positions."""
    history, blobs = shown(*trees)
    rows = normalised(history, blobs).tables["quarantine"].iter_rows(named=True)
    return [
        (
            row["problem_key"],
            row["reason"],
            int(row["first_revision"], 16),
            int(row["last_revision"], 16),
            row["present"],
            row["path"],
        )
        for row in rows
    ]


def test_an_entry_that_was_not_measured_stands_from_its_first_to_its_last_revision():
    trees = {HERE: GOOD}, {HERE: EMPTY_ENTRY}, {HERE: EMPTY_ENTRY, "results/timing/README.md": "x"}, {HERE: GOOD}
    assert quarantined(*trees) == [("19_ReLU.py", "not_measured", 1, 2, False, HERE)]


def test_what_is_still_refused_is_present_at_the_newest_revision():
    trees = {HERE: EMPTY_ENTRY}, {HERE: EMPTY_ENTRY, "results/timing/README.md": "x"}
    assert quarantined(*trees) == [("19_ReLU.py", "not_measured", 0, 1, True, HERE)]


def test_one_place_and_reason_is_one_row_however_often_it_comes_back():
    trees = {HERE: EMPTY_ENTRY}, {HERE: GOOD}, {MOVED: EMPTY_ENTRY}
    assert quarantined(*trees) == [("19_ReLU.py", "not_measured", 0, 2, True, MOVED)]


def test_two_reasons_at_one_place_are_two_rows():
    trees = {HERE: EMPTY_ENTRY}, {HERE: timings(n19_ReLU=figures(-1.0))}
    assert quarantined(*trees) == [
        ("19_ReLU.py", "not_measured", 0, 0, False, HERE),
        ("19_ReLU.py", "not_positive", 1, 1, True, HERE),
    ]


def test_a_refused_file_is_one_row_without_a_problem():
    assert quarantined({HERE: GOOD}, {HERE: BROKEN}, {HERE: GOOD}) == [(None, "not_json", 1, 1, False, HERE)]


def test_two_paths_of_one_series_refuse_every_entry_of_both():
    trees = {HERE: GOOD}, {HERE: GOOD, MOVED: timings(n26_GELU=2.0, n19_ReLU=None)}, {MOVED: GOOD}
    assert quarantined(*trees) == [
        ("19_ReLU.py", "duplicate_key", 1, 1, False, MOVED),
        ("26_GELU.py", "duplicate_key", 1, 1, False, MOVED),
    ]


def test_equal_files_at_two_paths_contradict_each_other_too():
    assert [row[:2] for row in quarantined({HERE: GOOD, MOVED: GOOD})] == [("19_ReLU.py", "duplicate_key")]


def test_a_file_that_cannot_be_read_keeps_its_own_reason_beside_a_contradiction():
    assert quarantined({HERE: GOOD, MOVED: BROKEN}) == [
        (None, "not_json", 0, 0, True, MOVED),
        ("19_ReLU.py", "duplicate_key", 0, 0, True, HERE),
    ]


def test_a_contradiction_names_both_paths():
    history, blobs = shown({HERE: GOOD, MOVED: GOOD})
    (detail,) = normalised(history, blobs).tables["quarantine"]["detail"]
    assert HERE in detail and MOVED in detail


def test_the_entry_is_kept_as_it_was_written():
    history, blobs = shown({HERE: timing_json({"level1": {"19_ReLU.py": {"error": "no memory"}}})})
    (raw,) = normalised(history, blobs).tables["quarantine"]["raw"]
    assert raw == '{"error":"no memory"}'


def test_a_run_that_breaks_the_contract_goes_to_quarantine_with_its_presence():
    """1e13 ms are 1e19 ns, more than 64 bits hold."""
    history, blobs = shown({HERE: timings(n19_ReLU=1e13)}, {HERE: GOOD})
    tables = check_batch(normalised(history, blobs).tables)
    (row,) = tables["quarantine"].iter_rows(named=True)
    assert (row["reason"], row["problem_key"], row["present"]) == ("contract", "19_ReLU.py", False)
    assert "mean_ns" in row["detail"]
    assert tables["runs"]["mean_ns"].to_list() == [1_500_000]
    assert set(tables["presence"]["run_id"]) == set(tables["runs"]["run_id"])


def test_runs_that_break_the_contract_stood_from_the_first_to_the_last_revision_of_any_of_them():
    """One run at revisions 0 and 2, another at 1 between them: their one row stands from 0 to 2."""
    one, two = timings(n19_ReLU=1e13), timings(n19_ReLU=2e13)
    history, blobs = shown({HERE: one}, {HERE: two}, {HERE: one}, {HERE: GOOD})
    (row,) = check_batch(normalised(history, blobs).tables)["quarantine"].iter_rows(named=True)
    assert (int(row["first_revision"], 16), int(row["last_revision"], 16)) == (0, 2)
