"""A home is in order before an ingest, whatever was left in it."""

from __future__ import annotations

import pytest

from flows.steps.tidy import tidy
from tests.histories import ingest_git
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
