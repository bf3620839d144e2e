"""What is noted around an ingest goes into the heartbeat and nowhere else."""

from __future__ import annotations

from flows.steps.beat import beat, note_failure, set_thresholds
from flows.steps.discover import discover
from tests.histories import LAB, ingest_git, whole_tree
from warehouse.heartbeat import Heartbeat


def test_a_check_with_nothing_new_writes_the_heartbeat_alone(workspace, source, history, started):
    ingest_git(workspace.home, history)
    before = whole_tree(workspace.home.root)
    beat(workspace, discover(workspace, source), started)
    after = whole_tree(workspace.home.root)
    assert {path for path in after if after[path] != before.get(path)} == {"heartbeat.json"}
    assert Heartbeat.read(workspace.home.heartbeat).of(LAB).checked_at == started.at


def test_a_failure_and_thresholds_are_noted_and_equal_thresholds_write_nothing(workspace, history, started):
    ingest_git(workspace.home, history)
    note_failure(workspace.home, LAB, OSError("no answer"), started)
    set_thresholds(workspace.home, LAB, 1, 2)
    noted = Heartbeat.read(workspace.home.heartbeat).of(LAB)
    assert (noted.last_error, noted.failed_at) == ("no answer", started.at)
    assert (noted.due_after_hours, noted.stale_after_hours) == (1, 2)
    before = whole_tree(workspace.home.root)
    set_thresholds(workspace.home, LAB, 1, 2)
    set_thresholds(workspace.home, "nobody/z", 3, 4)
    assert whole_tree(workspace.home.root) == before
