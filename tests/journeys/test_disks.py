"""A disk that is full or read-only, as a process of its own meets it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import run_kbw
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
