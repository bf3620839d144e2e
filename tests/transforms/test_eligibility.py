"""A run is ineligible exactly when it says why, and says so in one order."""

from __future__ import annotations

import polars as pl

from transforms import eligibility
from transforms.eligibility import COPY, REASONS, UNREACHABLE, WORKLOAD_UNRESOLVED
from warehouse import sqlfiles

RUNS = pl.DataFrame({"workload_id": ["w", None]}, schema={"workload_id": pl.String})


def test_a_run_without_a_workload_is_ineligible_for_that_reason():
    found = RUNS.with_columns(**eligibility.of_binding())
    assert found["eligible"].to_list() == [True, False]
    assert found["ineligible_reasons"].to_list() == [[], [WORKLOAD_UNRESOLVED]]


def test_a_run_that_nothing_reaches_keeps_its_other_reason_behind_that():
    found = RUNS.with_columns(**eligibility.of_binding()).with_columns(**eligibility.of_unreachable())
    assert found["eligible"].to_list() == [False, False]
    assert found["ineligible_reasons"].to_list() == [[UNREACHABLE], [UNREACHABLE, WORKLOAD_UNRESOLVED]]


def test_sql_states_the_same_reasons_in_the_same_order():
    text = sqlfiles.folder("derived")["copies"].text
    stated = [reason for reason in REASONS if f"'{reason}'" in text]
    assert stated == [COPY, WORKLOAD_UNRESOLVED] == sorted(stated, key=lambda reason: text.index(f"'{reason}'"))
    check = sqlfiles.folder("checks")["runs_are_eligible_for_a_reason"].text
    assert all(f"'{reason}'" in check for reason in REASONS)
