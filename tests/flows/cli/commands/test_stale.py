"""``kbw stale``: figures that want a second check, and why."""

from __future__ import annotations

import json

from tests.flows.cli.commands.conftest import FORK, ORIGINAL, OTHER


def test_stale_figures_are_listed_with_reasons_in_words_and_can_fail_a_script(on_sample):
    done = on_sample("stale", "--reason", "problem_changed", "--limit", "0")
    assert done.returncode == 0
    assert "10 stale figures" in done.stderr
    assert "the problem's code has changed since" in " ".join(done.stdout.split())
    assert on_sample("stale", "--reason", "problem_changed", "--fail").returncode == 3
    assert on_sample("stale", "--reason", "problem_changed", "--host", "T4_modal", "--fail").returncode == 0
    assert on_sample("stale", "--reason", "gremlins").returncode == 2


def test_stale_says_how_the_problem_changed(on_sample):
    told = on_sample("stale", "--reason", "problem_changed").stdout
    assert "other shapes, dtypes" in told
    rows = json.loads(on_sample("stale", "--reason", "problem_changed", "--json").stdout)
    assert {row["change"] for row in rows} == {"computation_changed", "inputs_changed"}


def test_figures_are_narrowed_by_how_grave_it_is(on_sample):
    """Of the 1,000 that stand ten measured other code, 494 more were timed otherwise, the rest is only old."""
    told = {
        grave: on_sample("stale", "--severity", grave, "--limit", "1").stderr for grave in ("error", "warn", "note")
    }
    assert "1 of 10 stale figures (--limit 0 shows all): 10 error" in told["error"]
    assert "504 stale figures (--limit 0 shows all): 10 error, 494 warn" in told["warn"]
    assert "1,000 stale figures (--limit 0 shows all): 10 error, 494 warn, 496 note" in told["note"]
    assert on_sample("stale", "--severity", "error", "--host", "T4_modal", "--fail").returncode == 0
    assert on_sample("stale", "--severity", "error", "--fail").returncode == 3
    rows = json.loads(on_sample("stale", "--severity", "error", "--limit", "0", "--json").stdout)
    assert {row["severity"] for row in rows} == {"error"}
    assert not any(name.startswith("matching") for name in rows[0])


def test_stale_figures_are_those_of_one_source_and_copies_are_not_judged(on_lineages):
    rows = json.loads(on_lineages("stale", "--json").stdout)
    assert sorted(row["source"] for row in rows) == [FORK, ORIGINAL, ORIGINAL, OTHER, OTHER]
    assert len(json.loads(on_lineages("stale", "--source", FORK, "--json").stdout)) == 1
    unknown = on_lineages("stale", "--source", "nobody/nothing")
    assert unknown.returncode == 2
    assert "nobody/nothing: no such source" in unknown.stderr and "kbw sources" in unknown.stderr
