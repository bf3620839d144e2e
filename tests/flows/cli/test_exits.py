"""How a command ends when something is wrong."""

from __future__ import annotations


def test_a_defect_shows_its_traceback_only_on_demand(kbw, home):
    plain, debugged = kbw("records"), kbw("--debug", "records")
    assert "Traceback" not in plain.stderr
    assert "Traceback" in debugged.stderr
    assert plain.stderr.splitlines()[-1] == debugged.stderr.splitlines()[-1]
