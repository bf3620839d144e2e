"""What could be said at a past moment is what a warehouse of that moment would have said."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.histories import (
    A100,
    COMPILED,
    EAGER,
    TUNED,
    GitHistory,
    day,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)
from warehouse.database import Reader
from warehouse.home import Home

RELU = "19_ReLU.py"
GELU = "26_GELU.py"
REVISIONS = {1: "2025-01-01", 2: "2025-02-01", 4: "2025-03-01", 5: "2025-04-01", 6: "2025-10-01", 7: "2025-11-01"}
"""The revisions by their commit's mark; 3 is a commit on the main branch that touched no timing file."""
HEAD = (8, "2025-12-01")
"""The head: another commit without a timing file, that changes a module and what is required."""


def write(folder: Path) -> GitHistory:
    """Records that change hands, are measured again, withdrawn and returned; modules and declarations that change."""
    history = GitHistory(folder)
    history.commit(
        REVISIONS[1],
        {
            timing_path(): timings(n19_ReLU=2.0, n26_GELU=3.0),
            timing_path("A_lab"): timings(n19_ReLU=figures(4.0, hardware=A100)),
            module_path(RELU): module("ReLU"),
            module_path(GELU): module("GELU", body="torch.sigmoid(x)"),
            "requirements.txt": "torch==2.5.0\n",
            "src/eval.py": "1",
        },
    )
    history.commit(REVISIONS[2], {timing_path(mode=COMPILED): timings(n19_ReLU=1.5, n26_GELU=3.0)})
    history.commit("2025-02-15", {module_path(RELU): module("ReLU", n=32)})
    history.commit(REVISIONS[4], {timing_path(mode=TUNED): timings(n19_ReLU=1.0, n26_GELU=2.999), "src/eval.py": "2"})
    history.commit(REVISIONS[5], {timing_path(mode=COMPILED): None, timing_path("A_lab"): None})
    history.commit(
        REVISIONS[6],
        {
            timing_path("A_lab"): timings(n19_ReLU=figures(4.0, hardware=A100)),
            module_path(RELU): module("ReLU"),
            "requirements.txt": "torch==2.9.0\n",
        },
    )
    history.commit(REVISIONS[7], {timing_path(): timings(n19_ReLU=0.5, n26_GELU=3.5)})
    history.commit(HEAD[1], {module_path(GELU): module("GELU", draw="randn", body="torch.sigmoid(x)")})
    return history


@pytest.fixture(scope="module")
def history(tmp_path_factory) -> GitHistory:
    return write(tmp_path_factory.mktemp("history") / "repository")


@pytest.fixture(scope="module")
def whole(history, tmp_path_factory) -> Home:
    home = Home(tmp_path_factory.mktemp("whole"))
    ingest_git(home, history)
    return home


LEADERBOARD = "select * from {} order by run_id"
RECORDS = """
    select
        * exclude (age_days, stale, severity, stale_reasons),
        list_filter(stale_reasons, lambda reason: reason <> 'age')
    from {} order by cohort_id"""
STALENESS = """
    select * exclude (age_days, stale, severity, reasons), list_filter(reasons, lambda reason: reason <> 'age')
    from {} order by run_id"""
QUESTIONS = {"leaderboard": LEADERBOARD, "records": RECORDS, "staleness": STALENESS}


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("mark", [*REVISIONS, HEAD[0]])
def test_a_past_moment_is_answered_as_a_warehouse_of_that_moment_did(mark, name, history, whole, tmp_path):
    then = Home(tmp_path)
    ingest_git(then, history, mark)
    moment = REVISIONS.get(mark, HEAD[1])
    answer = query(whole, QUESTIONS[name].format(f"{name}_as_of('{moment} 12:00')"))
    assert answer == query(then, QUESTIONS[name].format(name))
    assert answer


@pytest.mark.parametrize("name", QUESTIONS)
def test_before_the_first_revision_nothing_is_known(name, whole):
    assert query(whole, f"from {name}_as_of('2024-12-31 23:59:59')") == []
    assert query(whole, f"from {name}_as_of('2025-01-01')") != [], "the very moment of the commit counts"


def test_the_age_and_its_reason_are_those_of_the_moment(whole):
    """180 days from 1 January 2025 are over on 1 July."""
    oldest = (
        "select age_days, list_contains(reasons, 'age') from staleness_as_of($moment) order by age_days desc limit 1"
    )
    assert query(whole, oldest, moment=day("2025-06-30")) == [(180, False)]
    assert query(whole, oldest, moment=day("2025-07-01")) == [(181, True)]


def test_a_head_that_is_no_revision_counts_from_its_date_on(whole):
    changed = "select count(*) from staleness_as_of($moment) where list_contains(reasons, 'problem_changed')"
    ((before,),) = query(whole, changed, moment=day("2025-11-30"))
    ((after,),) = query(whole, changed, moment=day(HEAD[1]))
    ((gelu,),) = query(whole, "select count(*) from runs where problem = $gelu", gelu=GELU)
    assert after - before == gelu


@pytest.mark.parametrize(
    ("moment", "since"), [("2025-03-15", None), ("2025-04-15", day("2025-04-01")), ("2025-10-15", None)]
)
def test_withdrawn_at_says_since_when_and_nothing_while_it_stands(moment, since, whole):
    """A figure that was taken away on 1 April and put back on 1 October."""
    found = "select withdrawn_at from staleness_as_of($moment) inner join runs using (run_id) where host = 'A_lab'"
    assert query(whole, found, moment=moment) == [(since,)]


def test_a_commit_dated_in_the_future_is_shown_now_and_known_only_then(tmp_path):
    """A clock that runs ahead takes no figure away from the views, which answer for everything that was looked at."""
    ahead = (datetime.now(UTC) + timedelta(days=400)).date().isoformat()
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=2.0), module_path(RELU): module("ReLU")})
    history.commit(ahead, {timing_path(mode=COMPILED): timings(n19_ReLU=1.0)})
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    modes = "select mode from {} inner join runs using (run_id) order by mode"
    assert query(home, modes.format("staleness")) == [(EAGER,), (COMPILED,)]
    assert query(home, modes.format("staleness_as_of(now() at time zone 'UTC')")) == [(EAGER,)]
    assert query(home, "select mode from records") == [(COMPILED,)]


@pytest.fixture(scope="module")
def sample(sample_home):
    with closing(Reader(sample_home.database)) as reader:
        yield reader


def difference(sample: Reader, one: str, other: str) -> list[tuple[Any, ...]]:
    return sample.sql(f"(from {one} except all from {other}) union all (from {other} except all from {one})").rows


def test_in_the_far_future_the_leaderboard_is_todays(sample):
    assert difference(sample, "leaderboard", "leaderboard_as_of('2999-01-01')") == []
    assert sample.sql("select count(*) from leaderboard").rows == [(1000,)]


def test_now_the_records_and_doubts_are_those_of_the_views(sample):
    now = "(now() at time zone 'UTC')"
    assert difference(sample, "records", f"records_as_of({now})") == []
    assert difference(sample, "staleness", f"staleness_as_of({now})") == []


HOSTS = ("A100_modal", "B200_together", "L40S_modal")
BY_HOST = """
    select host, bool_and(doubts.withdrawn_at is null), max(doubts.withdrawn_at)
    from staleness_as_of($moment) as doubts inner join runs using (run_id)
    where host in ('A100_modal', 'B200_together', 'L40S_modal') group by host order by host"""


def test_hosts_stood_on_10_july_2025_and_were_withdrawn_on_the_21st(sample):
    assert sample.sql(BY_HOST, moment=datetime(2025, 7, 10)).rows == [(host, True, None) for host in HOSTS]
    rows = sample.sql(BY_HOST, moment=datetime(2025, 8, 1)).rows
    assert [(host, stands, at.date().isoformat()) for host, stands, at in rows] == [
        (host, False, "2025-07-21") for host in HOSTS
    ]
    standing = sample.sql("select distinct host from records_as_of('2025-07-10') where present").rows
    assert {(host,) for host in HOSTS} <= set(standing)
    assert sample.sql("select distinct host from records_as_of('2025-08-01') where present order by host").rows == [
        ("H100_PCIe_LambdaLabs",)
    ]
