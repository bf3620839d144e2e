"""Landing is believed where its digests fit, and what is lost or damaged comes back from its source (section 3)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import run_kbw
from tests.histories import (
    LAB,
    GitHistory,
    ingest_git,
    module,
    module_path,
    stored_tables,
    timing_path,
    timings,
    whole_tree,
)
from warehouse.home import Home
from warehouse.landing import Landing

OTHER = "other/KernelBench"


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """Three revisions, and a head that is none."""
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), module_path("19_ReLU.py"): module("ReLU")})
    made.commit("2025-01-02", {timing_path(): timings(n19_ReLU=1.25), timing_path("A100_lab"): timings(n19_ReLU=3.0)})
    made.commit("2025-01-03", {timing_path(): timings(n19_ReLU=1.0)})
    made.commit("2025-01-04", {"requirements.txt": "torch==2.9.0\n"})
    return made


@pytest.fixture
def again(kbw, history):
    """Ingest it, as a person does."""
    return lambda *options: kbw("ingest", f"git:{history.path}", "--name", LAB, *options)


@pytest.fixture
def filled(home, again) -> Home:
    """A home into which it was ingested."""
    assert again().returncode == 0
    return home


def files_of(home: Home, pattern: str) -> list[Path]:
    return sorted(path for path in home.landing.glob(pattern) if path.is_file())


def contents(home: Home) -> dict[str, bytes | None]:
    """What is kept of the lineages themselves."""
    found = whole_tree(home.landing)
    return {
        name: data for name, (data, _) in found.items() if name.startswith(("blobs", "stated", "trees", "lineages"))
    }


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def make_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


DAMAGES = [truncate, flip, make_a_folder, link_to_nothing, Path.unlink]


@pytest.mark.parametrize("pattern", ["blobs/*/*", "trees/*/*", "lineages/*"])
def test_whatever_is_lost_the_next_ingest_of_an_unchanged_head_brings_back(pattern, filled, again, kbw):
    before, tables = contents(filled), stored_tables(filled)
    for path in files_of(filled, pattern):
        path.unlink()
    assert again().returncode == 0
    assert contents(filled) == before
    assert stored_tables(filled) == tables
    assert kbw("rebuild").returncode == 0
    assert stored_tables(filled) == tables


def test_an_ingest_that_brings_back_what_was_lost_publishes_nothing(filled, again):
    """The tables do not hang on it: what was lost is what they were made of."""
    published = filled.database.stat()
    files_of(filled, "blobs/*/*")[0].unlink()
    said = again("--json")
    assert json.loads(said.stdout)["changed"] is False
    assert filled.database.stat().st_mtime_ns == published.st_mtime_ns


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("pattern", ["blobs/*/*", "trees/*/*"])
def test_what_is_damaged_stops_a_rebuild_and_comes_back_with_the_next_ingest(pattern, damage, filled, again, kbw):
    before, tables = contents(filled), stored_tables(filled)
    damage(files_of(filled, pattern)[0])
    rebuilt = kbw("rebuild")
    assert rebuilt.returncode != 0
    assert "ingest" in rebuilt.stderr
    assert again().returncode == 0
    assert kbw("rebuild").returncode == 0
    assert stored_tables(filled) == tables
    assert contents(filled) == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_lineage_is_set_aside_and_made_anew(damage, filled, again, kbw):
    before, tables = contents(filled), stored_tables(filled)
    (file,) = files_of(filled, "lineages/*")
    damage(file)
    assert again().returncode == 0
    assert contents(filled) == before
    assert stored_tables(filled) == tables


def test_a_damaged_lineage_stops_no_other(filled, history, kbw, tmp_path):
    ingest_git(filled, history, name=OTHER)
    flip(filled.landing / "lineages" / "lab%2FKernelBench.json")
    assert kbw("ingest", f"git:{history.path}", "--name", OTHER).returncode == 0
    assert [one.source for one in Landing(filled.landing).lineages()] == [OTHER]


def replaced(old: str, new: str):
    return lambda text: text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("pattern", "change"),
    [
        ("trees/*/*", replaced("H100_lab", "H200_lab")),
        ("trees/*/*", replaced('"committed_at":"2025', '"committed_at":"2024')),
        ("trees/*/*", replaced("19_ReLU.py", "20_ReLU.py")),
        ("lineages/*", replaced('"told"', '"tolb"')),
        ("lineages/*", replaced("github.com", "github.org")),
    ],
)
def test_a_letter_changed_by_accident_is_seen_and_not_published(pattern, change, filled, history, kbw):
    """Each of these was still good JSON of the right shape."""
    ingest_git(filled, history, name=OTHER)
    tables = stored_tables(filled)
    file = files_of(filled, pattern)[0]
    text = change(file.read_text())
    assert text != file.read_text()
    file.write_text(text)
    done = run_kbw("rebuild", KBW_HOME=str(filled.root))
    assert "damaged" in done.stderr
    for one in (LAB, OTHER):
        assert kbw("ingest", f"git:{history.path}", "--name", one).returncode == 0
    assert stored_tables(filled) == tables


def test_two_trees_that_changed_places_are_seen(filled, again, kbw):
    """With ids and digests of their own both are whole; only their names say that they are not where they belong."""
    tables = stored_tables(filled)
    one, other, *_ = files_of(filled, "trees/*/*")
    first = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(first)
    assert kbw("rebuild").returncode != 0
    assert again().returncode == 0
    assert kbw("rebuild").returncode == 0
    assert stored_tables(filled) == tables


def test_a_tree_of_another_source_is_not_taken_for_ones_own(filled, history, kbw):
    ingest_git(filled, history, name=OTHER)
    mine, theirs = (filled.landing / "trees" / f"{name}%2FKernelBench" for name in ("lab", "other"))
    file = files_of(filled, "trees/lab*/*")[0]
    shutil.copy(mine / file.name, theirs / file.name)
    assert kbw("rebuild").returncode != 0


def test_a_damaged_record_of_an_ingest_is_set_aside_and_stops_no_publishing(filled, history, kbw):
    (record,) = files_of(filled, "ingests/*")
    record.write_bytes(record.read_bytes()[:100])
    history.commit("2025-01-05", {timing_path(): timings(n19_ReLU=0.5)})
    done = run_kbw("ingest", f"git:{history.path}", "--name", LAB, KBW_HOME=str(filled.root))
    assert done.returncode == 0, done.stderr
    assert record.name in done.stderr
    assert len(files_of(filled, "ingests/*")) == 1
    assert [path.name for path in files_of(filled, "damaged/ingests/*")] == [record.name]


def test_a_rehearsal_moves_nothing_of_what_lies_beneath_it(filled, again):
    for path in [*files_of(filled, "blobs/*/*")[:1], *files_of(filled, "trees/*/*")[:1]]:
        flip(path)
    before = whole_tree(filled.root)
    again("--dry-run")
    assert whole_tree(filled.root) == before


def rewrite(history: GitHistory) -> None:
    """From the second commit on the branch is another one, and the repository forgets what it was."""
    history.branch("main", 1)
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=2.0)})


def forget(history: GitHistory) -> None:
    git = ["git", "-C", str(history.path)]
    subprocess.run([*git, "reflog", "expire", "--expire=now", "--all"], check=True)
    subprocess.run([*git, "gc", "--quiet", "--prune=now"], check=True)


def test_what_was_rewritten_away_comes_back_from_a_repository_that_has_it_still(filled, history, again):
    rewrite(history)
    assert again().returncode == 0
    before = contents(filled)
    for path in files_of(filled, "trees/*/*") + files_of(filled, "blobs/*/*"):
        path.unlink()
    assert again().returncode == 0
    assert contents(filled) == before


def test_a_blob_that_no_source_has_any_more_is_named_and_its_file_refused(filled, history, again, kbw, caplog):
    rewrite(history)
    assert again().returncode == 0
    forget(history)
    present = stored_tables(filled)["presence"]
    for path in files_of(filled, "blobs/*/*"):
        path.unlink()
    done = again()
    assert done.returncode == 3
    assert f"{timing_path('A100_lab')} of" in caplog.text, "what cannot be repaired is said by name"
    assert stored_tables(filled)["presence"] == present, "what was published stays"
    assert kbw("rebuild").returncode == 0, "and the lineage goes on without it"


def test_a_tree_that_no_source_has_any_more_is_named_and_the_lineage_goes_on_without_it(
    filled, history, again, kbw, caplog
):
    rewrite(history)
    assert again().returncode == 0
    forget(history)
    gone = history.id(2)
    (filled.landing / "trees" / "lab%2FKernelBench" / f"{gone}.json").unlink()
    assert again().returncode == 0
    assert gone in caplog.text
    assert gone not in Landing(filled.landing).lineage(LAB).commits
    assert kbw("rebuild").returncode == 0
    assert kbw("check", "--landing").returncode == 0


def test_the_state_of_a_folder_comes_back_and_one_that_it_had_before_does_not(home, kbw, tmp_path, caplog):
    folder = tmp_path / "mine"
    file = folder / timing_path()
    file.parent.mkdir(parents=True)
    for mean in (1.5, 1.25, 1.0):
        file.write_text(timings(n19_ReLU=mean))
        assert kbw("ingest", f"dir:{folder}", "--name", LAB).returncode == 0
    trees = home.landing / "trees" / "lab%2FKernelBench"
    first, middle, last = Landing(home.landing).lineage(LAB).revisions
    tree = (trees / f"{last}.json").read_bytes()
    (trees / f"{last}.json").unlink()
    assert kbw("ingest", f"dir:{folder}", "--name", LAB).returncode == 0
    assert (trees / f"{last}.json").read_bytes() == tree
    (trees / f"{middle}.json").unlink()
    assert kbw("ingest", f"dir:{folder}", "--name", LAB).returncode == 0
    assert middle in caplog.text
    assert Landing(home.landing).lineage(LAB).revisions == [first, last]
    assert kbw("check", "--landing").returncode == 0


def test_what_the_sample_states_is_compared_and_stated_again(own_sample_home, kbw, monkeypatch):
    home = own_sample_home
    monkeypatch.setenv("KBW_HOME", str(home.root))
    before, tables = contents(home), stored_tables(home)
    lost, changed, *_ = files_of(home, "stated/*/*")
    lost.unlink()
    flip(changed)
    assert kbw("rebuild").returncode != 0
    for _ in range(2):
        assert kbw("ingest", "sample:ScalingIntelligence/KernelBench").returncode == 0
        kbw("rebuild")
    assert contents(home) == before
    assert stored_tables(home) == tables


@pytest.mark.parametrize("name", [".lab/x", ".hidden", "..lab", "lab/.x", "日本/x", "lab/x//KBench Eval", "%2E./x"])
def test_a_source_of_any_name_is_found_again_by_a_rebuild(name, home, history, kbw):
    assert kbw("ingest", f"git:{history.path}", "--name", name).returncode == 0
    assert [one.source for one in Landing(home.landing).lineages()] == [name]
    tables = stored_tables(home)
    assert kbw("rebuild").returncode == 0
    assert stored_tables(home) == tables
    assert kbw("check", "--landing").returncode == 0


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "lab/..", "lab//", "/x", "lab/\x1b[2J", "lab/\u202ex", "x" * 300]
)
def test_a_name_that_no_source_can_have_is_wrong_usage_and_writes_nothing(name, home, history, kbw):
    home.root.mkdir()
    done = kbw("ingest", f"git:{history.path}", "--name", name)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert list(home.root.iterdir()) == []


def test_the_name_of_a_folder_and_of_the_settings_are_checked_too(home, kbw, tmp_path):
    folder = tmp_path / "turn\u202eed"
    (folder / timing_path()).parent.mkdir(parents=True)
    (folder / timing_path()).write_text(timings(n19_ReLU=1.0))
    assert kbw("ingest", f"dir:{folder}").returncode == 2
    assert kbw("ingest", f"dir:{folder}", "--name", "lab/x").returncode == 0
    (home.root / "kbw.toml").write_text(f'[[sources]]\nsource = "dir:{folder}"\nname = "../x"\n')
    done = kbw("ingest", "--all")
    assert done.returncode == 1
    assert "cannot name a source" in done.stderr
