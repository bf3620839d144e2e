"""What is at work is said on a terminal; beside one only waits are."""

from __future__ import annotations

from flows.cli.progress import _DOING, Progress, progress
from tests.flows.test_sequence import WHOLE


def test_every_step_has_words():
    assert _DOING.keys() == {*WHOLE, "beat"}


def test_a_terminal_hears_of_steps_and_of_what_a_source_says():
    heard: list[str] = []
    told = Progress(heard.append)
    told.step("plan")
    told.words("12 of 40 files")
    assert heard == ["planning", "12 of 40 files"]


def test_without_a_terminal_only_waits_are_explained(capsys):
    with progress() as told:
        told.step("plan")
        told.words("12 of 40 files")
        told.words("GitHub's limit: waiting 3 minutes")
    assert capsys.readouterr().err == "GitHub's limit: waiting 3 minutes\n"
