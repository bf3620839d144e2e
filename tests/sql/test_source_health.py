"""What is said of sources that nobody looked at lately, where a session knows the heartbeat and where it does not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.histories import GitHistory, day, ingest_git, module, module_path, query, timing_path, timings
from warehouse.home import Home

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "operating.md"
RELU = "19_ReLU.py"
FORK = "other/fork"
UPSTREAM = "lab/KernelBench"
LOOKED_AT = "2025-06-01T12:00:00Z"
"""When the source was last looked at; with a threshold of 72 hours its silence is borne until 4 June, 12:00."""

UNCHECKED = """
    select source from staleness_as_of($moment) inner join runs using (run_id)
    where list_contains(reasons, 'source_unchecked') order by source"""
NOW_UNCHECKED = """
    select source, stale from staleness inner join runs using (run_id)
    where list_contains(reasons, 'source_unchecked') order by source"""


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Home:
    """A source and its fork, of one figure each, that differ."""
    folder = tmp_path_factory.mktemp("looks")
    home = Home(folder / "home")
    for name, mean in ((UPSTREAM, 1.0), (FORK, 2.0)):
        history = GitHistory(folder / name.replace("/", "_"))
        history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=mean), module_path(RELU): module("ReLU")})
        ingest_git(home, history, name=name)
    return home


def told(**changes: Any) -> dict[str, Any]:
    """What a heartbeat says of one source that was looked at on 1 June 2025."""
    return {"checked_at": LOOKED_AT, "due_after_hours": 24, "stale_after_hours": 72, "requests": 5} | changes


@contextmanager
def heartbeat(home: Home, text: str | bytes | None) -> Iterator[None]:
    """Let another heartbeat, or none, lie beside the database for a while."""
    kept = home.heartbeat.read_bytes()
    home.heartbeat.unlink()
    if text is not None:
        home.heartbeat.write_bytes(text.encode() if isinstance(text, str) else text)
    try:
        yield
    finally:
        home.heartbeat.write_bytes(kept)


def beats(**sources: dict[str, Any] | None) -> str:
    return json.dumps({"sources": {"lab/KernelBench": sources.get("lab"), "other/fork": sources.get("fork")}})


def test_a_source_just_looked_at_is_no_reason(published):
    assert query(published, NOW_UNCHECKED) == []
    assert query(published, "select source, status from source_health order by source") == [
        (UPSTREAM, "fresh"),
        (FORK, "fresh"),
    ]


def test_figures_of_a_source_that_was_not_looked_at_are_stale_and_those_of_its_fork_are_not(published):
    with heartbeat(published, beats(lab=told(), fork=told(checked_at="2999-01-01T00:00:00Z"))):
        assert query(published, NOW_UNCHECKED) == [(UPSTREAM, True)]
        assert query(published, "select source, stale_reasons[-1] from baselines order by source") == [
            (UPSTREAM, "source_unchecked"),
            (FORK, "age"),
        ]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2025-05-01", []),
        ("2025-06-01 12:00", []),
        ("2025-06-04 12:00", []),
        ("2025-06-04 12:00:01", [(UPSTREAM,)]),
    ],
)
def test_a_past_moment_counts_from_the_last_look_and_before_it_nothing_is_known(published, moment, expected):
    """72 hours from 1 June, 12:00."""
    with heartbeat(published, beats(lab=told(), fork=told(stale_after_hours=1e6))):
        assert query(published, UNCHECKED, moment=day(moment)) == expected


def test_a_source_that_never_answered_is_unchecked_at_any_moment(published):
    with heartbeat(published, beats(lab=told(checked_at=None, last_error="refused"), fork=told(stale_after_hours=1e6))):
        assert query(published, UNCHECKED, moment=day("2025-02-01")) == [(UPSTREAM,)]
        assert query(published, "select status, last_error from source_health order by source") == [
            ("stale", "refused"),
            ("due", None),
        ]


def test_whether_a_source_will_be_looked_at_is_not_foretold(published):
    assert query(published, UNCHECKED, moment=day("2999-01-01")) == []


def test_a_source_that_was_only_tried_is_told_too(published):
    tried = {"sources": {"lab/never": told(checked_at=None, last_error="not there", failed_at=LOOKED_AT)}}
    with heartbeat(published, json.dumps(tried)):
        found = query(published, "select source, status, files_present, failed_at from source_health order by source")
    assert found == [
        (UPSTREAM, "unknown", 1, None),
        ("lab/never", "stale", 0, datetime(2025, 6, 1, 12)),
        (FORK, "unknown", 1, None),
    ]


DAMAGED = {
    "none": None,
    "empty": "",
    "cut off": '{"sources": {"lab/Kern',
    "not text": b"\xff\xfe",
    "a list": "[]",
    "sources are a number": '{"sources": 3}',
    "a source is a number": '{"sources": {"lab/KernelBench": 3}}',
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_without_a_heartbeat_nothing_is_asserted(published, text):
    with heartbeat(published, text):
        assert query(published, NOW_UNCHECKED) == []
        rows = query(published, "select * from source_health order by source")
    assert [(row[0], row[1]) for row in rows] == [(UPSTREAM, "unknown"), (FORK, "unknown")]
    assert all(row[2:5] == (None, None, None) and row[9:] == (None,) * 5 for row in rows)


def test_any_client_is_told_by_the_one_line_of_the_manual(published, monkeypatch):
    (line,) = re.findall(r"^set variable heartbeat .*;$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    monkeypatch.chdir(published.root)
    with (
        heartbeat(published, beats(lab=told(), fork=told())),
        duckdb.connect(str(published.database), read_only=True) as client,
    ):
        client.execute("set TimeZone = 'UTC'")
        health = "select status, checked_at, due_at from source_health order by source limit 1"
        unchecked = "select count(*) from staleness where list_contains(reasons, 'source_unchecked')"
        assert client.sql(health).fetchall() == [("unknown", None, None)]
        assert client.sql(unchecked).fetchall() == [(0,)]
        client.execute(line)
        assert client.sql(health).fetchall() == [("stale", datetime(2025, 6, 1, 12), datetime(2025, 6, 2, 12))]
        assert client.sql(unchecked).fetchall() == [(2,)]


@pytest.mark.parametrize("hours", [1e308, -1e308, 1e17])
def test_a_threshold_that_no_date_can_take_breaks_no_answer(published, hours):
    """A heartbeat may have been written by a release that took any number."""
    with heartbeat(published, beats(lab=told(due_after_hours=hours, stale_after_hours=hours), fork=told())):
        rows = dict(query(published, "select source, due_at is null from source_health"))
        assert rows == {UPSTREAM: True, FORK: False}


def test_a_last_look_in_the_future_is_no_look(published):
    """A clock was ahead, and nobody knows by how much; a few minutes are the ordinary difference of two machines."""
    soon = datetime.now(UTC).replace(tzinfo=None)
    for ahead, status in ((240, "fresh"), (400, "unknown"), (3600 * 24 * 365, "unknown")):
        at = (soon + timedelta(seconds=ahead)).isoformat() + "Z"
        with heartbeat(published, beats(lab=told(checked_at=at), fork=told())):
            assert query(published, "select status from source_health where source = $source", source=UPSTREAM) == [
                (status,)
            ]
