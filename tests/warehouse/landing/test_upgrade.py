"""A landing of before there were digests gets them once, whatever interrupts it, and is read as it is until then."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from tests.histories import LAB, GitHistory, stored_tables, timing_path, timings, whole_tree
from tests.kills import Kbw
from warehouse.home import Home, WarehouseError
from warehouse.landing import Landing
from warehouse.landing.audit import audit
from warehouse.landing.seals import is_sealed, seal
from warehouse.landing.store import MARKER
from warehouse.landing.upgrade import bring_up_to_date

SEAL = 78


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = GitHistory(tmp_path / "repository")
    for day in range(1, 6):
        made.commit(f"2025-01-0{day}", {timing_path(f"H100_{day}"): timings(n19_ReLU=float(day))})
    return made


@pytest.fixture
def ingest(kbw, history):
    return lambda *options: kbw("ingest", f"git:{history.path}", "--name", LAB, *options)


@pytest.fixture
def old(home, ingest) -> Home:
    """A home as the release before wrote it: the same files without a digest, lineages without dates, no marker."""
    assert ingest().returncode == 0
    make_old(home)
    return home


def make_old(home: Home) -> None:
    for path in home.landing.rglob("*.json*"):
        data = path.read_bytes()
        lines = data.splitlines(keepends=True)
        path.write_bytes(b"".join(lines[1::2]) if path.suffix == ".jsonl" else data[SEAL:])
    for path in home.landing.glob("lineages/*"):
        lineage = json.loads(path.read_bytes())
        del lineage["dated"]
        path.write_text(json.dumps(lineage))
    (home.landing / MARKER).unlink()


def is_whole(home: Home) -> bool:
    found = audit(home.landing)
    return found.has_digests and found.findings == []


def test_commands_that_read_take_it_as_it_is_and_write_nothing(old, kbw, ingest):
    before = whole_tree(old.root)
    done = kbw("check", "--landing")
    assert (done.returncode, "before there were digests" in done.stderr) == (0, True)
    assert ingest("--dry-run").returncode == 0
    assert whole_tree(old.root) == before
    assert kbw("rebuild").returncode == 0


def test_the_next_ingest_adds_digests_and_dates_and_asks_for_nothing_anew(old, ingest, caplog):
    tables = stored_tables(old)
    done = ingest("--json")
    assert json.loads(done.stdout)["changed"] is False
    assert is_whole(old)
    assert "have one now" in caplog.text
    assert all(is_sealed(path.read_bytes()) for path in old.landing.rglob("*.json*"))
    lineage = Landing(old.landing).lineage(LAB)
    assert list(lineage.dated) == lineage.commits
    assert stored_tables(old) == tables
    caplog.clear()
    before = whole_tree(old.landing)
    assert ingest().returncode == 0
    assert whole_tree(old.landing) == before
    assert caplog.text == ""


def test_a_tree_that_was_lost_before_there_were_dates_is_listed_again(old, ingest):
    (lost,) = old.landing.glob(f"trees/*/{Landing(old.landing).lineage(LAB).revisions[2]}.json")
    lost.unlink()
    assert ingest().returncode == 0
    assert is_whole(old)
    lineage = Landing(old.landing).lineage(LAB)
    assert ingest().returncode == 0
    assert [Landing(old.landing).tree(LAB, one).committed_at.day for one in lineage.revisions] == [1, 2, 3, 4, 5]


def test_what_cannot_be_read_when_digests_come_is_damaged_and_comes_back(old, ingest):
    for pattern in ("trees/*/*", "ingests/*", "fetches/*"):
        path = next(old.landing.glob(pattern))
        path.write_bytes(path.read_bytes()[:-9])
    assert ingest().returncode == 0
    found = audit(old.landing)
    assert {one.file.partition("/")[0] for one in found.findings} <= {"ingests", "fetches"}
    assert found.findings


def test_a_source_that_hid_behind_a_point_is_seen_again(home, kbw, history):
    assert kbw("ingest", f"git:{history.path}", "--name", ".lab/x").returncode == 0
    make_old(home)
    for path in [*home.landing.glob("lineages/*"), *home.landing.glob("trees/*")]:
        path.rename(path.with_name(path.name.replace("%2Elab", ".lab")))
    assert kbw("ingest", f"git:{history.path}", "--name", ".lab/x").returncode == 0
    assert [one.source for one in Landing(home.landing).lineages()] == [".lab/x"]
    assert is_whole(home)


def test_a_landing_of_a_later_version_is_left_alone(home, ingest):
    assert ingest().returncode == 0
    (home.landing / MARKER).write_bytes(seal("format", MARKER, b'{"format":3}'))
    with pytest.raises(WarehouseError, match="later kbw"):
        bring_up_to_date(home.landing)


def test_a_marker_that_is_damaged_or_lost_changes_nothing(home, ingest):
    assert ingest().returncode == 0
    for damage in (lambda marker: marker.write_bytes(b"{"), Path.unlink):
        damage(home.landing / MARKER)
        before = {name: data for name, (data, _) in whole_tree(home.landing).items() if name != MARKER}
        assert ingest().returncode == 0
        assert {name: data for name, (data, _) in whole_tree(home.landing).items() if name != MARKER} == before
        assert is_whole(home)


def test_killed_in_the_middle_the_next_ingest_goes_on(home, tmp_path):
    history = GitHistory(tmp_path / "long")
    for day in range(200):
        history.commit(f"20{day // 28 + 10}-01-{day % 28 + 1:02d}", {timing_path(): timings(n19_ReLU=1.0 + day / 1000)})
    command = ("ingest", f"git:{history.path}", "--name", LAB, "--home", home.root, "--json")
    kbw = Kbw()
    kbw.begin(*command)
    assert kbw.end() == 0
    tables = stored_tables(home)
    seen = set()
    for _ in range(3):
        make_old_where_sealed(home)
        kbw.begin(*command)
        while sealed(home) < 20 and not kbw.is_over():
            time.sleep(0.001)
        killed = kbw.kill() == -signal.SIGKILL
        seen.add((killed, 0 < sealed(home) < 200, (home.landing / MARKER).exists()))
        kbw.begin("rebuild", "--home", home.root)
        assert kbw.end() == 0, "until then it is read as it is"
        kbw.begin(*command)
        assert kbw.end() == 0
        assert is_whole(home)
        assert stored_tables(home) == tables
    kbw.close()
    assert (True, True, False) in seen, "no kill hit it in the middle"


def make_old_where_sealed(home: Home) -> None:
    for path in home.landing.rglob("*.json"):
        if is_sealed(data := path.read_bytes()):
            path.write_bytes(data[SEAL:])
    (home.landing / MARKER).unlink()


def sealed(home: Home) -> int:
    return sum(is_sealed(path.read_bytes()) for path in home.landing.glob("trees/*/[!.]*.json"))
