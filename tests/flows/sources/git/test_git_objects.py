"""History is what was committed: neither what a repository says beside it, nor what it holds under another's id."""

from __future__ import annotations

import hashlib
import struct
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.sequence import Directly, rebuild
from flows.sources.git import objects, source
from flows.sources.interface import Blob, RefusedBlob, SourceError
from tests.flows.sources.git.repositories import (
    everything,
    git,
    loose,
    opened,
    put,
    raw_commit,
    under_the_id_of,
    unpacked,
)
from tests.histories import (
    LAB,
    GitHistory,
    failed_checks,
    ingest_git,
    module,
    module_path,
    query,
    stored_tables,
    timing_path,
    timings,
)
from warehouse.landing import git_blob_id


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """Three revisions, the second of which nobody would miss."""
    made = GitHistory(tmp_path / "repository")
    for day, mean in enumerate((1.0, 0.9, 0.8), 1):
        made.commit(f"2025-01-0{day}", {timing_path(): timings(n19_ReLU=mean)})
    return made


def read(repository: Path) -> tuple[list[str], list[dict[str, str]], list[Blob | RefusedBlob]]:
    with closing(opened(repository)) as one:
        return everything(one)


def dates(repository: Path) -> list[datetime]:
    with closing(opened(repository)) as one:
        return [revision.committed_at for revision in one.revisions(()).new]


# What stands beside history, and changes it for whoever asks git without more ado.


def test_grafts_change_nothing(history):
    expected = read(history.path)
    (history.path / "info").mkdir(exist_ok=True)
    (history.path / "info" / "grafts").write_text(f"{history.id(3)} {history.id(1)}\n{history.id(1)}\n")
    assert git(history.path, "rev-list", "--count", "HEAD") == "2"
    assert read(history.path) == expected


def test_replaced_objects_change_nothing(history):
    expected = read(history.path)
    git(history.path, "replace", history.id(3), history.id(1))
    assert git(history.path, "rev-list", "--count", "HEAD") == "1"
    assert read(history.path) == expected


def test_a_commit_graph_changes_nothing(history):
    """A copy of parents, trees and dates that git believes; here that of the head says it has no parent."""
    expected = read(history.path)
    git(history.path, "commit-graph", "write", "--reachable")
    graph = history.path / "objects" / "info" / "commit-graph"
    data = bytearray(graph.read_bytes())
    chunks = [struct.unpack_from(">4sQ", data, 8 + 12 * n) for n in range(data[6])]
    position = dict(chunks)[b"CDAT"] + 36 * sorted(map(history.id, (1, 2, 3))).index(history.id(3))
    struct.pack_into(">I", data, position + 20, 0x70000000)
    data[-20:] = hashlib.sha1(data[:-20]).digest()
    graph.chmod(0o644)
    graph.write_bytes(data)
    assert git(history.path, "rev-list", "--count", "HEAD") == "1"
    assert read(history.path) == expected


def test_a_clone_that_borrows_objects_is_read(history, tmp_path):
    """``git clone --shared``: what is borrowed is held to its id like all else."""
    shared = tmp_path / "shared"
    git(tmp_path, "clone", "--quiet", "--shared", history.path, shared)
    assert (shared / ".git" / "objects" / "info" / "alternates").exists()
    assert read(shared) == read(history.path)


def test_a_work_tree_elsewhere_changes_nothing(history, tmp_path):
    expected = read(history.path)
    git(history.path, "config", "core.bare", "false")
    git(history.path, "config", "core.worktree", tmp_path)
    assert read(history.path) == expected
    git(history.path, "config", "core.worktree", "/no/such/place")
    with pytest.raises(SourceError, match="git cannot read it: fatal: Invalid path '/no'"):
        read(history.path)


def test_paths_are_told_from_the_top_wherever_in_a_clone_it_is_asked(history, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", history.path, clone)
    assert read(clone / "results" / "timing") == read(history.path)


def test_a_root_that_is_a_pattern_is_taken_by_its_letters(tmp_path, home):
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {f"b*[1]/{timing_path()}": timings(n19_ReLU=1.0)})
    made.commit("2025-01-02", {"bx1/results/timing/README.md": "another"})
    ingest_git(home, made)
    assert query(home, "select count(*) from revisions") == [(1,)]


# What a repository holds under the id of something else.


@pytest.mark.parametrize(("mark", "what"), [(2, ""), (3, "^{tree}"), (3, ":results/timing")])
def test_a_commit_or_tree_that_is_not_what_its_id_says_ends_the_reading(history, tmp_path, mark, what):
    repository = unpacked(history.path, tmp_path / "unpacked")
    asked, given = (git(repository, "rev-parse", f"{history.id(one)}{what}") for one in (mark, 1))
    under_the_id_of(repository, given, asked)
    with pytest.raises(SourceError, match=f"git object {asked} is not what its id says"):
        read(repository)


def test_a_file_that_is_not_what_its_id_says_is_refused_alone(history, tmp_path, home):
    repository = unpacked(history.path, tmp_path / "unpacked")
    asked, given = (git(repository, "rev-parse", f"{history.id(mark)}:{timing_path()}") for mark in (2, 1))
    under_the_id_of(repository, given, asked)
    size = len(timings(n19_ReLU=1.0))
    with closing(opened(repository)) as one:
        assert list(one.read([asked])) == [RefusedBlob(asked, f"git gave {size} bytes of blob {given[:12]}")]
    ingest_git(home, GitHistory(repository))
    assert query(home, "select mean_ns from runs order by observed_at") == [(1_000_000.0,), (800_000.0,)]
    assert query(home, "select reason from quarantine") == [("not_fetched",)]


def test_a_repository_that_lacks_an_object_is_told_in_one_line(history, tmp_path):
    repository = unpacked(history.path, tmp_path / "unpacked")
    blob = git(repository, "rev-parse", f"HEAD:{timing_path()}")
    loose(repository, blob).unlink()
    with pytest.raises(SourceError, match=f"git object {blob} cannot be read: the repository is incomplete"):
        read(repository)


def test_objects_named_by_sha256_are_not_read(tmp_path):
    git(tmp_path, "init", "--quiet", "--bare", "--object-format=sha256", "other")
    with pytest.raises(SourceError, match="its objects are named by sha256"):
        opened(tmp_path / "other")


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((b"results/timing/H100/baseline_time_torch.json",), "git tree {} holds what is no name"),
        ((b"..",), "git tree {} holds what is no name"),
        ((b"",), "empty filename in tree entry"),
        ((b"requirements.txt", b"requirements.txt"), "git tree {} holds one name twice"),
    ],
)
def test_a_tree_that_git_would_not_make_ends_the_reading(history, names, words):
    """Two files would have one path, or one a path of another."""
    blob = bytes.fromhex(git(history.path, "rev-parse", f"HEAD:{timing_path()}"))
    results = bytes.fromhex(git(history.path, "rev-parse", "HEAD:results"))
    lines = [b"100644 %s\0%s" % (name, blob) for name in names] + [b"40000 results\0%s" % results]
    tree = put(history.path, "tree", b"".join(lines))
    head = raw_commit(history.path, tree, b"committer C <c@x> 1735862400 +0000", history.id(3))
    git(history.path, "update-ref", "refs/heads/main", head)
    with pytest.raises(SourceError, match=words.format(tree)):
        read(history.path)


def test_a_folder_whose_mode_is_written_with_a_zero_is_a_folder(history):
    results = bytes.fromhex(git(history.path, "rev-parse", "HEAD:results"))
    tree = put(history.path, "tree", b"040000 results\0%s" % results)
    head = raw_commit(history.path, tree, b"committer C <c@x> 1735862400 +0000", history.id(3))
    expected = read(history.path)
    git(history.path, "update-ref", "refs/heads/main", head)
    assert read(history.path) == expected  # the head shows what its parent does


def bomb(repository: Path, levels: int, width: int) -> None:
    """Let ``results/timing`` be folders in folders: each of them holds the next so many times."""
    blob = bytes.fromhex(put(repository, "blob", b"{}"))
    tree = put(repository, "tree", b"100644 baseline_time_torch.json\0" + blob)
    for _ in range(levels):
        inner = bytes.fromhex(tree)
        tree = put(repository, "tree", b"".join(b"40000 %03d\0" % n + inner for n in range(width)))
    for name in (b"timing", b"results"):
        tree = put(repository, "tree", b"40000 %s\0" % name + bytes.fromhex(tree))
    head = raw_commit(repository, tree, b"committer C <c@x> 1735862400 +0000")
    git(repository, "update-ref", "refs/heads/main", head)


def test_a_few_trees_that_stand_for_millions_of_files_end_the_reading(history, monkeypatch):
    bomb(history.path, levels=5, width=20)
    monkeypatch.setattr(source, "_MOST_FILES", 10_000)
    with pytest.raises(SourceError, match="shows more than 10000 files"):
        read(history.path)


def test_folders_within_folders_without_end_end_the_reading(history):
    bomb(history.path, levels=1500, width=1)
    with pytest.raises(SourceError, match="nested deeper than 100 levels at results/timing/000/000"):
        read(history.path)


def test_a_listing_of_more_than_can_be_held_ends_the_reading(history, monkeypatch):
    bomb(history.path, levels=3, width=20)
    monkeypatch.setattr("flows.sources.git.process._LARGEST_ANSWER", 100_000)
    with closing(opened(history.path)) as one, pytest.raises(SourceError, match="git ls-tree says more than 0 MiB"):
        next(one.listings())


# Files that are too large.


def test_a_file_that_is_too_large_is_refused_alone_and_not_read(history, home, monkeypatch):
    most = 300
    monkeypatch.setattr(objects, "LARGEST_BLOB", most)
    large = timings(n19_ReLU=0.5) + " " * most
    history.commit("2025-01-04", {timing_path("A"): large, timing_path("B"): timings(n19_ReLU=0.7)})
    ids = [git_blob_id(text.encode()) for text in (timings(n19_ReLU=1.0), large, timings(n19_ReLU=0.7))]
    with closing(opened(history.path)) as one:
        given = list(one.read(ids))
        assert [blob.id for blob in given] == ids
        assert given[1] == RefusedBlob(ids[1], f"git has {len(large)} bytes, more than 0 MiB")
        assert list(one.read(ids[2:])) == given[2:]
    ingest_git(home, history)
    assert query(home, "select reason, host from quarantine") == [("not_fetched", "A")]
    assert query(home, "select count(*) from runs") == [(4,)]


def test_what_was_not_read_to_the_end_is_no_answer_to_the_next_question(history):
    ids = [git_blob_id(timings(n19_ReLU=mean).encode()) for mean in (1.0, 0.9, 0.8)]
    with closing(opened(history.path)) as one:
        given = one.read(ids)
        next(given)
        given.close()  # type: ignore[attr-defined]
        assert [blob.id for blob in one.read(ids[::-1])] == ids[::-1]


# Dates.

UNDATED = {
    "negative": b"committer C <c@x> -86400 +0000",
    "words": b"committer C <c@x> yesterday +0000",
    "none": b"committer C <c@x>",
    "no committer": b"written-by C <c@x> 1735862400 +0000",
    "two committers": b"committer C <c@x> 1735862400 +0000\ncommitter C <c@x> 1735862401 +0000",
    "the year 10000": b"committer C <c@x> 253402300800 +0000",
    "more digits than a number has": b"committer C <c@x> %s +0000" % (b"9" * 5000),
    "2^64": b"committer C <c@x> 18446744073709551616 +0000",
    "no zone": b"committer C <c@x> 1735862400",
}


@pytest.mark.parametrize("how", UNDATED)
def test_a_revision_without_a_date_is_refused_in_one_line_that_names_it(history, home, how):
    tree = git(history.path, "rev-parse", "HEAD^{tree}")
    undated = raw_commit(history.path, tree, UNDATED[how], history.id(2))
    git(history.path, "update-ref", "refs/heads/main", undated)
    with closing(opened(history.path)) as one, pytest.raises(SourceError) as raised:
        everything(one)
    assert str(raised.value).startswith(f"{LAB}: commit {undated[:12]} has no committer's date between 1970 and 9999")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("committer", "at"),
    [
        (b"committer C <c@x> 0 +0000", datetime(1970, 1, 1, tzinfo=UTC)),
        (b"committer C <c@x> 253402300799 +9999", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (b"committer <<>> 5 +0000 > 0000000060 -0000 ", datetime(1970, 1, 1, 0, 1, tzinfo=UTC)),
        (b"committer \xff <> 1735862400 -0130", datetime(2025, 1, 3, tzinfo=UTC)),
    ],
)
def test_every_moment_from_1970_to_9999_is_kept_as_it_was_committed(history, committer, at):
    tree = git(history.path, "rev-parse", "HEAD^{tree}")
    git(history.path, "update-ref", "refs/heads/main", raw_commit(history.path, tree, committer, history.id(2)))
    assert dates(history.path)[-1] == at


def test_dates_of_the_first_day_and_of_the_last_go_through_a_whole_ingest(home, tmp_path):
    made = GitHistory(tmp_path / "repository")
    made.commit("1970-01-02", {timing_path(): timings(n19_ReLU=1.0), module_path("19_ReLU.py"): module("ReLU")})
    made.commit("9999-12-31T23:59:59", {timing_path(): timings(n19_ReLU=0.9)})
    made.commit("1971-01-01", {timing_path(): timings(n19_ReLU=0.8)})
    ingest_git(home, made)
    rows = "select observed_at, mean_ns from runs order by mean_ns desc"
    runs = [
        (datetime(1970, 1, 2), 1_000_000.0),
        (datetime(9999, 12, 31, 23, 59, 59), 900_000.0),
        (datetime(1971, 1, 1), 800_000.0),
    ]
    assert query(home, rows) == runs
    assert failed_checks(home) == {}
    before = stored_tables(home)
    ingest_git(home, made)
    assert stored_tables(home) == before
    for moment, holder in {"1970-01-01": [], "1970-06-01": [(1_000_000.0,)], "2026-01-01": [(800_000.0,)]}.items():
        assert query(home, f"select mean_ns from records_as_of('{moment}')") == holder
    rebuild(home, Directly())
    assert stored_tables(home) == before
