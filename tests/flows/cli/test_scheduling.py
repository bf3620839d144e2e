"""Schedules need a Prefect API."""

from __future__ import annotations

import pytest


def test_without_an_api_the_schedule_is_refused_with_a_way_on(kbw):
    for command in ("serve", "deploy"):
        done = kbw(command)
        assert done.returncode == 1
        assert "prefect server start" in done.stderr


@pytest.mark.parametrize("cron", ["bad", "61 * * * *", "", "* * * *", "0 0 31 2 *", "0 25 * * *"])
@pytest.mark.parametrize("command", ["serve", "deploy"])
def test_what_cron_cannot_mean_is_wrong_usage_in_one_line_before_anything_is_registered(kbw, command, cron):
    done = kbw(command, "--cron", cron)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert f"--cron {cron!r}: no schedule" in done.stderr
