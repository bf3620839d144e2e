"""``kbw score`` as a person runs it: on made-up results, and on the sample's own machines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.histories import (
    A100,
    COMPILED,
    H100,
    GitHistory,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_json,
    timing_path,
)
from warehouse.home import Home

NAMES = {1: "1_ReLU.py", 2: "2_Tanh.py", 3: "3_Sigmoid.py"}
EXACT = {"std": 0.0, "low": None, "high": None}


def timing(means: Mapping[int, float], **more: Any) -> str:
    """A timing file of level 1 with these means by number."""
    return timing_json({"level1": {NAMES[number]: figures(mean, **more) for number, mean in means.items()}})


@pytest.fixture
def home(tmp_path) -> Home:
    """Two H100 hosts and an A100, of three problems; the second H100 is faster. Eager, and compiled on the first."""
    history = GitHistory(tmp_path / "repository")
    modules = {module_path(name): module(name, body=f"torch.relu(x) + {n}") for n, name in NAMES.items()}
    history.commit(
        "2025-06-01",
        {
            timing_path("H100_a"): timing({1: 8.0, 2: 3.0, 3: 5.0}),
            timing_path("H100_a", COMPILED): timing({1: 4.0, 2: 1.5, 3: 2.5}),
            timing_path("H100_b"): timing({1: 1.5, 2: 2.0}),
            timing_path("A100_c"): timing({1: 16.0, 2: 6.0, 3: 10.0}, hardware=A100),
            **modules,
        },
    )
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    return home


def results(
    folder: Path, runtimes: Mapping[int, float | None], hardware: str = H100, name: str = "results.json"
) -> Path:
    """A file of results: a runtime for each problem, null where the kernel is wrong."""
    written = {
        str(number): [
            {
                "sample_id": 0,
                "compiled": True,
                "correctness": runtime is not None,
                "metadata": {"hardware": hardware},
                "runtime": runtime or -1.0,
                "runtime_stats": {"mean": runtime, "std": 0.0, "min": runtime, "max": runtime, "num_trials": 100}
                if runtime
                else {},
            }
        ]
        for number, runtime in runtimes.items()
    }
    path = folder / name
    path.write_text(json.dumps(written))
    return path


OPTIONS = ("--level", "1", "--problems", "lab/KernelBench")


def scored(kbw, *arguments: object) -> list[dict[str, Any]]:
    done = kbw("score", *arguments, *OPTIONS, "--json")
    assert done.returncode in (0, 3), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def fast(made: dict[str, Any], threshold: float = 1.0) -> float:
    (share,) = (one for one in made["fast_p"] if one["threshold"] == threshold)
    value: float = share["of_all"]["value"]
    return value


def test_results_are_held_against_eager_on_their_own_gpu(kbw, tmp_path):
    """Speed-ups 8/2 = 4, 3/6 = 0.5 and 5/5 = 1, which is not more than 1."""
    (one,) = scored(kbw, results(tmp_path, {1: 2.0, 2: 6.0, 3: 5.0}))
    made = one["score"]
    assert made["against"]["baseline"] == "lab/KernelBench:H100_a/torch"
    assert {share["threshold"]: share["count"] for share in made["fast_p"]} == {
        0.0: 3,
        0.5: 2,
        0.8: 2,
        1.0: 1,
        1.5: 1,
        2.0: 1,
        4.0: 0,
    }
    assert made["speed_up"]["geometric"]["value"] == pytest.approx(2.0 ** (1 / 3), rel=1e-12)
    assert made["speed_up"]["arithmetic"]["value"] == pytest.approx(5.5 / 3, rel=1e-12)
    assert [line["state"] for line in made["lines"]] == ["scored"] * 3
    (run,) = query(Home(tmp_path / "home"), "select run_id from runs where host = 'H100_a' and mean_ns = 8000000")
    assert made["lines"][0]["baseline_run_id"] == run[0]


def test_a_conclusion_that_flips_with_the_baseline_is_told(kbw, tmp_path):
    """Faster than the first host's eager, slower than its compiled mode."""
    path = results(tmp_path, {1: 5.0, 2: 2.0, 3: 3.0})
    done = kbw("score", path, *OPTIONS, "--others")
    assert done.returncode == 0, done.stderr
    assert "fast_1 is 1.00, and 0.00 against 1 other baselines of this GPU" in done.stdout
    assert "Against 1 of other GPUs, not to be taken, it would be 1.00" in done.stdout
    compiled = scored(kbw, path, "--against", f"H100_a/{COMPILED}")[0]["score"]
    assert fast(compiled) == 0.0
    assert [word for word in done.stdout.split() if word.startswith("lab/KernelBench:")].count(
        f"lab/KernelBench:H100_a/{COMPILED}"
    ) == 1


def test_a_host_is_chosen_by_its_name_and_what_it_did_not_measure_has_no_baseline(kbw, tmp_path):
    (one,) = scored(kbw, results(tmp_path, {1: 1.0, 2: 4.0, 3: 1.0}), "--against", "lab:H100_b")
    assert one["score"]["against"]["baseline"] == "lab/KernelBench:H100_b/torch"
    assert [line["state"] for line in one["score"]["lines"]] == ["scored", "scored", "no_baseline"]
    assert fast(one["score"]) == pytest.approx(1 / 3)


def test_without_a_baseline_of_the_gpu_nothing_is_guessed_and_the_nearest_are_named(kbw, tmp_path):
    path = results(tmp_path, {1: 1.0}, hardware="NVIDIA L4")
    done = kbw("score", path, *OPTIONS)
    assert done.returncode == 3
    assert "no baseline: nobody measured these problems' code on this GPU" in done.stdout
    assert "lab/KernelBench:A100_c/torch, on NVIDIA A100-SXM4-80GB, 3 problems; --any-gpu" in done.stdout
    assert "generate_baseline_time.py" in done.stdout
    (one,) = scored(kbw, path, "--against", "A100_c", "--any-gpu")
    assert "another GPU: the results report NVIDIA L4" in one["score"]["warnings"][0]
    assert fast(one["score"]) == pytest.approx(1 / 3)


def test_code_that_was_changed_since_is_another_problem(kbw, tmp_path):
    """The first problem was given other sizes: of its code as it is now nobody has a figure, of that of June one."""
    history = GitHistory(tmp_path / "changed")
    history.commit("2025-06-01", {timing_path("H100_a"): timing({1: 8.0}), module_path(NAMES[1]): module("ReLU")})
    history.commit("2025-07-01", {module_path(NAMES[1]): module("ReLU", n=4096)})
    ingest_git(Home(tmp_path / "home"), history, name="fork/KernelBench")
    path = results(tmp_path, {1: 2.0})
    asked = ("score", path, "--level", "1", "--problems")
    done = kbw(*asked, "fork/KernelBench", "--against", "fork:H100_a")
    assert done.returncode == 3
    assert "fork/KernelBench:H100_a/torch, of other code" in done.stdout
    for way in (("fork/KernelBench", "--as-of", "2025-06-15"), (f"fork/KernelBench@{history.id(1)[:10]}",)):
        done = kbw(*asked, *way, "--against", "fork:H100_a", "--json")
        assert done.returncode == 0, done.stderr
        assert fast(json.loads(done.stdout)[0]["score"]) == 1.0


def test_several_files_stand_side_by_side_and_who_leads_is_counted_over_all_baselines(kbw, tmp_path):
    """Under the first host's eager 2 of 3 against 1 of 3; under its compiled mode 0 and 1; under the A100's 3 and 3."""
    one = results(tmp_path, {1: 5.0, 2: 2.0, 3: 6.0}, name="one.json")
    other = results(tmp_path, {1: 9.0, 2: 4.0, 3: 2.4}, name="other.json")
    done = kbw("score", one, other, *OPTIONS)
    assert done.returncode == 0, done.stderr
    assert f"{one} leads {other} under 1 baselines, trails under 1, 1 ties" in done.stdout


def test_a_subset_of_the_problems_counts_alone(kbw, tmp_path):
    (tmp_path / "subset.json").write_text("[1, 3]")
    (one,) = scored(kbw, results(tmp_path, {1: 2.0, 2: 6.0, 3: 6.0}), "--subset", tmp_path / "subset.json")
    assert (one["score"]["problems"], fast(one["score"])) == (2, 0.5)


def test_what_cannot_be_read_is_refused_by_name_and_the_rest_is_scored(kbw, tmp_path):
    path = results(tmp_path, {1: 2.0, 2: 6.0, 77: 1.0})
    document = json.loads(path.read_text())
    path.write_text(json.dumps({**document, "2": [{"compiled": "yes"}]}))
    done = kbw("score", path, *OPTIONS)
    assert done.returncode == 0
    assert "refused problem 2, sample at 0: wrong_type" in done.stderr
    assert "level1 has no problem 77: left out" in done.stderr
    assert "1 of 3 problems; 1 compiled, 1 correct, 1 scored" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--level", "x"), 2, "no level"),
        (("--sample", "worst"), 2, "no sample"),
        (("--problems", "nobody/x"), 1, "nobody/x: is not in the warehouse; there is lab/KernelBench"),
        (("--problems", "lab/KernelBench@ffff"), 1, "0 commits are named so"),
        (("--against", "nobody:H"), 2, "no such source"),
        (("--as-of", "2020-01-01"), 1, "had no commit by 2020-01-01"),
        (("--level", "4"), 1, "has no problem of level4"),
    ],
)
def test_wrong_words_are_told_in_one_line(kbw, tmp_path, arguments, status, words):
    given = dict(zip(OPTIONS[::2], OPTIONS[1::2], strict=True)) | dict([arguments])
    done = kbw("score", results(tmp_path, {1: 2.0}), *(part for pair in given.items() for part in pair))
    assert (done.returncode, words in done.stderr) == (status, True), done.stderr


def test_a_file_that_says_no_level_and_one_that_is_none_are_told(kbw, tmp_path):
    path = results(tmp_path, {1: 2.0})
    assert "does not say of which level its problems are; say --level" in kbw("score", path, *OPTIONS[2:]).stderr
    assert "is not in the warehouse; there is lab/KernelBench: say --problems" in kbw("score", path).stderr
    path.write_text("<html>")
    assert "holds no result that can be read: the file: not_json" in kbw("score", path, *OPTIONS).stderr


@pytest.mark.parametrize(
    ("source", "one", "other"),
    [("alexghergh", "H100_tsubame", "H100_tsubame_run_2"), ("grannypuppy", "L40S", "L40S_vegeta")],
)
def test_a_machine_held_against_itself_in_another_session_gives_one(
    kbw, field_home, monkeypatch, tmp_path, source, one, other
):
    """Two sessions of one machine: within the band of sessions for at least nine problems in ten."""
    monkeypatch.setenv("KBW_HOME", str(field_home.root))
    rows = query(
        field_home,
        "select problem_number(problem), mean_ns / 1e6, hardware from runs "
        "where starts_with(source, $source) and host = $host and mode = 'torch' and level = 'level1' and present "
        "and eligible",
        source=source,
        host=other,
    )
    path = results(tmp_path, {number: mean for number, mean, _ in rows}, hardware=rows[0][2])
    done = kbw("score", path, "--level", "1", "--against", f"{source}:{one}", "--json")
    assert done.returncode == 0, done.stderr
    (made,) = json.loads(done.stdout)
    bands = [line["in_sessions"] for line in made["score"]["lines"] if line["in_sessions"]]
    assert len(bands) > 80
    within = sum(band["low"] <= 1.0 <= band["high"] for band in bands)
    assert within >= 0.9 * len(bands), f"{within} of {len(bands)}"
