"""Readers never wait and never see half (DESIGN.md section 12)."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from contextlib import closing

import duckdb
import pytest

from flows.sequence import Directly, rebuild
from tests.histories import ingest_git, module, module_path, one_figure, query, timing_path, timings
from warehouse import sqlfiles
from warehouse.database import Reader
from warehouse.home import WarehouseError
from warehouse.publish import ChecksFailed

RELU, TANH = "19_ReLU.py", "22_Tanh.py"


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def runs(reader: Reader) -> int:
    return int(reader.sql("select count(*) from runs").rows[0][0])


def test_a_reader_that_stays_open_keeps_answering_from_the_old_file_and_a_new_one_sees_the_new(home, history):
    ingest_git(home, history)
    old = Reader(home.database)
    history.commit(
        "2025-02-01", {timing_path(): timings(n19_ReLU=1.0, n22_Tanh=2.0), module_path(TANH): module("Tanh")}
    )
    ingest_git(home, history)
    new = Reader(home.database)
    assert (runs(old), runs(new)) == (1, 2)
    old.close()
    new.close()


def test_the_published_file_is_read_only_and_has_no_wal(home, history):
    ingest_git(home, history)
    assert home.database.stat().st_mode & 0o777 == 0o444
    assert [path.name for path in home.root.glob("warehouse*")] == ["warehouse.duckdb"]


def test_a_wal_that_a_careless_client_left_is_removed(home, history):
    ingest_git(home, history)
    wal = home.root / "warehouse.duckdb.wal"
    wal.write_bytes(b"left by a client")
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert not wal.exists()
    assert query(home, "select count(*) from runs") == [(2,)]


def test_what_a_killed_ingest_left_of_its_building_is_removed(home, history):
    home.root.mkdir()
    for leftover in ("warehouse.building.duckdb", "warehouse.building.duckdb.wal"):
        (home.root / leftover).write_bytes(b"half")
    ingest_git(home, history)
    assert sorted(path.name for path in home.root.glob("warehouse.building*")) == []


def test_a_database_whose_checks_fail_is_not_published(home, history, monkeypatch):
    ingest_git(home, history)
    before = home.database.read_bytes()
    failing = sqlfiles.SqlFile("never_content", frozenset(), "select run_id from runs")
    monkeypatch.setitem(sqlfiles.folder("checks"), "never_content", failing)
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.5)})
    with pytest.raises(ChecksFailed, match="never_content found 2 bad rows"):
        ingest_git(home, history)
    assert home.database.read_bytes() == before
    assert sorted(path.name for path in home.root.glob("warehouse.building*")) == []
    monkeypatch.undo()
    ingest_git(home, history)
    assert query(home, "select count(*) from runs") == [(2,)]


def test_an_ingest_completes_while_a_client_has_the_published_file_open_for_writing(home, history):
    ingest_git(home, history)
    program = (
        "import duckdb, sys, time\n"
        f"c = duckdb.connect({str(home.database)!r})\n"
        "c.execute('create table scribble as select 1 as a')\nprint('open', flush=True)\ntime.sleep(60)\n"
    )
    home.database.chmod(0o644)
    client = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert client.stdout is not None
        assert client.stdout.readline() == "open\n"
        history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.5)})
        ingest_git(home, history)
        assert query(home, "select count(*) from runs") == [(2,)]
    finally:
        client.kill()
        client.wait()
        assert client.stdout is not None
        client.stdout.close()
    assert query(home, "select count(*) from duckdb_tables() where table_name = 'scribble'") == [(0,)]


def test_what_another_program_wrote_into_the_published_file_does_not_survive_the_next_ingest(home, history):
    ingest_git(home, history)
    home.database.chmod(0o644)
    with duckdb.connect(str(home.database)) as client:
        client.execute("update runs set mean_ns = 1")
    history.commit("2025-02-01", {timing_path("H100_two"): timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    assert query(home, "select mean_ns from runs order by host") == [(1_000_000,), (1_500_000,)]


def test_a_damaged_database_is_told_from_a_missing_one(home, history):
    with pytest.raises(WarehouseError, match="no warehouse yet"):
        Reader(home.database)
    ingest_git(home, history)
    home.database.chmod(0o644)
    home.database.write_bytes(b"not a database" * 1000)
    with pytest.raises(WarehouseError, match="kbw rebuild"):
        Reader(home.database)


def test_the_file_opens_in_clients_of_the_1_x_series(home, history):
    """Its storage version is the one they know: the header of the file names it."""
    ingest_git(home, history)
    with duckdb.connect(str(home.database), read_only=True) as client:
        (tags,) = client.execute("select tags from duckdb_databases() where database_name = 'warehouse'").fetchall()[0]
    assert "v1.0.0" in str(tags)


def test_the_next_second_is_not_needed_to_see_a_write(home, history):
    """A fingerprint that rests on whole seconds would miss a write right after publishing."""
    ingest_git(home, history)
    before = home.database.stat().st_mtime_ns
    time.sleep(0.02)
    home.database.chmod(0o644)
    with duckdb.connect(str(home.database)) as client:
        client.execute("create table scribble as select 1 as a")
    assert home.database.stat().st_mtime_ns != before


def test_a_database_that_was_built_upon_still_says_what_every_column_means(home, history):
    ingest_git(home, history)
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    undescribed = "select table_name, column_name from duckdb_columns() where comment is null and not internal"
    assert query(home, undescribed + " and database_name = current_database()") == []


def test_a_file_that_another_release_published_is_told_with_the_way_on(home, tmp_path):
    """It lacks a name that a question of this release uses."""
    history = one_figure(tmp_path)
    ingest_git(home, history)
    home.database.chmod(0o644)
    with duckdb.connect(str(home.database)) as connection:
        connection.execute("drop view source_health")
    with closing(Reader(home.database)) as reader, pytest.raises(WarehouseError) as told:
        reader.query("source_health")
    assert re.search(r"published by another release of kbw.*source_health.*`kbw rebuild`$", str(told.value))
    rebuild(home, Directly())
    with closing(Reader(home.database)) as reader:
        assert len(reader.query("source_health").rows) == 1
