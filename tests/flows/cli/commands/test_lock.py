"""``kbw lock`` and ``kbw export --as kernelbench``: baselines in KernelBench's own shape, to be used years later."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.flows.cli.commands.test_score import NAMES, fast, results, timing
from tests.histories import COMPILED, GitHistory, figures, ingest_git, module, module_path, timing_json, timing_path
from warehouse.home import Home

MODULES = {module_path(name): module(name, body=f"torch.relu(x) + {n}") for n, name in NAMES.items()}
SET = ("--against", "lab:H100_a", "--problems", "lab/KernelBench")


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = GitHistory(tmp_path / "repository")
    made.commit(
        "2025-06-01",
        {timing_path("H100_a"): timing({1: 8.0, 2: 3.0}), timing_path("H100_a", COMPILED): timing({1: 4.0}), **MODULES},
    )
    return made


@pytest.fixture
def home(tmp_path, history) -> Home:
    made = Home(tmp_path / "home")
    ingest_git(made, history)
    return made


@pytest.fixture
def locked(kbw, tmp_path, home) -> Any:
    path = tmp_path / "baselines.json"
    done = kbw("lock", path, *SET)
    assert done.returncode == 0, done.stderr
    assert "2 figures of lab/KernelBench:H100_a/torch" in done.stdout
    return path


def test_a_lock_is_a_timing_file_that_kernelbench_takes_with_one_member_beside_the_levels(locked):
    """As its script reads it: ``baseline_results["level1"][problem]["mean"]``."""
    document = json.loads(locked.read_text())
    assert set(document) == {"level1", "kbw_lock"}
    assert document["level1"] == json.loads(timing({1: 8.0, 2: 3.0}))["level1"]
    identity = document["kbw_lock"]["figures"]["level1/1_ReLU.py"]
    assert len(identity["run_id"]) == len(identity["code_digest"]) == 64
    assert document["kbw_lock"]["about"]["problems"] == "lab/KernelBench"


def test_a_lock_gives_the_same_score_after_newer_history_came_in(kbw, home, history, locked, tmp_path):
    path = results(tmp_path, {1: 2.0, 2: 6.0})
    against = ("score", path, "--level", "1", "--against", locked, "--json")
    before = json.loads(kbw(*against).stdout)[0]["score"]
    assert (fast(before), before["problems"], before["against"]["baseline"]) == (
        pytest.approx(1 / 3),
        3,
        "lab/KernelBench:H100_a/torch",
    )
    history.commit(
        "2026-01-01", {timing_path("H100_a"): timing({1: 1.0, 2: 1.0}), module_path("4_Exp.py"): module("Exp")}
    )
    ingest_git(home, history)
    assert json.loads(kbw(*against).stdout)[0]["score"] == before


def test_a_lock_of_an_earlier_day_has_the_figures_and_the_problems_of_then(kbw, home, history, tmp_path):
    history.commit("2026-01-01", {timing_path("H100_a"): timing({1: 1.0, 2: 1.0})})
    ingest_git(home, history)
    assert kbw("lock", tmp_path / "then.json", *SET, "--as-of", "2025-07-01").returncode == 0
    document = json.loads((tmp_path / "then.json").read_text())
    assert {name: entry["mean"] for name, entry in document["level1"].items()} == {"1_ReLU.py": 8.0, "2_Tanh.py": 3.0}


def test_what_became_of_a_lock_is_told_figure_by_figure(kbw, home, history, locked):
    assert kbw("lock", "--check", locked).returncode == 0
    history.commit(
        "2025-06-02", {timing_path("H100_a"): timing({2: 3.0}), module_path(NAMES[2]): module("Tanh", n=4096)}
    )
    ingest_git(home, history)
    done = kbw("lock", "--check", locked, "--json")
    assert done.returncode == 3
    found = {row["problem"]: (row["state"], row["reasons"]) for row in json.loads(done.stdout)}
    assert found["1_ReLU.py"][0] == found["2_Tanh.py"][0] == "stale"
    assert "withdrawn" in found["1_ReLU.py"][1]
    assert "problem_changed" in found["2_Tanh.py"][1]
    annotations = kbw("lock", "--check", locked, "--github").stdout.splitlines()
    assert [line.startswith(f"::error file={locked}::level1/") for line in annotations] == [True, True]
    assert "2 figures, 2 no longer hold" in kbw("lock", "--check", locked).stderr


def test_a_figure_that_the_warehouse_does_not_know_is_told(kbw, locked, tmp_path, monkeypatch):
    other = GitHistory(tmp_path / "other")
    other.commit("2025-06-01", {timing_path("X"): timing({1: 9.0}), **MODULES})
    ingest_git(Home(tmp_path / "elsewhere"), other)
    monkeypatch.setenv("KBW_HOME", str(tmp_path / "elsewhere"))
    done = kbw("lock", "--check", locked)
    assert (done.returncode, "not_in_the_warehouse" in done.stdout) == (3, True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("8.0", "9.0", 1), "is not as it was written"),
        (lambda text: text.replace('"format": 1', '"format": 7'), "is a lock of format 7"),
        (lambda _: "{}", "is no lock"),
        (lambda _: "[" * 100_000, "is no lock"),
        (lambda _: '{"level1": {}, "kbw_lock": 3}', "is no lock"),
    ],
)
def test_a_lock_that_was_changed_is_not_believed(kbw, locked, tmp_path, change, words):
    locked.write_text(change(locked.read_text()))
    for arguments in (
        ("lock", "--check", locked),
        ("score", results(tmp_path, {1: 2.0}), "--against", locked, "--level", "1"),
    ):
        done = kbw(*arguments)
        assert (done.returncode, words in done.stderr) == (1, True), done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((), 2),
        (("out.json",), 2),
        (("out.json", "--against", "lab:nosuch", "--problems", "lab/KernelBench"), 1),
        (("--check", "absent.json"), 1),
        (("out.json", *SET, "--level", "x"), 2),
    ],
)
def test_wrong_words_write_nothing(kbw, home, tmp_path, monkeypatch, arguments, status):
    monkeypatch.chdir(tmp_path)
    assert kbw("lock", *arguments).returncode == status
    assert not (tmp_path / "out.json").exists()


def test_an_export_in_kernelbenchs_shape_equals_its_file_figure_for_figure(kbw, home, history, tmp_path):
    """Also of a mode, of a day that is past, and with what was refused left out."""
    levels = {
        "level1": {NAMES[1]: figures(4.65, 0.0203, low=4.62, high=4.67), NAMES[2]: figures(0.0317, 0.0008)},
        "level2": {"10_b.py": figures(12.0), "9_a.py": figures(1e3), "8_c.py": None},
    }
    history.commit("2026-01-01", {timing_path("H100_a"): timing_json(levels)})
    ingest_git(home, history)
    asked = ("export", "--as", "kernelbench", "--source", "lab", "--host", "H100_a", "--to")
    done = kbw(*asked, tmp_path / "now.json")
    assert done.returncode == 0, done.stderr
    expected = {level: {name: entry for name, entry in each.items() if entry} for level, each in levels.items()}
    written = json.loads((tmp_path / "now.json").read_text())
    assert written == expected
    assert list(written["level2"]) == ["9_a.py", "10_b.py"]
    assert kbw(*asked, tmp_path / "then.json", "--as-of", "2025-07-01").returncode == 0
    assert json.loads((tmp_path / "then.json").read_text()) == json.loads(timing({1: 8.0, 2: 3.0}))
    assert kbw(*asked, tmp_path / "mode.json", "--mode", COMPILED, "--as-of", "2025-07-01").returncode == 0
    assert json.loads((tmp_path / "mode.json").read_text()) == json.loads(timing({1: 4.0}))


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("--as", "kernelbench"), 2),
        (("--as", "excel"), 2),
        (("--host", "H100_a"), 2),
        (("--as", "kernelbench", "--source", "lab", "--host", "nosuch"), 1),
    ],
)
def test_an_export_of_nothing_writes_nothing(kbw, home, tmp_path, arguments, status):
    assert kbw("export", "--to", tmp_path / "out", *arguments).returncode == status
    assert not (tmp_path / "out").exists()
