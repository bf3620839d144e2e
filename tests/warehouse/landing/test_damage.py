"""What is not as it was kept is never believed, set aside only under the lock, and on disk before it is named."""

from __future__ import annotations

from datetime import datetime

import pytest

from warehouse import files
from warehouse.home import WarehouseError
from warehouse.landing import Landing, LandingDamaged, Lineage, Tree, git_blob_id
from warehouse.landing.store import MARKER

R1 = "1" * 40
BLOB = git_blob_id(b"whole")


@pytest.fixture
def locked(tmp_path):
    return Landing(tmp_path / "landing", locked=True)


@pytest.fixture
def path(locked, tmp_path):
    """The file of a blob that landed."""
    locked.put(BLOB, b"whole", "bytes")
    return tmp_path / "landing" / "blobs" / BLOB[:2] / BLOB[2:]


def test_a_damaged_blob_is_set_aside_so_that_it_is_fetched_again(locked, path, tmp_path):
    path.write_bytes(b"who")
    with pytest.raises(LandingDamaged, match="damaged"):
        list(locked.read([BLOB]))
    assert locked.missing([BLOB]) == [BLOB]
    assert (tmp_path / "landing" / "damaged" / "blobs" / BLOB[:2] / BLOB[2:]).read_bytes() == b"who"


def test_without_the_lock_nothing_is_moved(locked, path, tmp_path):
    path.write_bytes(b"who")
    for reader in (Landing(tmp_path / "landing"), Landing(tmp_path / "upper", beneath=Landing(tmp_path / "landing"))):
        with pytest.raises(LandingDamaged, match="damaged"):
            list(reader.read([BLOB]))
    assert path.read_bytes() == b"who"


def test_what_is_set_aside_twice_is_kept_twice(locked, path, tmp_path):
    for content in (b"one", b"two"):
        path.write_bytes(content)
        with pytest.raises(LandingDamaged):
            list(locked.read([BLOB]))
    kept = (tmp_path / "landing" / "damaged").rglob("*")
    assert sorted(file.read_bytes() for file in kept if file.is_file()) == [b"one", b"two"]


def test_what_stands_in_the_way_of_a_file_is_set_aside(locked, path, tmp_path):
    path.unlink()
    path.mkdir()
    (path / "something").write_bytes(b"of a user's")
    locked.put(BLOB, b"whole", "bytes")
    other = git_blob_id(b"other")
    (tmp_path / "landing" / "blobs" / other[:2]).write_bytes(b"no folder")
    locked.put(other, b"other", "bytes")
    assert [data for _, data, _ in locked.read([BLOB, other])] == [b"whole", b"other"]


def test_what_is_only_stated_has_a_digest_of_its_own(locked, tmp_path):
    locked.put(BLOB, b'{"stated": 1}', "stated")
    file = tmp_path / "landing" / "stated" / BLOB[:2] / BLOB[2:]
    file.write_bytes(file.read_bytes().replace(b"1}", b"2}"))
    with pytest.raises(LandingDamaged):
        list(locked.read([BLOB]))


def test_a_digest_that_was_taken_away_is_missed(locked, tmp_path):
    locked.put_lineage(Lineage("lab/x", None, [R1], R1))
    (file,) = (tmp_path / "landing" / "lineages").iterdir()
    file.write_bytes(file.read_bytes().partition(b"\n")[2])
    with pytest.raises(LandingDamaged):
        Landing(tmp_path / "landing").lineage("lab/x")


@pytest.mark.parametrize("wrong", ["", "../../x", "a" * 39, "A" * 40, "a/" * 20])
def test_no_id_from_elsewhere_becomes_a_path(wrong, locked, tmp_path):
    with pytest.raises(WarehouseError, match="hexadecimal"):
        locked.put_tree("lab/x", Tree(wrong, datetime(2025, 1, 1), {}))
    with pytest.raises(WarehouseError, match="no blob's id"):
        locked.put_tree("lab/x", Tree(R1, datetime(2025, 1, 1), {"a": wrong}))
    with pytest.raises(WarehouseError, match="hexadecimal"):
        locked.put(wrong, b"", "stated")
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("blobs", [1, 100])
def test_what_a_lineage_names_is_on_disk_before_it(blobs, locked, tmp_path, monkeypatch):
    """In a power cut the disk has what was flushed, and perhaps what was not, in any order."""
    lineage = tmp_path / "landing" / "lineages" / "lab%2Fx.json"
    flushed: set[object] = set()

    def flush(path):
        assert not lineage.exists() or path == lineage.parent
        flushed.add(path)

    monkeypatch.setattr(files, "flush_to_disk", flush)
    monkeypatch.setattr(files.os, "sync", lambda: flushed.update((tmp_path / "landing").rglob("*")))
    for number in range(blobs):
        data = b"%d" % number
        locked.put(git_blob_id(data), data, "bytes")
    locked.put_tree("lab/x", Tree(R1, datetime(2025, 1, 1), {}))
    locked.put_lineage(Lineage("lab/x", None, [R1], R1))
    landed = {path for path in (tmp_path / "landing").rglob("*") if path not in (lineage, lineage.parent)}
    assert landed - {tmp_path / "landing" / MARKER} <= flushed
    assert lineage.parent in flushed


def test_a_source_whose_lineage_is_gone_is_known_by_its_trees(locked, tmp_path):
    locked.put_tree("lab/x", Tree(R1, datetime(2025, 1, 1), {}))
    locked.put_lineage(Lineage("lab/x", None, [R1], R1))
    assert locked.lost() == []
    (file,) = (tmp_path / "landing" / "lineages").iterdir()
    file.write_bytes(b"damaged")
    assert locked.lineages() == []
    assert locked.lost() == ["lab/x"]
