"""A backup holds all that cannot be made again; restoring gives it back whole, or leaves what was there."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Callable

import pytest

from tests.histories import GitHistory, all_tables, ingest_git, one_figure, query, timing_path, timings, whole_tree
from warehouse.home import Home
from warehouse.locking import only_ingest


@pytest.fixture
def history(tmp_path) -> GitHistory:
    return one_figure(tmp_path)


@pytest.fixture
def kept(kbw, home, history, tmp_path):
    """A backup of a home with one source and settings."""
    ingest_git(home, history)
    (home.root / "kbw.toml").write_text(
        f'# ours\n[[sources]]\nsource = "git:{history.path}"\nname = "lab/KernelBench"\n'
    )
    target = tmp_path / "kept.tar.gz"
    done = kbw("backup", target)
    assert done.returncode == 0, done.stderr
    return target


def rows(home: Home) -> dict:
    """All tables but the log of ingests and what depends on the clock."""
    return {name: found for name, found in all_tables(home).items() if name not in ("ingests", "meta")}


@pytest.mark.parametrize("name", ["kept.tar.gz", "kept.tar", ""])
def test_what_is_restored_has_the_same_tables_settings_and_checks(kbw, home, kept, tmp_path, name):
    folder = tmp_path / "backups"
    folder.mkdir()
    told = json.loads(kbw("backup", folder / name, "--json").stdout)
    (file,) = folder.iterdir()
    assert told["path"] == str(file)
    other = Home(tmp_path / "other")
    done = kbw("restore", file, "--home", other.root)
    assert done.returncode == 0, done.stderr
    assert "lab/KernelBench: 1 runs, 1 present" in done.stdout
    assert rows(other) == rows(home)
    assert (other.root / "kbw.toml").read_bytes() == (home.root / "kbw.toml").read_bytes()
    before, after = (json.loads(one.heartbeat.read_bytes())["sources"] for one in (home, other))
    assert after == before, "a restore is no look at a source"
    assert {path.name for path in other.root.iterdir()} == {path.name for path in home.root.iterdir()}
    assert "nothing new" in kbw("ingest", "--all", "--home", other.root).stdout


def test_a_backup_holds_digests_and_neither_the_database_nor_what_is_damaged_or_half_written(kbw, home, kept):
    (home.landing / "damaged").mkdir()
    (home.landing / "damaged" / "x").write_text("x")
    (home.landing / ".half.1").write_text("x")
    before = whole_tree(home.root)
    assert kbw("backup", kept).returncode == 0
    assert whole_tree(home.root) == before
    with tarfile.open(kept) as tar:
        names = tar.getnames()
    assert names[-1] == "SHA256SUMS"
    assert not [name for name in names if "duckdb" in name or "damaged" in name or "/." in name]
    assert {name.split("/")[0] for name in names} == {"landing", "kbw.toml", "heartbeat.json", "SHA256SUMS"}


def test_two_backups_of_one_state_are_the_same_bytes(kbw, home, kept, tmp_path):
    kbw("backup", tmp_path / "again.tar.gz")
    assert (tmp_path / "again.tar.gz").read_bytes() == kept.read_bytes()


def test_what_holds_something_is_not_restored_over_without_a_word(kbw, home, history, kept):
    history.commit("2025-06-01", {timing_path(): timings(n19_ReLU=5.0)})
    ingest_git(home, history)
    before = whole_tree(home.root)
    done = kbw("restore", kept)
    assert (done.returncode, "--replace" in done.stderr) == (1, True)
    assert whole_tree(home.root) == before
    done = kbw("restore", kept, "--replace")
    assert done.returncode == 0, done.stderr
    assert query(home, "select count(*) from runs") == [(1,)]
    (aside,) = home.root.glob("before-restore-*")
    assert str(aside) in done.stderr
    assert {path.name for path in aside.iterdir()} == {"landing", "heartbeat.json", "kbw.toml", "warehouse.duckdb"}
    shutil.move(home.landing, home.root / "away")
    shutil.copytree(aside / "landing", home.landing)
    assert kbw("rebuild").returncode == 0
    assert query(home, "select count(*) from runs") == [(2,)]


def test_a_backup_waits_for_no_ingest_and_says_so(kbw, home, kept):
    with only_ingest(home):
        for command in (("backup", kept), ("restore", kept, "--replace")):
            done = kbw(*command)
            assert (done.returncode, "another ingest is at work" in done.stderr) == (1, True)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    return data[:-2000] + bytes([data[-2000] ^ 1]) + data[-1999:]


def repacked(change: Callable[[tarfile.TarInfo, bytes], tuple[tarfile.TarInfo, bytes] | None], *more: tarfile.TarInfo):
    """An archive with some members otherwise."""

    def made(data: bytes) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=io.BytesIO(data)) as old, tarfile.open(fileobj=out, mode="w") as new:
            for extra in more:
                new.addfile(extra, io.BytesIO(b"x" * extra.size))
            for member in old:
                content = old.extractfile(member).read()
                if changed := change(member, content):
                    changed[0].size = len(changed[1])
                    new.addfile(changed[0], io.BytesIO(changed[1]))
        return out.getvalue()

    return made


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, 1 if kind == tarfile.REGTYPE else 0
    return made


def same(one: tarfile.TarInfo, data: bytes) -> tuple[tarfile.TarInfo, bytes]:
    return one, data


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "cut off": cut,
    "a bit that flipped": flipped,
    "empty": lambda data: b"",
    "something else": lambda data: b"PK\x03\x04 no tar",
    "a blob that is another": repacked(lambda one, data: (one, data + b" ") if "/blobs/" in one.name else (one, data)),
    "a file that is not there": repacked(lambda one, data: None if "/lineages/" in one.name else (one, data)),
    "no list of digests": repacked(lambda one, data: None if one.name == "SHA256SUMS" else (one, data)),
    "a file that is not listed": repacked(same, member("landing/more")),
    "a name that leads up": repacked(same, member("../outside")),
    "a name in landing that leads up": repacked(same, member("landing/../../outside")),
    "a name from the root of the disk": repacked(same, member("/tmp/outside")),
    "a link": repacked(same, member("landing/link", tarfile.SYMTYPE, "/etc")),
    "a hard link": repacked(same, member("landing/link", tarfile.LNKTYPE, "/etc/passwd")),
    "a device": repacked(same, member("landing/device", tarfile.CHRTYPE)),
    "a database": repacked(same, member("warehouse.duckdb")),
    "a name twice": repacked(same, member("heartbeat.json")),
}


@pytest.mark.parametrize("make", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("replace", [False, True])
def test_what_is_no_whole_backup_is_refused_in_one_line_and_changes_nothing(kbw, home, kept, tmp_path, make, replace):
    bad = tmp_path / "bad.tar.gz"
    bad.write_bytes(make(kept.read_bytes()))
    target = home if replace else Home(tmp_path / "new" / "home")
    before = whole_tree(target.root) if replace else {}
    done = kbw("restore", bad, "--home", target.root, *(["--replace"] if replace else []))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "defect" not in done.stderr
    assert whole_tree(target.root) == before or set(whole_tree(target.root)) <= {"ingest.lock"}
    assert not list(tmp_path.rglob("outside"))


def test_what_cannot_be_kept_or_found_is_told_in_one_line(kbw, home, kept, tmp_path):
    for arguments, status, words in (
        (("backup", tmp_path / "x.zip"), 2, "ends in .tar.gz"),
        (("backup", home.landing / "x.tar"), 2, "landing itself"),
        (("backup", tmp_path / "x.tar", "--home", tmp_path / "empty"), 1, "nothing has landed"),
        (("restore", tmp_path / "none.tar"), 1, "no such file"),
    ):
        done = kbw(*arguments)
        assert (done.returncode, words in done.stderr, len(done.stderr.splitlines())) == (status, True, 1), done.stderr
    assert not (tmp_path / "empty").exists()


_KILLED = """
import os, sys
from pathlib import Path
step, begins_at = int(sys.argv[1]), sys.argv[2]
begun = False
EVENTS = ("os.rename", "os.link", "shutil.copyfile", "os.remove", "os.rmdir", "shutil.rmtree", "os.truncate")
def bear(event, arguments):
    global step, begun
    begun = begun or begins_at in str(arguments[:1])
    if begun and event in EVENTS:
        step -= 1
        if step < 0:
            os.kill(os.getpid(), 9)
from flows.cli.app import run
import flows.restoring, flows.sequence, transforms.batch, transforms.contracts.validate, warehouse.publish
print("ready", flush=True)
sys.addaudithook(bear)
sys.exit(run(sys.argv[3:]))
"""


_BEFORE_IT_COUNTS, _BETWEEN_THE_LANDINGS, _BEFORE_THE_DATABASE, _LAST = 0, 2, 8, 14


@pytest.mark.parametrize(
    "step",
    [
        *(_BEFORE_IT_COUNTS, _BETWEEN_THE_LANDINGS, _BEFORE_THE_DATABASE),
        *(pytest.param(step, marks=pytest.mark.slow) for step in (1, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, _LAST)),
    ],
)
def test_a_restore_that_is_killed_leaves_the_old_or_the_new(kbw, home, history, kept, step):
    """Killed at a renaming or removal, whichever comes at that number from when it begins to count."""
    from tests.kills import end, start

    history.commit("2025-06-01", {timing_path(): timings(n19_ReLU=5.0)})
    ingest_git(home, history)
    (home.root / "kbw.toml").write_text("# newer\nstale_after_days = 10\n")
    assert end(start(_KILLED, step, "/.ready", "restore", kept, "--replace", "--home", home.root)) == -9
    assert query(home, "select count(*) from runs") in ([(1,)], [(2,)]), "a reader has one or the other"
    assert kbw("rebuild").returncode == 0, "whoever comes next brings it to an end"
    (runs,) = query(home, "select count(*) from runs")[0]
    assert (runs == 1) == (step > _BEFORE_IT_COUNTS)
    assert ("# ours" in (home.root / "kbw.toml").read_text()) == (runs == 1)
    assert not (home.root / ".restoring").exists()
    asides = list(home.root.glob("before-restore-*"))
    assert len(asides) == (1 if runs == 1 else 0)
    for aside in asides:
        assert "# newer" in (aside / "kbw.toml").read_text()
        assert len(list((aside / "landing" / "lineages").glob("*.json"))) == 1


def test_a_backup_that_is_killed_leaves_the_old_one_and_the_next_removes_what_is_half(home, kbw, kept):
    from tests.kills import end, start

    before = kept.read_bytes()
    assert end(start(_KILLED, 0, ".kbw-backup", "backup", kept, "--home", home.root)) == -9
    assert kept.read_bytes() == before
    assert list(kept.parent.glob(".*.kbw-backup"))
    assert kbw("backup", kept).returncode == 0
    assert not list(kept.parent.glob(".*.kbw-backup"))
