"""The transitions of the heartbeat: published, checked with nothing new, failed, thresholds set."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from warehouse.heartbeat import Beat, Fingerprint, Heartbeat
from warehouse.home import Home
from warehouse.landing import FormerLineage, Lineage

RULES = "1-abc"
MONDAY = datetime(2026, 3, 2, 8, tzinfo=UTC)
TUESDAY = MONDAY + timedelta(days=1)
LAB = Lineage("lab/x", None, ["r1", "r2"], "r2")
OTHER = Lineage("other/y", None, ["s1"], "s1")


@pytest.fixture
def home(tmp_path) -> Home:
    """A home whose database is there."""
    (tmp_path / "warehouse.duckdb").write_bytes(b"published")
    return Home(tmp_path)


@pytest.fixture
def monday(home) -> Heartbeat:
    """Two sources were published on Monday, one of which was checked by the ingest that did it."""
    published = Heartbeat().after_publishing(home, RULES, [LAB, OTHER], MONDAY, anew=True)
    return published.after_check(LAB.source, MONDAY, 7)


def touch(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"!")


def test_any_write_to_a_file_changes_its_fingerprint(tmp_path):
    path = tmp_path / "file"
    assert Fingerprint.of(path) is None
    path.write_bytes(b"one")
    before = Fingerprint.of(path)
    with path.open("r+b") as file:
        file.write(b"two")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
    assert Fingerprint.of(path) != before


def test_a_heartbeat_that_cannot_be_read_is_an_empty_one(tmp_path):
    path = tmp_path / "heartbeat.json"
    assert Heartbeat.read(path) == Heartbeat()
    path.write_text("{half")
    assert Heartbeat.read(path) == Heartbeat()


def test_a_heartbeat_is_read_back_as_it_was_written(tmp_path):
    beats = Heartbeat(Fingerprint(1, 2, 3), RULES, {"lab/x": Beat("head", 4, MONDAY, MONDAY)})
    beats.write(tmp_path / "heartbeat.json")
    assert Heartbeat.read(tmp_path / "heartbeat.json") == beats


def test_a_database_is_current_until_something_writes_to_it_or_the_rules_change(home, monday):
    assert monday.is_current(home, RULES)
    assert not monday.is_current(home, "2-abc")
    touch(home.database)
    assert not monday.is_current(home, RULES)


def test_nothing_is_current_where_nothing_was_published(tmp_path):
    assert not Heartbeat().is_current(Home(tmp_path), "")


def test_what_is_published_is_what_has_landed(monday):
    assert monday.sources == {
        "lab/x": Beat("r2", 2, MONDAY, MONDAY, requests=7),
        "other/y": Beat("s1", 1, None, None),
    }


def test_publishing_what_landed_before_is_no_look_at_a_source(home):
    """A landing that was copied, or whose heartbeat is lost, and is rebuilt: nobody asked the source."""
    rebuilt = Heartbeat().after_publishing(home, RULES, [LAB], MONDAY, anew=True)
    assert (rebuilt.of("lab/x").checked_at, rebuilt.of("lab/x").changed_at) == (None, None)


def test_of_a_source_that_has_moved_it_is_noted_when_and_of_one_that_has_not_nothing_changes(home, monday):
    rewritten = Lineage("lab/x", None, ["r1", "r3"], "r3", former=[FormerLineage(["r1", "r2"], "r2", TUESDAY)])
    now = monday.after_publishing(home, RULES, [rewritten, OTHER], TUESDAY, anew=False)
    assert now.of("lab/x") == Beat("r3", 2, MONDAY, TUESDAY, requests=7, rewrites=1)
    assert now.of("other/y") == monday.of("other/y")


def test_sources_that_were_not_derived_are_held_no_more_where_the_database_was_made_anew(home, monday):
    """When they were checked, and how that ended, is not forgotten by it."""
    kept = monday.after_publishing(home, RULES, [LAB], TUESDAY, anew=False)
    assert kept.sources.keys() == {"lab/x", "other/y"}
    anew = monday.after_publishing(home, RULES, [LAB], TUESDAY, anew=True)
    assert anew.sources == {"lab/x": monday.of("lab/x"), "other/y": Beat("", 0, None, None)}
    failed = monday.after_failure("new/z", MONDAY, OSError("no answer"))
    assert failed.after_publishing(home, RULES, [LAB], TUESDAY, anew=True).of("new/z").last_error == "no answer"


def test_publishing_takes_the_fingerprint_of_the_new_file(home, monday):
    touch(home.database)
    now = monday.after_publishing(home, RULES, [], TUESDAY, anew=False)
    assert (now.published, now.rules_version) == (Fingerprint.of_bytes(home.database), RULES)


def test_a_check_that_finds_nothing_new_changes_only_when_it_was_and_its_requests(monday):
    now = monday.after_check("lab/x", TUESDAY, 1)
    assert now.of("lab/x") == Beat("r2", 2, TUESDAY, MONDAY, requests=1)
    assert (now.published, now.of("other/y")) == (monday.published, monday.of("other/y"))


def test_a_failure_is_told_in_one_line_until_a_check_succeeds(monday):
    failed = monday.after_failure("lab/x", TUESDAY, OSError("no\n  answer"))
    assert failed.of("lab/x") == Beat("r2", 2, MONDAY, MONDAY, 7, last_error="no answer", failed_at=TUESDAY)
    assert failed.after_check("lab/x", TUESDAY, 7).of("lab/x") == Beat("r2", 2, TUESDAY, MONDAY, 7)
    assert monday.after_failure("lab/x", TUESDAY, KeyError()).of("lab/x").last_error == "KeyError"


def test_a_source_that_never_succeeded_is_known_by_its_failure():
    failed = Heartbeat().after_failure("lab/new", TUESDAY, OSError("no answer"))
    assert failed.of("lab/new") == Beat("", 0, None, None, last_error="no answer", failed_at=TUESDAY)


def test_thresholds_are_noted_of_a_source_that_is_known_and_outlast_all_else(home, monday):
    set_ = monday.with_thresholds("lab/x", 1, 2)
    assert (set_.of("lab/x").due_after_hours, set_.of("lab/x").stale_after_hours) == (1, 2)
    later = set_.after_check("lab/x", TUESDAY, 1).after_publishing(home, RULES, [LAB], TUESDAY, anew=True)
    assert later.of("lab/x").stale_after_hours == 2
    assert monday.with_thresholds("lab/x", 24, 72) == monday
    assert monday.with_thresholds("nobody/z", 1, 2) == monday
