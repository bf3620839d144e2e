"""What a name means is the same for every command: one problem, one run; what is ambiguous is refused."""

from __future__ import annotations

import json

import pytest

from tests.histories import GitHistory, ingest_git, module, module_path, query, timing_path, timings


def test_every_name_of_a_problem_means_the_same(on_sample):
    names = (
        "level3/28",
        "28_VisionTransformer",
        "VisionTransformer",
        "level3/28_VisionTransformer.py",
        "visiontransformer",
    )
    pages = {on_sample("show", name).stdout for name in names}
    assert len(pages) == 1


def test_an_ambiguous_name_is_answered_with_candidates_and_an_unknown_one_with_what_looks_alike(on_sample):
    ambiguous = on_sample("show", "Vision")
    assert ambiguous.returncode == 1
    assert "3 problems match; name one of level3/28_VisionTransformer, level3/31_VisionAttention" in ambiguous.stderr
    misspelt = on_sample("show", "VisionTransformr")
    assert "did you mean level3/28_VisionTransformer" in misspelt.stderr
    assert "no such problem" in on_sample("show", "zzz").stderr


def test_a_run_is_named_by_its_id_its_beginning_or_an_external_id(on_sample, sample_home):
    ((run_id,),) = query(
        sample_home,
        "select run_id from runs where present and host = 'H100_Modal' and mode = 'torch' and problem = $p",
        p="19_ReLU.py",
    )
    names = (run_id, run_id[:16], "H100_Modal/torch/level1/19_ReLU.py")
    answers = {on_sample("manifest", name, "--kind", "run").stdout for name in names}
    assert len(answers) == 1
    assert json.loads(answers.pop())["kind"] == "BenchmarkRun"


@pytest.mark.parametrize(
    "name",
    [
        "h100_modal/TORCH/level1/19_relu",
        "H100_Modal/eager/1/19",
        "H100_Modal/torch/19_ReLU.py",
        "eager/H100_Modal/ReLU",
    ],
)
def test_names_of_runs_are_as_forgiving_as_names_of_problems(on_sample, name):
    exact = on_sample("explain", "H100_Modal/torch/level1/19_ReLU.py")
    assert on_sample("explain", name).stdout == exact.stdout != ""
    filtered = on_sample("explain", "ReLU", "--host", "h100_modal", "--mode", "Eager")
    assert filtered.stdout == exact.stdout


def test_a_run_without_its_host_is_found_where_one_host_has_it_and_else_candidates_are_told(on_sample):
    several = on_sample("explain", "torch/level1/19_ReLU.py")
    assert several.returncode == 1
    assert (
        "2 figures are named so; name one of H100_Modal/torch/level1/19_ReLU.py, "
        "H100_PCIe_LambdaLabs/torch/level1/19_ReLU.py" in several.stderr
    )
    assert on_sample("explain", "torch/level1/19_ReLU.py", "--gpu", "H100 PCIe").returncode == 0
    wrong = on_sample("explain", "H100_Modl/torch/level1/19_ReLU.py")
    assert (wrong.returncode, "neither a host nor a mode; did you mean" in wrong.stderr) == (2, True)
    assert "no run has this id" in on_sample("explain", "0123456789ab").stderr


def test_a_name_of_several_runs_is_answered_with_candidates_and_one_of_none_with_a_way_on(on_sample):
    several = on_sample("manifest", "T4_modal/torch/level1/19_ReLU.py")
    assert several.returncode == 1
    assert "2 runs have this id" in several.stderr
    figures = on_sample("manifest", "00")
    assert figures.returncode == 1
    assert "several runs are named so; give more of one's id: 00" in figures.stderr
    none = on_sample("manifest", "H100_Modal/torch/level1/999_Nothing.py")
    assert none.returncode == 1
    assert "no such problem" in none.stderr


@pytest.mark.parametrize("name", ["00", "T4_modal/torch/level1/19_ReLU.py", "H100_Modal/torch/level1/999_Nothing.py"])
def test_a_name_that_means_no_one_run_is_refused_in_the_same_words_by_every_command(on_sample, name):
    manifest, explain = on_sample("manifest", name), on_sample("explain", name)
    assert (manifest.returncode, manifest.stdout) == (explain.returncode, explain.stdout) == (1, "")
    assert manifest.stderr == explain.stderr


def test_what_a_head_shows_goes_before_what_only_old_runs_measured(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_Old=1.0), module_path("19_Old.py"): module("Old")})
    history.commit(
        "2025-02-01",
        {
            timing_path(): timings(n19_New=2.0),
            module_path("19_Old.py"): None,
            module_path("19_New.py"): module("New", n=32),
        },
    )
    ingest_git(home, history)
    assert kbw("show", "level1/19").stdout.startswith("New ")
    assert kbw("show", "level1/19_Old").stdout.startswith("Old ")
