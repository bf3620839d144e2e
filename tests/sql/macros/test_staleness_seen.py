"""What is said against a figure, and how grave it is."""

from __future__ import annotations

import pytest

from tests.histories import LAB
from tests.sql.rows import Rows

NOW = "2025-02-01"
DOUBTS = "select reasons, severity, stale from staleness_as_of($moment)"


def put(rows: Rows, then: dict[str, object], today: dict[str, object], **columns: object) -> None:
    """A run that appeared when one thing was declared, and is present while another is."""
    rows.revisions("2025-01-01", "2025-01-02")
    for position, said in enumerate((then, today)):
        for column, value in said.items():
            rows.ask(f"update revisions set {column} = $value where position = {position}", value=value)
    rows.run("a run", 1, **columns)


def doubts(rows: Rows, moment: str = NOW) -> tuple[list[str], str | None]:
    ((reasons, severity, stale),) = rows.ask(DOUBTS, moment=moment)
    assert stale == bool(reasons)
    return reasons, severity


DECLARED = {
    "another pinned version": ({"requirements_torch": "torch==2.5.0"}, {"requirements_torch": "torch==2.9.0"}, True),
    "a requirement that stops naming one": (
        {"requirements_torch": "torch==2.5.0"},
        {"requirements_torch": "torch"},
        False,
    ),
    "a requirement that begins to": ({"requirements_torch": None}, {"requirements_torch": "torch==2.9.0"}, False),
    "another version in the README": ({"readme_torch": "2.5.0"}, {"readme_torch": "2.9.0"}, True),
    "another CUDA": ({"readme_cuda": "12.4"}, {"readme_cuda": "12.8"}, True),
    "a README that is silent now": ({"readme_torch": "2.5.0"}, {"readme_torch": None}, False),
}


@pytest.mark.parametrize("case", DECLARED)
def test_a_toolchain_has_changed_where_both_name_a_version_and_they_differ(rows: Rows, case):
    then, today, changed = DECLARED[case]
    put(rows, then, today)
    assert doubts(rows) == ((["toolchain_changed"], "warn") if changed else ([], None))


HARNESSES = {
    "the L2 cache is cleared now": ({"l2_cleared": False}, {"l2_cleared": True}, True),
    "the first trial is left out now": ({"first_trial_discarded": False}, {"first_trial_discarded": True}, True),
    "more warm-ups": ({"warm_up_trials": 3}, {"warm_up_trials": 5}, True),
    "another timer": ({"timer": "cuda_events"}, {"timer": "host_clock"}, True),
    "other texts of which nothing is known": ({}, {}, False),
    "known then, unknown now": ({"l2_cleared": True}, {}, False),
    "more trials": ({"trials": 100}, {"trials": 200}, False),
}


@pytest.mark.parametrize("case", HARNESSES)
def test_a_harness_has_changed_where_known_facts_differ(rows: Rows, case):
    then, today, changed = HARNESSES[case]
    rows.put("harnesses", harness_digest="then", **then)
    rows.put("harnesses", harness_digest="today", **today)
    put(rows, {"harness_digest": "then"}, {"harness_digest": "today"})
    assert doubts(rows) == ((["harness_changed"], "warn") if changed else ([], None))


def test_age_alone_is_a_note_from_the_181st_day_on(rows: Rows):
    put(rows, {}, {})
    assert doubts(rows, "2025-06-30") == ([], None)
    assert doubts(rows, "2025-07-01") == (["age"], "note")


def test_what_does_not_answer_for_todays_code_is_an_error(rows: Rows):
    put(rows, {}, {}, ineligible_reasons=["binding_doubtful"], until=1)
    rows.run("unreachable", 1, reachable=False, present=False)
    found = rows.ask("select run_id, reasons, severity from staleness_as_of('2025-02-01') order by run_id")
    assert found[0] == ("a run", ["withdrawn", "binding_doubtful"], "error")
    assert found[1][1][0] == "unreachable" and found[1][2] == "error"


def test_a_problem_that_changed_is_an_error_and_says_how(rows: Rows):
    put(rows, {}, {}, code_digest="old", workload_id="old")
    row = {"source": LAB, "level": "level1", "problem": "19_ReLU.py", "present": True}
    rows.put("problem_versions", **row, from_position=0, code_digest="old", workload_id="old")
    rows.put("problem_versions", **row, from_position=1, code_digest="new", workload_id="new")
    rows.put("workload_changes", workload_id="old", other_workload_id="new", change="inputs_changed")
    assert doubts(rows) == (["problem_changed"], "error")
    assert rows.one("select change from staleness_as_of('2025-02-01')") == "inputs_changed"
    assert rows.ask("select reasons from staleness_as_of('2025-01-01 12:00')") == [([],)]
