"""The place of a run that no longer stands is that of the last moment when it did."""

from __future__ import annotations

from contextlib import closing

import pytest

from tests.sql.rows import Rows
from warehouse.database import Reader

PLACE = "rank, rank_shared, cohort_size, vs_first, vs_baseline"


@pytest.fixture
def three(rows: Rows) -> Rows:
    """Eager takes 10 ns and stands for two revisions, compiled 5 ns for three, tuned 4 ns for the first alone."""
    rows.revisions("2025-01-01", "2025-02-01", "2025-03-01", "2025-04-01")
    rows.mode("torch", baseline=True)
    rows.mode("compiled", "tuned")
    rows.run("eager", 10, until=2)
    rows.run("compiled", 5, mode="compiled", until=3)
    rows.run("tuned", 4, mode="tuned", until=1)
    return rows


def test_a_run_that_is_gone_keeps_the_place_that_it_had_last(three: Rows):
    """10 / 5 = 2; 10 / 4 = 2.5; at the third revision nothing stood beside the compiled run."""
    three.derive("leaderboard", "last_places")
    assert three.ask(f"select run_id, {PLACE} from last_places order by run_id") == [
        ("compiled", 1, 1, 1, 1.0, None),
        ("eager", 2, 2, 2, 2.0, 1.0),
        ("tuned", 1, 1, 3, 1.0, 2.5),
    ]
    assert three.ask("from leaderboard") == []


def test_a_run_that_stands_again_has_its_place_among_those_that_stand(rows: Rows):
    rows.revisions("2025-01-01", "2025-02-01", "2025-03-01", "2025-04-01")
    rows.mode("torch", baseline=True)
    rows.mode("compiled")
    rows.run("eager", 10, until=1, again=(2, None))
    rows.run("compiled", 5, mode="compiled", until=1, again=(2, 3))
    rows.derive("leaderboard", "last_places")
    assert rows.ask("select run_id, rank from leaderboard") == [("eager", 1)]
    assert rows.ask(f"select run_id, {PLACE} from last_places") == [("compiled", 1, 1, 2, 1.0, 2.0)]


def test_what_is_not_ranked_has_no_last_place(three: Rows):
    three.ask("update runs set eligible = false where run_id = 'tuned'")
    three.derive("last_places")
    assert three.ask("select run_id from last_places order by run_id") == [("compiled",), ("eager",)]


def test_every_last_place_of_the_sample_is_the_one_that_the_leaderboard_of_then_says(sample_home):
    """By other means: the leaderboard as of each commit, of the runs that the next one took away for good."""
    with closing(Reader(sample_home.database)) as reader:
        dates = reader.sql("select position, committed_at from revisions where reachable order by position").rows
        told = dict(reader.sql("select run_id, (cohort_id, " + PLACE + ") from last_places").rows)
        seen = {}
        for position, date in dates:
            gone = "select run_id from presence group by run_id having max(coalesce(until_position, 0)) = $position"
            then = f"select run_id, (cohort_id, {PLACE}) from leaderboard_as_of($date) where run_id in ({gone})"
            seen.update(reader.sql(then, date=date, position=position + 1).rows)
        stands = {run for (run,) in reader.sql("select run_id from runs where present").rows}
    assert told == {run: place for run, place in seen.items() if run not in stands}
    assert len(told) > 1000


def test_a_wide_row_tells_the_last_place(sample_home):
    with closing(Reader(sample_home.database)) as reader:
        found = reader.sql(
            """select count(*) from baselines
            where eligible and not present and (rank is null or vs_first is null or cohort_size is null)"""
        ).rows
        held = reader.sql("select count(*) from records where not present and vs_baseline is not null").rows
        then = reader.sql("select count(*) from records_as_of('2025-09-01') where not present and vs_baseline > 0").rows
    assert found == [(0,)]
    assert held[0][0] > 100 and then[0][0] > 0
