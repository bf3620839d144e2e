"""GitHub's limits are respected, said, and not waited for without end."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from flows.sources.github import Patience, limits
from flows.sources.interface import SourceError
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.github import Fault
from tests.github.clock import NOON


@pytest.mark.parametrize("kind", ["429", "secondary", "503"])
def test_retry_after_is_waited_for(history, github, clock, open_github, heard, kind):
    github.fail(Fault(kind, after=43))
    open_github().revisions(())
    assert clock.slept == [43]
    assert heard[0] == (
        f"lab/KernelBench: {github.url('api').removeprefix('http://')} wants no request until 2026-03-05 12:00:43 UTC "
        "(in 0:00:43): it answers too many requests; waiting; a GITHUB_TOKEN raises GitHub's limits"
    )


def test_retry_after_may_be_a_date():
    headers = {"retry-after": formatdate(NOON + 90, usegmt=True), "date": formatdate(NOON, usegmt=True)}
    assert limits.asked_to_wait(429, headers, "", now=0, times=0) == limits.Hold(90, "it answers too many requests")
    assert limits.asked_to_wait(429, {"retry-after": "soon"}, "", now=0, times=0).seconds == 60


@pytest.mark.parametrize("kind", ["429", "secondary"])
def test_without_a_word_on_how_long_it_is_a_minute_and_doubles(history, github, clock, open_github, kind):
    github.fail(Fault(kind), times=3)
    open_github().revisions(())
    assert clock.slept == [60, 120, 240]


def test_an_exhausted_limit_is_waited_for_until_its_reset(history, github, clock, open_github, heard):
    github.fail(Fault("limit", after=600))
    open_github().revisions(())
    assert clock.slept == [601]
    assert (
        "until 2026-03-05 12:10:01 UTC (in 0:10:01): its limit of 60 requests an hour is used up; waiting" in heard[0]
    )


def test_a_limit_beyond_the_cap_ends_it_and_says_when_to_come_back(history, github, clock, open_github):
    github.fail(Fault("limit", after=2580))
    with pytest.raises(SourceError) as ended:
        open_github().revisions(())
    assert str(ended.value) == (
        f"lab/KernelBench: {github.url('api').removeprefix('http://')} wants no request until 2026-03-05 12:43:01 UTC "
        "(in 0:43:01): its limit of 60 requests an hour is used up; ingest it again then; "
        "a GITHUB_TOKEN raises GitHub's limits"
    )
    assert clock.slept == []


def test_whoever_has_a_token_is_not_told_to_get_one(history, github, open_github, monkeypatch):
    github.set_environment(monkeypatch, token="abc")
    github.fail(Fault("limit", after=2580))
    with pytest.raises(SourceError, match=r"ingest it again then$"):
        open_github().revisions(())


def test_the_cap_is_on_all_waits_together(history, github, clock, open_github):
    github.fail(Fault("429", after=40), times=None)
    with pytest.raises(SourceError, match="ingest it again then"):
        open_github(patience=Patience(longest_wait_s=100)).revisions(())
    assert clock.slept == [40, 40]


def test_a_wrong_clock_on_this_machine_does_not_matter(history, github, clock, open_github):
    """The wait is reckoned on GitHub's clock: its reset less its own date."""
    github.clock = lambda: clock() + 7200
    github.fail(Fault("limit", after=600))
    open_github().revisions(())
    assert clock.slept == [601]


def test_nothing_is_asked_when_it_is_known_that_nothing_remains(history, github, clock, open_github):
    """The limit's end is known from the answer before: no request is spent on being refused."""
    github.allowance = 4
    assert everything(open_github(patience=Patience(longest_wait_s=9 * 3600))) == everything_by_git(history.path)
    assert clock.slept
    assert all(wait > 3000 for wait in clock.slept)
    assert not [request for request in github.requests if request.headers.get("authorization")]
    assert github.count("api") <= 4 * (len(clock.slept) + 1)


def test_a_first_ingest_that_a_limit_ends_goes_on_where_it_was(history, github, clock, open_github):
    """What was learnt is not asked for again: hour by hour it comes to its end, with no wait longer than the cap."""
    github.allowance = 6
    found, hours = None, 0
    while found is None and hours < 10:
        try:
            found = everything(open_github())
        except SourceError as limit:
            assert "used up" in str(limit)
            hours += 1
            clock.now += 3601
    assert hours > 1
    assert found == everything_by_git(history.path)


def test_a_limit_on_the_raw_host_holds_all_its_transfers_once(history, github, clock, open_github):
    github.fail(Fault("429", after=30), roles=["raw"], times=3)
    assert everything(open_github()) == everything_by_git(history.path)
    assert sum(clock.slept) <= 3 * 30
    assert set(clock.slept) <= {30}
