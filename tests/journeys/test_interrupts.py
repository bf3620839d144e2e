"""Ctrl-C, as a terminal sends it: to the command and to what it has started. The home is as before, the status 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, run_kbw
from tests.flows.cli.test_process import KBW, LONG, own, seconds_of_processor, wait_until
from tests.histories import one_figure
from tests.kills import Stage, Traces, landed, unfinished
from warehouse.home import Home

SAID = b"kbw: interrupted; run it again to go on\n"
UPSTREAM = "sample:ScalingIntelligence/KernelBench"


class Interrupted:
    """A command in a session of its own, so that its children can be interrupted with it."""

    def __init__(self, root: Path, *arguments: object, **streams: int) -> None:
        command = [*KBW, *map(str, arguments)]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **streams}
        self._process = subprocess.Popen(command, env=own(root), start_new_session=True, **streams)

    def is_over(self) -> bool:
        return self._process.poll() is not None

    def is_computing(self) -> bool:
        """Whether it has used more processor time than a start takes."""
        return seconds_of_processor(self._process.pid) > 1

    def interrupt(self) -> None:
        os.killpg(self._process.pid, signal.SIGINT)

    def end(self) -> tuple[int, bytes]:
        """Its status, and what it said on stderr."""
        _, said = self._process.communicate(timeout=60)
        return self._process.returncode, said


@pytest.fixture
def used(tmp_path) -> Home:
    """A home that holds a published database of another source."""
    home = Home(tmp_path / "home")
    done = run_kbw("ingest", f"git:{one_figure(tmp_path).path}", "--name", "lab/x", KBW_HOME=str(home.root))
    assert done.returncode == 0, done.stderr
    return home


@pytest.mark.parametrize("stage", [Stage.BEGUN, Stage.LANDING, Stage.LANDED, Stage.BUILDING], ids=lambda one: one.name)
def test_an_ingest_that_is_interrupted_leaves_the_published_file_and_can_be_gone_on_with(used, stage):
    published, traces, before = used.database.read_bytes(), Traces.of(used), landed(used)
    command = Interrupted(used.root, "ingest", UPSTREAM)
    wait_until(lambda: (used.root / "ingest.pid").exists())
    traces.wait_for(stage, command)
    command.interrupt()
    assert command.end() == (130, SAID)
    assert unfinished(used) == []
    assert used.database.read_bytes() == published
    assert landed(used) >= before
    done = run_kbw("ingest", UPSTREAM, KBW_HOME=str(used.root))
    assert done.returncode == 0, done.stderr
    assert "10,105 runs" in done.stdout


def test_git_that_is_interrupted_with_the_command_is_not_taken_for_a_failure_of_the_source(tmp_path):
    history, home = one_figure(tmp_path), Home(tmp_path / "home")
    command = Interrupted(home.root, "ingest", f"git:{history.path}", "--name", "lab/x")
    wait_until(lambda: (home.root / "ingest.pid").exists() or command.is_over())
    command.interrupt()
    assert command.end() == (130, SAID)
    assert unfinished(home) == [] and not home.database.exists()


def test_a_long_question_is_interrupted_at_once(sample_home):
    command = Interrupted(sample_home.root, "sql", LONG)
    wait_until(command.is_computing)
    command.interrupt()
    assert command.end() == (130, SAID)


def test_an_interrupt_while_the_command_is_still_loading_is_told_like_any_other():
    program = (
        "import sys\n"
        "class Loading:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'flows.cli.app': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Loading())\n"
        "from flows.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, SAID)
