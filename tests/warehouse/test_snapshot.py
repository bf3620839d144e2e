"""A snapshot is whole, checkable, and the same when it is made again."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
    before = (target / "runs.parquet").stat().st_ino
    export(sample_home.database, target)
    assert (target / "runs.parquet").stat().st_ino != before
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot"]


def test_a_folder_with_other_things_in_it_is_left_alone(sample_home, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(WarehouseError, match=r"no export \(it holds 'thesis.tex' and no SHA256SUMS\)"):
        export(sample_home.database, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("sums", ["", "nonsense", f"{hashlib.sha256(b'years').hexdigest()}  thesis.tex\n"])
def test_a_list_of_checksums_makes_no_folder_an_export(sample_home, tmp_path, sums):
    (tmp_path / "thesis.tex").write_text("years")
    (tmp_path / "SHA256SUMS").write_text(sums)
    with pytest.raises(WarehouseError, match="SHA256SUMS is not of an export"):
        export(sample_home.database, tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "years"


def _add_a_file(folder):
    (folder / "notes.txt").write_text("mine")


def _add_a_folder(folder):
    (folder / "mine").mkdir()


def _change_a_file(folder):
    (folder / "runs.parquet").write_bytes(b"mine")


def _put_a_link_for_a_file(folder):
    (folder / "runs.parquet").rename(folder.parent / "runs.parquet")
    (folder / "runs.parquet").symlink_to(folder.parent / "runs.parquet")


@pytest.mark.parametrize("change", [_add_a_file, _add_a_folder, _change_a_file, _put_a_link_for_a_file])
def test_an_export_to_which_someone_put_their_own_hand_is_left_alone(snapshot, sample_home, tmp_path, change):
    target = tmp_path / "snapshot"
    shutil.copytree(snapshot, target)
    change(target)
    before = {path.name: path.is_file() and path.read_bytes() for path in target.iterdir()}
    with pytest.raises(WarehouseError, match="is no export"):
        export(sample_home.database, target)
    assert {path.name: path.is_file() and path.read_bytes() for path in target.iterdir()} == before


def test_files_beside_the_target_are_never_touched(sample_home, tmp_path):
    theirs = [tmp_path / name for name in (".snap.building", ".snap.old", "snap.building", "snap.old")]
    for folder in theirs:
        folder.mkdir()
        (folder / "mine").write_text("mine")
    for _ in range(2):
        export(sample_home.database, tmp_path / "snap")
    assert all((folder / "mine").read_text() == "mine" for folder in theirs)
    assert len(list(tmp_path.iterdir())) == len(theirs) + 1


@pytest.mark.parametrize("present", [True, False])
def test_a_link_is_followed_and_stays(sample_home, tmp_path, present):
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "link"
    if present:
        elsewhere.mkdir()
    link.symlink_to(elsewhere)
    for _ in range(2):
        export(sample_home.database, link)
    assert link.is_symlink()
    assert (elsewhere / "runs.parquet").is_file()


def test_a_file_a_link_to_itself_and_the_folder_one_is_in_are_refused(sample_home, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for target in (tmp_path / "file", tmp_path / "loop", Path(), Path("..")):
        with pytest.raises(WarehouseError, match="is no export"):
            export(sample_home.database, target)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "loop", "here"}


def test_exports_to_one_folder_at_once_all_succeed(sample_home, tmp_path):
    target = tmp_path / "snapshot"
    with ThreadPoolExecutor(4) as pool:
        written = list(pool.map(lambda _: export(sample_home.database, target), range(4)))
    assert {path.name for path in target.iterdir()} == set(written[0])
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot"]


def test_who_holds_the_folder_too_long_is_named(sample_home, tmp_path, monkeypatch):
    monkeypatch.setattr("warehouse.snapshot.PATIENCE_S", 0.05)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(WarehouseError, match="another export is at work"):
            export(sample_home.database, tmp_path / "snapshot")
    finally:
        os.close(descriptor)


def test_a_failed_export_leaves_the_earlier_one(sample_home, tmp_path, home):
    export(sample_home.database, tmp_path / "snapshot")
    with pytest.raises(WarehouseError, match="no warehouse yet"):
        export(home.database, tmp_path / "snapshot")
    assert (tmp_path / "snapshot" / "runs.parquet").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
