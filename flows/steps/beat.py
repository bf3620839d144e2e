"""Step: the heartbeat says that a source was checked and had nothing new. Also what is noted around an ingest."""

from __future__ import annotations

from collections.abc import Mapping

from flows.steps.discover import Discovered
from flows.steps.workspace import Started, Workspace
from warehouse.heartbeat import Beat, Heartbeat
from warehouse.home import Home


def beat(workspace: Workspace, discovered: Discovered, started: Started) -> None:
    """Note that a source was checked and had nothing new: the only write of such an ingest."""
    path = workspace.home.heartbeat
    Heartbeat.read(path).after_check(discovered.source, started.at, discovered.requests).write(path)


def note_failure(home: Home, source: str, error: Exception, started: Started) -> None:
    """Note that a check of a source failed, so that its silence is not taken for peace."""
    Heartbeat.read(home.heartbeat).after_failure(source, started.at, error).write(home.heartbeat)


def set_thresholds(
    home: Home, source: str, due_after_hours: float, stale_after_hours: float, asked: str | None = None
) -> None:
    """Note after how many hours without a check a source is due, and stale, and how it was asked for."""
    before = Heartbeat.read(home.heartbeat)
    now = before.with_thresholds(source, due_after_hours, stale_after_hours, asked)
    if now != before:
        now.write(home.heartbeat)


def note_followed(home: Home, followed: Mapping[str, Beat]) -> None:
    """Note which sources are followed: one that never succeeded is missed from now on.

    What was only tried, and is followed no more, is forgotten.
    """
    before = Heartbeat.read(home.heartbeat)
    now = before.without(before.tried() - followed.keys()).with_followed(followed)
    if now != before:
        now.write(home.heartbeat)
