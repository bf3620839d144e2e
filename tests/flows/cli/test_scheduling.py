"""Schedules need a Prefect API."""

from __future__ import annotations


def test_without_an_api_the_schedule_is_refused_with_a_way_on(kbw):
    for command in ("serve", "deploy"):
        done = kbw(command)
        assert done.returncode == 1
        assert "prefect server start" in done.stderr
