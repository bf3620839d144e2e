"""A snapshot is whole, checkable, and the same when it is made again."""

from __future__ import annotations

import hashlib
import subprocess

import polars as pl
import pytest

from transforms.contracts.objects import NOT_IN_SNAPSHOTS, OBJECTS
from warehouse.database import Reader
from warehouse.home import WarehouseError
from warehouse.snapshot import export

SHIPPED = [name for name in OBJECTS if name not in NOT_IN_SNAPSHOTS]


@pytest.fixture(scope="module")
def snapshot(sample_home, tmp_path_factory):
    target = tmp_path_factory.mktemp("snapshots") / "first"
    export(sample_home.database, target)
    return target


def test_there_is_one_parquet_file_per_table_and_view_with_checksums_and_licence(snapshot):
    expected = {f"{name}.parquet" for name in SHIPPED} | {"SHA256SUMS", "LICENSE-KernelBench"}
    assert {path.name for path in snapshot.iterdir()} == expected
    assert "MIT License" in (snapshot / "LICENSE-KernelBench").read_text()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_file_holds_the_rows_and_columns_of_its_object(snapshot, sample_home, name):
    frame = pl.read_parquet(snapshot / f"{name}.parquet")
    reader = Reader(sample_home.database)
    assert frame.height == reader.sql(f'select count(*) from "{name}"').rows[0][0]
    reader.close()
    assert frame.columns == list(OBJECTS[name].columns)


@pytest.mark.parametrize("name", ["runs", "leaderboard", "revisions", "interop"])
def test_rows_stand_in_the_order_of_the_contract(snapshot, name):
    frame = pl.read_parquet(snapshot / f"{name}.parquet", columns=list(OBJECTS[name].order))
    assert frame.rows() == frame.sort(OBJECTS[name].order, nulls_last=True).rows()
    assert frame.height > 1


def test_checksums_hold(snapshot):
    done = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=snapshot, capture_output=True)
    assert done.returncode == 0, done.stderr
    lines = (snapshot / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == len(SHIPPED) + 1


def test_it_is_byte_identical_when_repeated(snapshot, sample_home, tmp_path):
    export(sample_home.database, tmp_path / "second")
    for path in snapshot.iterdir():
        again = (tmp_path / "second" / path.name).read_bytes()
        assert hashlib.sha256(again).digest() == hashlib.sha256(path.read_bytes()).digest(), path.name


def test_files_are_compressed_with_zstd(snapshot):
    import pyarrow.parquet as pq

    assert pq.ParquetFile(snapshot / "runs.parquet").metadata.row_group(0).column(0).compression == "ZSTD"


def test_an_earlier_snapshot_is_replaced_and_nothing_is_left_beside_it(sample_home, tmp_path):
    target = tmp_path / "snapshot"
    export(sample_home.database, target)
    (target / "stale.parquet").write_bytes(b"of an older version")
    export(sample_home.database, target)
    assert not (target / "stale.parquet").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot"]


def test_a_folder_with_other_things_in_it_is_left_alone(sample_home, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(WarehouseError, match="no export"):
        export(sample_home.database, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_failed_export_leaves_the_earlier_one(sample_home, tmp_path, home):
    export(sample_home.database, tmp_path / "snapshot")
    with pytest.raises(WarehouseError, match="no warehouse yet"):
        export(home.database, tmp_path / "snapshot")
    assert (tmp_path / "snapshot" / "runs.parquet").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
