"""Where the data lives, and who may write to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warehouse.home import Home, WarehouseError, in_one_line
from warehouse.locking import only_ingest


def test_the_home_is_the_folder_that_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("KBW_HOME", str(tmp_path))
    assert Home.default().database == tmp_path / "warehouse.duckdb"


def test_in_a_checkout_the_home_is_beside_the_code(monkeypatch):
    monkeypatch.delenv("KBW_HOME", raising=False)
    checkout = Path(__file__).resolve().parents[2]
    assert Home.default().root == checkout / "warehouse" / "data"


def test_a_second_ingest_says_which_process_is_at_work(home):
    with only_ingest(home), pytest.raises(WarehouseError, match=str(os.getpid())), only_ingest(home):
        pass


def test_the_lock_is_free_again_afterwards_also_after_a_failure(home):
    with pytest.raises(ValueError, match="failed"), only_ingest(home):
        raise ValueError("failed")
    with only_ingest(home):
        assert True


def test_a_lock_left_by_a_dead_process_does_not_block(home):
    program = (
        "import os, signal\nfrom pathlib import Path\nfrom warehouse.home import Home\n"
        "from warehouse.locking import only_ingest\n"
        f"with only_ingest(Home(Path({str(home.root)!r}))):\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).resolve().parents[2])
    assert done.returncode == -9
    assert home.lock.exists()
    with only_ingest(home):
        assert True


def test_what_a_killed_process_was_writing_is_removed_and_what_others_write_is_not(home):
    folder = home.landing / "blobs" / "ab"
    folder.mkdir(parents=True)
    for name in (".cdef.4711", ".cdef.4712", ".4711", "cdef.4711"):
        (folder / name).touch()
    home.lock.with_suffix(".pid").write_text("4711")
    with only_ingest(home):
        left = sorted(path.name for path in folder.iterdir())
    assert left == [".4711", ".cdef.4712", "cdef.4711"]
    assert not home.lock.with_suffix(".pid").exists()


def test_an_error_is_told_in_one_line():
    error = ValueError('Parser Error: syntax error at or near "selec"\n\nLINE 1: selec 1\n        ^')
    assert in_one_line(error) == 'Parser Error: syntax error at or near "selec"'
    assert in_one_line(ValueError()) == "ValueError"
