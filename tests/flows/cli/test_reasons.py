"""Reasons as a person says them."""

from __future__ import annotations

from datetime import datetime

from flows.cli.reasons import by_severity, in_words, why_changed, why_unranked


def test_reasons_are_sentences_with_their_facts():
    row = {
        "reasons": ["withdrawn", "problem_changed", "age"],
        "withdrawn_at": datetime(2025, 7, 21, 22),
        "change": "inputs_changed",
        "age_days": 200,
    }
    assert in_words(row) == (
        "withdrawn on 2025-07-21; the problem's code has changed since (other shapes, dtypes or constructor arguments);"
        " 200 days old"
    )
    assert in_words({**row, "reasons": ["problem_changed"], "equivalent": True}) == (
        "the problem's code has changed since, the computation has not"
    )


def test_no_reason_is_no_word_and_a_change_that_cannot_be_told_is_said_to_be_one():
    assert in_words({"stale_reasons": [], "age_days": 3}) == ""
    assert why_changed(None) == "how the code changed cannot be told"


def test_counts_by_severity_begin_with_what_nothing_is_said_against():
    counts = {"error": 10, "warn": 0, "note": 1496}
    assert by_severity(counts) == "10 error, 1,496 note"
    assert by_severity(counts, 30) == "nothing against 30, 10 error, 1,496 note"
    assert by_severity(dict.fromkeys(counts, 0)) == "none"


def test_why_a_run_holds_no_record_is_told_in_words():
    assert why_unranked(["copy"]) == "the same figures appeared earlier in another source"
    assert why_unranked([]) == ""
