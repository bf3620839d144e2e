"""A command in a process of its own: closed and narrow streams, signals that end it, little memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.cli.process import LEAST_MEMORY
from tests.conftest import ROOT, run_kbw
from tests.histories import one_figure

KBW = (sys.executable, "-m", "flows")
"""Without warnings as errors: a file that a signal leaves open is closed with a warning."""


def own(home: Path, **more: str) -> dict[str, str]:
    """An environment without the caller's settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("KBW_", "PREFECT_"))}
    return {**kept, "KBW_HOME": str(home), "PYTHONPATH": str(ROOT), **more}


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "1>&- 2>&-"])
def test_a_command_whose_output_was_closed_ends_in_order(sample_home, closed):
    command = f'"{sys.executable}" -W error -m flows info {closed}'
    done = subprocess.run(command, shell=True, env=own(sample_home.root), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_sign_that_the_output_cannot_hold_is_written_in_others_or_in_data_as_an_escape(sample_home):
    narrow = {"KBW_HOME": str(sample_home.root), "PYTHONIOENCODING": "ascii"}
    table = run_kbw("records", "--limit", "1", **narrow)
    assert (table.returncode, table.stderr.count("Traceback")) == (0, 0)
    assert "460 us +/- 6" in table.stdout
    data = run_kbw("sql", "select 'µ ± 日' as sign", "--csv", **narrow)
    assert data.stdout.splitlines()[1] == r"\xb5 \xb1 \u65e5"
    assert r"u +/- \u65e5" in run_kbw("sql", "select 'µ ± 日' as sign", **narrow).stdout


def test_json_for_an_output_that_holds_ascii_alone_is_the_same_json(sample_home):
    query = ("sql", "select 'µ\u202e' as sign", "--json")
    for encoding in ("ascii", "utf-8"):
        done = run_kbw(*query, KBW_HOME=str(sample_home.root), PYTHONIOENCODING=encoding, PYTHONUTF8="1")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == [{"sign": "µ\u202e"}]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_an_ingest_that_is_told_to_end_takes_its_temporary_folders_with_it(tmp_path, name):
    """A rehearsal works in a temporary folder; it is told to end while it reads."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [*KBW, "ingest", "sample:ScalingIntelligence/KernelBench", "--dry-run"]
    process = subprocess.Popen(command, env=own(tmp_path / "home", TMPDIR=str(scratch)), stderr=subprocess.PIPE)
    wait_until(lambda: any(scratch.glob("kbw-dry-run-*/landing/stated/*")))
    process.send_signal(getattr(signal, name))
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + getattr(signal, name)
    assert said == b""
    assert list(scratch.iterdir()) == []


def test_a_long_question_ends_when_it_is_told_to(sample_home):
    """DuckDB listens for Ctrl-C alone."""
    process = subprocess.Popen([*KBW, "sql", LONG], env=own(sample_home.root), stderr=subprocess.PIPE)
    wait_until(lambda: seconds_of_processor(process.pid) > 1)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (128 + signal.SIGTERM, b"")


def test_a_hang_up_that_the_caller_ignores_stays_ignored(tmp_path):
    """As ``nohup`` has it."""
    history = one_figure(tmp_path)
    command = f"trap '' HUP; exec \"{sys.executable}\" -W error -m flows ingest git:{history.path} --name lab/x"
    home = tmp_path / "home"
    process = subprocess.Popen(command, shell=True, env=own(home), stdout=subprocess.DEVNULL)
    wait_until(lambda: (home / "ingest.lock").exists())
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == 0
    assert (home / "warehouse.duckdb").exists()


def test_too_little_memory_is_said_in_a_word_before_anything_is_begun(tmp_path):
    command = f'ulimit -v {LEAST_MEMORY // 2000}; exec "{sys.executable}" -m flows ingest sample'
    done = subprocess.run(command, shell=True, env=own(tmp_path / "home"), capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "kbw: this process may use 768 MB of address space and needs 1,500 MB; raise the limit with `ulimit -v`\n"
    )
    assert not (tmp_path / "home").exists()


LONG = "select sum(a.range * b.range) from range(100000) as a, range(1000000) as b"
"""A question that takes minutes."""


def seconds_of_processor(process: int) -> float:
    """What a process has used so far: more than a second, and it has begun with its work."""
    user = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11]
    return int(user) / os.sysconf("SC_CLK_TCK")


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)
