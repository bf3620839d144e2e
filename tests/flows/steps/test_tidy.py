"""A home is in order before an ingest, whatever was left in it."""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace

from flows.steps.discover import discover
from flows.steps.tidy import tidy
from tests.histories import ingest_git
from warehouse.heartbeat import Heartbeat
from warehouse.home import WarehouseError


def test_what_a_kill_and_a_careless_client_left_is_removed(workspace, history):
    ingest_git(workspace.home, history)
    wal = workspace.home.database.with_name("warehouse.duckdb.wal")
    for leftover in (wal, workspace.home.building):
        leftover.write_bytes(b"left")
    tidy(workspace.home)
    assert not wal.exists()
    assert not workspace.home.building.exists()
    assert workspace.home.database.exists()


def test_a_damaged_database_is_told_before_any_work(workspace, history):
    ingest_git(workspace.home, history)
    workspace.home.database.chmod(0o644)
    workspace.home.database.write_bytes(b"damaged" * 10_000)
    with pytest.raises(WarehouseError, match="kbw rebuild"):
        tidy(workspace.home)


def test_an_empty_home_is_in_order(workspace):
    workspace.home.root.mkdir()
    tidy(workspace.home)
    assert list(workspace.home.root.iterdir()) == []


def test_one_bit_changed_under_an_unchanged_time_is_not_taken_for_nothing_new(workspace, history, source):
    """Whatever the bit: also one that no question would have met."""
    database = workspace.home.database
    ingest_git(workspace.home, history)
    good, times = database.read_bytes(), database.stat()
    database.chmod(0o644)
    for at in range(0, len(good), len(good) // 40):
        with database.open("r+b") as file:
            file.seek(at)
            file.write(bytes([good[at] ^ 1]))
        os.utime(database, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert discover(workspace, source).unchanged, "the time alone does not tell"
        with pytest.raises(WarehouseError, match=r"not those that were published\); make it again .* `kbw rebuild`"):
            tidy(workspace.home)
        with database.open("r+b") as file:
            file.seek(at)
            file.write(good[at : at + 1])
        os.utime(database, ns=(times.st_atime_ns, times.st_mtime_ns))
    tidy(workspace.home)


def test_a_home_that_an_older_release_published_to_is_in_order(workspace, history):
    ingest_git(workspace.home, history)
    heartbeat = Heartbeat.read(workspace.home.heartbeat)
    assert heartbeat.published is not None and heartbeat.published.crc32 is not None
    replace(heartbeat, published=replace(heartbeat.published, crc32=None)).write(workspace.home.heartbeat)
    assert b"crc32" not in workspace.home.heartbeat.read_bytes()
    tidy(workspace.home)
