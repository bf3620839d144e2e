"""Every check finds what it is there to find: a check that cannot fail proves nothing."""

from __future__ import annotations

import shutil

import pytest

from warehouse import sqlfiles
from warehouse.database import attach, bad_rows, connect

# What would have to go wrong, done by hand to a copy of the sample's database.
DAMAGE = {
    "run_ids_are_unique": "insert into runs select * from runs limit 1",
    "runs_refer_to_what_exists": "delete from environments where host = 'H100_Modal'",
    "runs_are_eligible_for_a_reason": "update runs set eligible = false where run_id = (select min(run_id) from runs)",
    "copies_repeat_an_original": """
        update runs set copy_of = (select max(run_id) from runs), ineligible_reasons = ['copy'], eligible = false
        where run_id = (select min(run_id) from runs)""",
    "figures_are_ordered": "update runs set ci95_high_ns = mean_ns - 1 where run_id = (select min(run_id) from runs)",
    "presence_is_whole": "delete from presence where run_id = (select min(run_id) from runs)",
    "revisions_are_in_line": "update revisions set position = position + 1 where position = 13",
    "quarantine_is_keyed": "insert into quarantine select * from quarantine limit 1",
    "cohorts_compare_like_with_like": """
        update runs set cohort_id = (select min(cohort_id) from runs)
        where cohort_id = (select max(cohort_id) from runs)""",
    "interop_is_whole": "delete from interop where run_id = (select min(run_id) from interop)",
    "leaderboard_ranks_what_stands": "update leaderboard set rank_shared = rank_shared + 1 where rank = 2",
    "last_places_are_whole": "delete from last_places where rank = 2",
    "record_history_is_a_chain": "delete from record_history where cause = 'first' and position = 0",
    "record_holders_lead": """
        update record_holders set run_id = next_run_id where next_run_id is not null and present""",
    "problem_versions_end_at_head": "delete from problem_versions where from_position = 11",
    "problem_codes_are_whole": """
        update problem_codes set init = '[1,2,3]' where workload_id = (select min(workload_id) from workloads)""",
    "costs_are_whole": "update workloads set flops = null where workload_id = (select min(workload_id) from workloads)",
    "workload_changes_are_whole": """
        update workload_changes set change = 'computation_changed' where change = 'inputs_redrawn'""",
    "binding_doubts_are_counted": "update binding_doubts set figures = figures + 1 where host = 'T4_modal'",
    "baseline_history_is_a_chain": "update baseline_history set version = 3 where reason = 'measured_again'",
    "declared_software_is_whole": "delete from declared_software where position = 3",
    "repeatability_counts_all_pairs": "delete from environments where host = 'T4_modal'",
    "noise_remarks_on_every_run": "update runs set std_ns = mean_ns where run_id = (select min(run_id) from runs)",
    "removals_end_an_interval": "delete from revisions where position = 9",
    "gaps_are_ranked": "insert into revisions select * from revisions where position = 9",
    "harnesses_are_known_once": "insert into harnesses select * from harnesses limit 1",
    "unreachable_runs_take_no_part": """
        update runs set reachable = false where run_id = (select min(run_id) from runs where present)""",
    "floors_stand_under_every_record": "insert into gpus select * from gpus where hardware = 'NVIDIA H100 80GB HBM3'",
    "sources_have_one_health": "insert into sources select * from sources",
    "views_have_a_row_for_each": "delete from implementations where mode = 'torch'",
}


@pytest.fixture(scope="module")
def damaged(sample_home, tmp_path_factory):
    """A copy of the sample's database that may be written to; each test takes its damage back."""
    path = tmp_path_factory.mktemp("damaged") / "copy.duckdb"
    shutil.copyfile(sample_home.database, path)
    with connect() as connection:
        attach(connection, path, "copy", "read_write")
        yield connection


def check_named(name: str) -> str:
    """The text of a check, of what is stored or of the views."""
    return {**sqlfiles.folder("checks"), **sqlfiles.folder("view_checks")}[name].text


def test_every_check_is_tried():
    assert set(DAMAGE) == set(sqlfiles.folder("checks")) | set(sqlfiles.folder("view_checks"))


def test_a_database_in_order_passes_all_checks(damaged):
    assert {name: rows for name, rows in bad_rows(damaged, "checks", "view_checks").items() if rows} == {}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_check_finds_the_damage_it_is_there_for(damaged, name):
    damaged.execute("begin")
    try:
        damaged.execute(DAMAGE[name])
        assert damaged.execute(check_named(name)).fetchall()
    finally:
        damaged.execute("rollback")
