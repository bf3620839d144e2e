"""Killed at any instant, an ingest loses nothing and leaves nothing half (DESIGN.md section 12). With real kills."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.histories import (
    LAB,
    GitHistory,
    all_tables,
    failed_checks,
    ingest_git,
    module,
    module_path,
    timing_path,
    timings,
)
from tests.kills import Kbw, kill, landed, start, unfinished
from warehouse.home import Home
from warehouse.landing.audit import audit
from warehouse.landing.store import MARKER

KILLS_EACH = 4
SCRIBBLER = """
import duckdb, sys, time
connection = duckdb.connect(sys.argv[1])
connection.execute("create or replace table scribble as select 1 as a")
print("open", flush=True)
time.sleep(120)
"""


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


@pytest.mark.parametrize(
    "company",
    [
        pytest.param("alone", marks=pytest.mark.slow),  # as in sources/github/test_github_kills.py, without GitHub
        "client open for writing",
        "wal left by a client",
    ],
)
def test_a_kill_at_any_moment_leaves_a_file_that_opens_and_passes_its_checks(company, home: Home, tmp_path: Path):
    """Spread over the whole of an ingest; after each kill the next ingest completes."""
    chance = random.Random(company)
    history = GitHistory(tmp_path / "repository")
    grow(history, 0)
    ingest_git(home, history)
    grow(history, 1)
    command = ("ingest", f"git:{history.path}", "--name", LAB, "--home", home.root, "--json")
    kbw = Kbw()
    began = time.monotonic()
    kbw.begin(*command)
    assert kbw.end() == 0
    usual = time.monotonic() - began
    killed = 0
    for step in range(2, 2 + KILLS_EACH):
        grow(history, step)
        client = start_company(company, home)
        assert history.path
        kbw.begin(*command)
        time.sleep(chance.uniform(0, usual))
        killed += kbw.kill() == -signal.SIGKILL
        if client is not None:
            kill(client)
        assert failed_checks(home) == {}
        ingest_git(home, history)
    kbw.close()
    assert failed_checks(home) == {}
    assert killed, "the ingests were over before they could be killed: nothing was tried"
    afresh = Home(tmp_path / "afresh")
    ingest_git(afresh, history)
    assert all_tables(home) == all_tables(afresh)


def test_a_kill_while_landing_is_repaired_or_digests_are_added_loses_nothing(home: Home, tmp_path: Path):
    """From the first file that comes back on; what had been set aside is still there."""
    chance = random.Random("repair")
    history = GitHistory(tmp_path / "repository")
    for step in range(60):
        grow(history, step)
    ingest_git(home, history)
    tables, needed = all_tables(home), landed(home)
    command = ("ingest", f"git:{history.path}", "--name", LAB, "--home", home.root, "--json")
    kbw = Kbw()
    stages: Counter[str] = Counter()
    for _ in range(3 * KILLS_EACH):
        for path in [*home.landing.glob("blobs/*/*"), *home.landing.glob("trees/*/*")]:
            if chance.random() < 0.5:
                path.unlink()
        if chance.random() < 0.5:
            (home.landing / MARKER).unlink()
        kbw.begin(*command)
        time.sleep(chance.uniform(0.005, 0.15))
        stages["killed" if kbw.kill() == -signal.SIGKILL else "over"] += 1
        stages["in the middle"] += landed(home) != needed
        assert failed_checks(home) == {}
        kbw.begin(*command)
        assert kbw.end() == 0
        assert landed(home) == needed
        assert audit(home.landing).findings == []
        assert unfinished(home) == []
    kbw.close()
    assert stages["in the middle"], "no kill came before all was back: nothing was tried"
    ingest_git(home, history)
    assert all_tables(home) == tables


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
