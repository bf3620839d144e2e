"""Killed at any instant, an ingest loses nothing and leaves nothing half (DESIGN.md section 12). With real kills."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.histories import GitHistory, all_tables, failed_checks, ingest_git, module, module_path, timing_path, timings
from warehouse.home import Home

KILLS_EACH = 7
WORKER = """
import sys
from contextlib import closing
from pathlib import Path
import transforms.batch, transforms.contracts.validate, transforms.history.normalise, warehouse.publish
from flows.sequence import Directly, ingest
from flows.sources.git import GitSource
from warehouse.home import Home

def main(root, repository):
    print("ready", flush=True)
    with closing(GitSource(repository, None, "lab/KernelBench")) as source:
        ingest(Home(Path(root)), source, Directly())

main(*sys.argv[1:])
"""
SCRIBBLER = """
import duckdb, sys, time
connection = duckdb.connect(sys.argv[1])
connection.execute("create or replace table scribble as select 1 as a")
print("open", flush=True)
time.sleep(120)
"""


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a Python program and wait until it says that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def end(process: subprocess.Popen[str]) -> int:
    status = process.wait(timeout=120)
    assert process.stdout is not None
    process.stdout.close()
    return status


def kill(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGKILL)
    return end(process)


def grow(history: GitHistory, step: int) -> None:
    """One more revision: new figures on one host, another host's taken away or put back, a changed module."""
    mean = 1 + step / 100
    history.commit(
        f"2025-01-01T00:00:{step:02d}" if step < 60 else f"2025-01-01T00:01:{step - 60:02d}",
        {
            timing_path("H100_lab"): timings(n19_ReLU=mean, n22_Tanh=2.0),
            timing_path(f"H100_{step % 3}"): timings(n19_ReLU=mean / 2),
            module_path("19_ReLU.py"): module("ReLU", n=16 + step // 5),
            module_path("22_Tanh.py"): module("Tanh"),
        },
    )


@pytest.mark.parametrize("company", ["alone", "client open for writing", "wal left by a client"])
def test_a_kill_at_any_moment_leaves_a_file_that_opens_and_passes_its_checks(company, home: Home, tmp_path: Path):
    """Twenty-one kills in all, spread over the whole of an ingest; after each, the next ingest completes."""
    chance = random.Random(company)
    history = GitHistory(tmp_path / "repository")
    grow(history, 0)
    ingest_git(home, history)
    grow(history, 1)
    worker = start(WORKER, home.root, history.path)
    began = time.monotonic()
    assert end(worker) == 0
    usual = time.monotonic() - began
    killed = 0
    for step in range(2, 2 + KILLS_EACH):
        grow(history, step)
        client = start_company(company, home)
        worker = start(WORKER, home.root, history.path)
        time.sleep(chance.uniform(0, usual))
        killed += kill(worker) == -signal.SIGKILL
        if client is not None:
            kill(client)
        assert failed_checks(home) == {}
        ingest_git(home, history)
        assert failed_checks(home) == {}
    assert killed > KILLS_EACH // 2, "the ingests were over before they could be killed: nothing was tried"
    afresh = Home(tmp_path / "afresh")
    ingest_git(afresh, history)
    assert all_tables(home) == all_tables(afresh)


def start_company(company: str, home: Home) -> subprocess.Popen[str] | None:
    """Another client that has the published file open for writing; or has died and left its ``.wal``."""
    if company == "alone":
        return None
    home.database.chmod(0o644)
    client = start(SCRIBBLER, home.database)
    if company == "client open for writing":
        return client
    kill(client)
    assert home.database.with_name("warehouse.duckdb.wal").exists()
    return None
