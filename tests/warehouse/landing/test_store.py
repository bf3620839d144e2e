"""Landing keeps every blob byte for byte, once, under its id."""

from __future__ import annotations

import hashlib
import subprocess
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.layout import TOP, Layout
from warehouse.home import WarehouseError
from warehouse.landing import Fetched, FormerLineage, Landing, Lineage, Told, Tree, git_blob_id

R1, R2 = "1" * 40, "2" * 40


@pytest.fixture
def landing(tmp_path):
    return Landing(tmp_path / "landing")


@given(st.binary(max_size=300))
def test_a_blob_id_is_the_one_that_git_gives(data):
    assert git_blob_id(data) == hashlib.sha1(f"blob {len(data)}\0".encode() + data).hexdigest()


def test_git_itself_gives_the_same_id(tmp_path):
    done = subprocess.run(["git", "hash-object", "--stdin"], input=b"12.3 ms\n", capture_output=True, check=True)
    assert git_blob_id(b"12.3 ms\n") == done.stdout.decode().strip()


def test_what_was_put_is_read_back_byte_for_byte(landing):
    data = bytes(range(256))
    landing.put(git_blob_id(data), data, "bytes")
    assert list(landing.read([git_blob_id(data)])) == [(git_blob_id(data), data, "bytes")]


def test_bytes_that_are_not_those_of_their_id_are_not_kept(landing):
    blob = git_blob_id(b"as committed")
    with pytest.raises(WarehouseError, match=blob):
        landing.put(blob, b"as tampered with", "bytes")
    assert landing.missing([blob]) == [blob]


def test_only_what_has_not_landed_is_missing(landing):
    here, absent = git_blob_id(b"here"), git_blob_id(b"absent")
    landing.put(here, b"here", "bytes")
    assert landing.missing([here, absent, absent]) == [absent]


def test_what_a_source_only_states_counts_as_landed_but_bytes_go_before_it(landing):
    blob = git_blob_id(b"the file itself")
    landing.put(blob, b'{"stated": true}', "stated")
    assert landing.missing([blob]) == []
    assert list(landing.read([blob])) == [(blob, b'{"stated": true}', "stated")]
    landing.put(blob, b"the file itself", "bytes")
    assert list(landing.read([blob])) == [(blob, b"the file itself", "bytes")]


def test_what_a_kill_left_half_written_is_no_blob(landing, tmp_path):
    blob = git_blob_id(b"whole")
    folder = tmp_path / "landing" / "blobs" / blob[:2]
    folder.mkdir(parents=True)
    (folder / f".{blob[2:]}.4711").write_bytes(b"who")
    assert landing.missing([blob]) == [blob]


def test_a_rehearsal_reads_what_lies_beneath_and_writes_only_above(landing, tmp_path):
    below, above = git_blob_id(b"below"), git_blob_id(b"above")
    landing.put(below, b"below", "bytes")
    landing.put_lineage(Lineage("lab/x", None, [R1], R1))
    landing.put_tree("lab/x", Tree(R1, datetime(2025, 7, 21), {"a": below}))
    before = sorted(tmp_path.rglob("*"))
    upper = Landing(tmp_path / "upper", beneath=landing)
    upper.put(above, b"above", "bytes")
    upper.put_lineage(Lineage("lab/x", None, [R1, R2], R2))
    assert upper.missing([below, above]) == []
    assert [data for _, data, _ in upper.read([below, above])] == [b"below", b"above"]
    assert upper.tree("lab/x", R1).files == {"a": below}
    assert [lineage.head for lineage in upper.lineages()] == [R2]
    assert [lineage.head for lineage in landing.lineages()] == [R1]
    assert sorted(path for path in tmp_path.rglob("*") if "upper" not in path.parts) == before


def test_names_with_a_slash_or_an_at_sign_are_told_apart(landing):
    for name in ("lab/x", "lab/x@next", "lab%2Fx"):
        landing.put_lineage(Lineage(name, None, [], name))
    assert [lineage.source for lineage in landing.lineages()] == sorted(("lab/x", "lab/x@next", "lab%2Fx"))


def test_the_fetch_log_says_what_came_when_and_how(landing, tmp_path):
    line = Fetched("lab/x", "r1", "results/a.json", "b" * 40, "s" * 64, 12, datetime(2026, 1, 1), "git")
    folder = tmp_path / "landing" / "fetches"
    with landing.fetch_log("20260101") as log:
        log(line)
        (written,) = folder.glob("*.jsonl")
        assert '"sha256":"' + "s" * 64 in written.read_text(), "a kill at this moment would lose what came"
    with landing.fetch_log("20260101") as log:  # fetching is tried again
        log(line)
    assert len(written.read_text().splitlines()) == 2 * 2, "a digest before each"
    with landing.fetch_log("20260102"):
        pass
    assert len(list(folder.iterdir())) == 1


def test_a_lineage_keeps_its_former_ones_and_one_written_before_there_were_any_still_reads(landing):
    left = FormerLineage(["r1", "r2"], "r3", datetime(2025, 1, 2))
    landing.put_lineage(Lineage("lab/x", None, ["r1"], "r1", {}, [left]))
    assert landing.lineage("lab/x").former == [left]
    (file,) = (landing._root / "lineages").iterdir()
    assert '"earlier":[{"revisions":["r1","r2"]' in file.read_text(), "its name on disk is older than its name here"
    file.write_text('{"source":"lab/x","url":null,"revisions":["r1"],"head":"r1","refused":{}}')
    assert landing.lineage("lab/x") == Lineage("lab/x", None, ["r1"], "r1")


def test_a_lineage_remembers_where_it_was_read_and_what_was_told_of_it(landing):
    told = Told("dir:/data/mine", "lab/p@abc", observed=True)
    lineage = Lineage(
        "me/box", None, ["a"], "b", root="x", modules="y/z", told=told, problems="lab/p", measured={"a": "c", "b": "d"}
    )
    landing.put_lineage(lineage)
    assert landing.lineage("me/box") == lineage
    assert landing.lineage("me/box").layout == Layout("x", "y/z")


def test_a_lineage_of_before_was_read_at_the_top_and_told_nothing(landing, tmp_path):
    old = tmp_path / "landing" / "lineages" / "lab%2Fx.json"
    old.parent.mkdir(parents=True)
    old.write_text('{"source":"lab/x","url":null,"revisions":["a"],"head":"a","refused":{},"earlier":[]}')
    lineage = landing.lineage("lab/x")
    assert (lineage.layout, lineage.told, lineage.problems, lineage.measured) == (TOP, Told(), None, {})


def test_the_commits_of_a_lineage_are_all_of_which_a_tree_has_landed(landing):
    former = FormerLineage(["a", "b"], "c", datetime(2025, 1, 1))
    assert Lineage("lab/x", None, ["a", "d"], "e", former=[former]).commits == ["a", "d", "e", "b", "c"]
