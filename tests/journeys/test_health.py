"""A source that is not checked for long, or in vain, is told as such (DESIGN.md section 10)."""

from __future__ import annotations

import json
import re

import pytest

from tests.histories import GitHistory, ingest_git, one_figure, timing_path, timings
from warehouse.heartbeat import Beat, Heartbeat
from warehouse.home import Home

RELU = "19_ReLU.py"


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = one_figure(tmp_path)
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=0.9)})
    return made


def age(home: Home, hours: float) -> None:
    """Let the last check of every source lie so many hours back."""
    from datetime import UTC, datetime, timedelta

    beats = Heartbeat.read(home.heartbeat)
    then = datetime.now(UTC) - timedelta(hours=hours)
    aged = {
        name: Beat(b.head, b.revisions, then, b.changed_at, b.requests, b.last_error, b.failed_at, 24, 72)
        for name, b in beats.sources.items()
    }
    Heartbeat(beats.published, beats.rules_version, aged).write(home.heartbeat)


@pytest.mark.parametrize(("hours", "health", "status"), [(1, "fresh", 0), (25, "due", 0), (73, "stale", 3)])
def test_a_source_that_was_not_checked_is_due_and_then_stale(kbw, home, history, hours, health, status):
    ingest_git(home, history)
    age(home, hours)
    assert json.loads(kbw("sources", "--json").stdout)[0]["status"] == health
    assert kbw("check", "--sources").returncode == status


def test_figures_of_a_source_that_was_not_checked_are_listed_with_the_reason(kbw, home, history):
    ingest_git(home, history)
    age(home, 71)
    assert json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout) == []
    age(home, 73)
    (row,) = json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout)
    assert (row["problem"], row["reasons"]) == (RELU, ["age", "source_unchecked"])
    words = "the source has not been checked lately"
    assert words in " ".join(kbw("stale").stdout.split())
    assert words in kbw("show", "level1/19").stdout
    assert "after 72 hours a source counts as unchecked" in kbw("explain", row["run_id"]).stdout
    ingest_git(home, history)
    assert json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout) == []
    assert words not in kbw("show", "level1/19").stdout


def test_without_a_heartbeat_health_is_unknown_and_a_monitor_is_told(kbw, home, history):
    ingest_git(home, history)
    home.heartbeat.unlink()
    (row,) = json.loads(kbw("sources", "--json").stdout)
    assert (row["status"], row["checked_at"], row["files_present"]) == ("unknown", None, 1)
    assert kbw("check", "--sources").returncode == 3


def test_a_check_that_failed_is_told_until_one_succeeds(kbw, home, history, tmp_path):
    ingest_git(home, history)
    rewritten = GitHistory(tmp_path / "rewritten")
    rewritten.commit("2024-01-01", {timing_path(): timings(n19_ReLU=7.0)})
    assert kbw("ingest", f"git:{rewritten.path}", "--name", "lab/KernelBench").returncode == 1
    done = kbw("check", "--sources")
    assert done.returncode == 3
    assert re.search(r"perhaps another repository", " ".join(done.stdout.split()))
    ingest_git(home, history)
    assert kbw("check", "--sources").returncode == 0
