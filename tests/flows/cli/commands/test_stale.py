"""``kbw stale``: figures that want a second look, and why."""

from __future__ import annotations

import json


def test_stale_figures_are_listed_with_reasons_in_words_and_can_fail_a_script(on_sample):
    done = on_sample("stale", "--reason", "problem_changed", "--limit", "0")
    assert done.returncode == 0
    assert "10 stale figures" in done.stderr
    assert "the problem's code has changed since" in " ".join(done.stdout.split())
    assert on_sample("stale", "--reason", "problem_changed", "--fail").returncode == 3
    assert on_sample("stale", "--reason", "problem_changed", "--host", "nowhere", "--fail").returncode == 0
    assert on_sample("stale", "--reason", "gremlins").returncode == 2


def test_stale_says_how_the_problem_changed(on_sample):
    told = on_sample("stale", "--reason", "problem_changed").stdout
    assert "other shapes, dtypes" in told
    rows = json.loads(on_sample("stale", "--reason", "problem_changed", "--json").stdout)
    assert {row["change"] for row in rows} == {"computation_changed", "inputs_changed"}
