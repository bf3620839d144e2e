"""A disk that is full or read-only, as a process of its own meets it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, run_kbw
from tests.histories import one_figure

UPSTREAM = "sample:ScalingIntelligence/KernelBench"


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def mounted(tmp_path: Path, options: str) -> Path:
    """A small disk of its own; skips where the machine does not allow one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"LOUD: cannot mount a disk to fill: {done.stderr.strip()}")
    return disk


def test_a_full_disk_is_told_in_one_line_and_leaves_the_published_file_as_it_was(tmp_path, history):
    disk = mounted(tmp_path, "size=40m")
    try:
        assert run_kbw("ingest", f"git:{history.path}", "--name", "lab/x", KBW_HOME=str(disk)).returncode == 0
        published = disk / "warehouse.duckdb"
        before = published.read_bytes()
        free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        (disk / "ballast").write_bytes(b"\0" * (free - 200_000))
        done = run_kbw("ingest", UPSTREAM, KBW_HOME=str(disk))
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*(space|full|free)[^\n]*\n", done.stderr), done.stderr
        assert published.read_bytes() == before
        (disk / "ballast").unlink()
        done = run_kbw("ingest", UPSTREAM, KBW_HOME=str(disk))
        assert done.returncode == 0, done.stderr
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_read_only_disk_is_told_in_one_line_and_can_still_be_read(tmp_path, history):
    disk = mounted(tmp_path, "size=40m")
    try:
        assert run_kbw("ingest", f"git:{history.path}", "--name", "lab/x", KBW_HOME=str(disk)).returncode == 0
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        done = run_kbw("ingest", UPSTREAM, KBW_HOME=str(disk))
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*[Rr]ead-only[^\n]*\n", done.stderr), done.stderr
        assert "19_ReLU" in run_kbw("records", KBW_HOME=str(disk)).stdout
    finally:
        subprocess.run(["umount", disk], check=True)


def run_without_privilege(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run ``kbw`` so that permissions hold for it; skips where a privileged user cannot lay down that privilege."""
    lay_down: list[str] = []
    if os.geteuid() == 0:
        tool = shutil.which("setpriv") or pytest.skip("LOUD: no setpriv to lay down the right to read everything")
        lay_down = [tool, "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
    own = {key: value for key, value in os.environ.items() if not key.startswith(("KBW_", "PREFECT_"))}
    command = [*lay_down, sys.executable, "-W", "error", "-m", "flows", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**own, "KBW_HOME": str(home)}, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("taken", "command"),
    [
        ("warehouse.duckdb", ("info",)),
        ("warehouse.duckdb", ("ingest", UPSTREAM)),
        (".", ("info",)),
        (".", ("rebuild",)),
        ("landing", ("rebuild",)),
        ("landing/lineages", ("rebuild",)),
        ("landing/ingests", ("rebuild",)),
        ("landing/trees", ("rebuild",)),
        ("landing/blobs", ("ingest", UPSTREAM)),
        ("heartbeat.json", ("ingest", UPSTREAM)),
    ],
)
def test_what_may_not_be_read_is_neither_damaged_nor_absent(tmp_path, history, taken, command):
    home = tmp_path / "home"
    assert run_kbw("ingest", f"git:{history.path}", "--name", "lab/x", KBW_HOME=str(home)).returncode == 0
    mode = (home / taken).stat().st_mode
    (home / taken).chmod(0)
    try:
        done = run_without_privilege(*command, home=home)
    finally:
        (home / taken).chmod(mode)
    assert done.returncode == 1
    assert re.fullmatch(rf"kbw: {re.escape(str(home))}[^\n]*: Permission denied; allow it[^\n]*\n", done.stderr)
