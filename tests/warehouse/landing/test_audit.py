"""``kbw check --landing`` reads all of landing, writes nothing, and says what is wrong and what repairs it."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from tests.histories import LAB, GitHistory, module, module_path, timing_path, timings, whole_tree
from warehouse.home import Home
from warehouse.landing import Landing, Lineage, Refused, Tree
from warehouse.landing.audit import audit

OTHER = "other/KernelBench"
PARTS = ["blobs/*/*", "trees/*/*", "lineages/*", "ingests/*", "fetches/*"]


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), module_path("19_ReLU.py"): module("ReLU")})
    made.commit("2025-01-02", {timing_path(): timings(n19_ReLU=1.25), "src/eval.py": "import torch"})
    return made


@pytest.fixture
def ingest(kbw, history):
    return lambda name=LAB: kbw("ingest", f"git:{history.path}", "--name", name)


@pytest.fixture
def filled(home, ingest) -> Home:
    assert ingest().returncode == 0
    return home


@pytest.fixture
def found(kbw):
    """What a check of landing finds."""
    return lambda *options: json.loads(kbw("check", "--landing", "--json", *options).stdout)["findings"]


def first(home: Home, pattern: str) -> Path:
    return min(home.landing.glob(pattern))


def test_a_whole_landing_is_said_to_be_whole(filled, kbw):
    done = kbw("check", "--landing")
    assert (done.returncode, done.stdout) == (0, "")
    assert ", 0 lost, damaged or unknown" in done.stderr


def test_a_home_without_landing_has_nothing_wrong(kbw):
    assert kbw("check", "--landing").returncode == 0


@pytest.mark.parametrize("pattern", PARTS)
def test_one_changed_bit_anywhere_is_found_and_nothing_is_written(pattern, filled, kbw, found):
    path = first(filled, pattern)
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    before = whole_tree(filled.root)
    (finding,) = found()
    assert (finding["what"], finding["file"]) == ("damaged", path.relative_to(filled.landing).as_posix())
    done = kbw("check", "--landing")
    assert done.returncode == 3
    assert finding["file"] in done.stdout
    assert "--set-aside" in done.stdout
    assert whole_tree(filled.root) == before


@pytest.mark.parametrize("pattern", PARTS)
def test_what_it_says_repairs_it(pattern, filled, kbw, ingest):
    before = {name: data for name, (data, _) in whole_tree(filled.landing).items()}
    first(filled, pattern).write_bytes(b"{}")
    assert kbw("check", "--landing", "--set-aside").returncode == 3
    assert ingest().returncode == 0
    done = kbw("check", "--landing")
    assert done.returncode == 0, done.stdout
    assert "1 files were set aside before" in done.stderr
    after = {name: data for name, (data, _) in whole_tree(filled.landing).items()}
    kept = ("blobs", "trees", "lineages")
    assert {name: after[name] for name in after if name.startswith(kept)} == {
        name: before[name] for name in before if name.startswith(kept)
    }


def test_what_is_lost_is_told_with_the_path_and_the_sources_that_need_it(filled, ingest, found, history):
    ingest(OTHER)
    first(filled, "blobs/*/*").unlink()
    (filled.landing / "trees" / "lab%2FKernelBench" / f"{history.id(1)}.json").unlink()
    blob, tree = found()
    assert (blob["what"], blob["sources"]) == ("lost", [LAB, OTHER])
    assert blob["said"] in (timing_path(), module_path("19_ReLU.py"))
    assert blob["remedy"] == f"ingest {LAB} again"
    assert (tree["what"], tree["sources"]) == ("lost", [LAB])


def test_a_lost_lineage_is_known_by_its_trees(filled, found, kbw, ingest):
    first(filled, "lineages/*").unlink()
    (finding,) = found()
    assert (finding["what"], finding["sources"]) == ("lost", [LAB])
    assert ingest().returncode == 0
    assert found() == []


def test_what_landing_did_not_put_there_is_told(filled, found):
    for name in ("lineages/note.txt", "lineages/a b.json", "blobs/ab/short", "trees/lab%2FKernelBench/x.json"):
        path = filled.landing / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    assert [one["what"] for one in found()] == ["unknown"] * 4
    found("--set-aside")
    assert found() == []
    assert (filled.landing / "damaged" / "lineages" / "note.txt").read_text() == "mine"


def test_what_a_process_has_not_finished_is_not_looked_at(filled, found):
    (filled.landing / "lineages" / ".lab%2FKernelBench.json.4711").write_bytes(b"ha")
    assert found() == []


def test_a_blob_that_never_came_is_not_lost(tmp_path):
    landing, blob, revision = Landing(tmp_path), "a" * 40, "1" * 40
    landing.put_tree(LAB, Tree(revision, datetime(2025, 1, 1), {timing_path(): blob}))
    landing.put_lineage(Lineage(LAB, None, [revision], revision, {blob: Refused(revision, timing_path(), "404")}))
    assert audit(tmp_path).findings == []


def test_set_aside_goes_with_landing_alone(kbw, filled):
    assert kbw("check", "--set-aside").returncode == 2
