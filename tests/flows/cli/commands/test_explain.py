"""``kbw explain``: from the bytes to each doubt."""

from __future__ import annotations

import hashlib
import json
import re

import duckdb
import pytest

from tests.histories import GitHistory, figures, ingest_git, module, module_path, timing_path, timings

JULY, JANUARY = "88df56b931a0", "b6c52595fbb7"
HEAD = "423217d9fda91e0c2d67e4a43bf62f96f6d104f1"


def test_explain_goes_from_the_bytes_to_each_doubt(kbw, history):
    done = kbw("explain", "H100_lab/torch/level1/19_ReLU.py")
    assert done.returncode == 0, done.stderr
    written = timings(n19_ReLU=1.25, n22_Tanh=2.0).encode()
    for words in (
        "1.25 ms",
        '"mean":1.25',
        f"landed as {len(written)} bytes, SHA-256 {hashlib.sha256(written).hexdigest()}",
        f"first shown by {history.id(3)}, 2025-03-01",
        "Refused    of this host and mode, ever: nothing",
        "inputs x fp32[16, 8]",
        "1.50x of the one before, beyond intervals and rounding; measured again, the code is equal",
        "0.83x of the one before, beyond intervals and rounding; inputs are drawn otherwise",
        "Rank       1 of 2 in its cohort, tied with 1 (shared rank 1)",
        "age: observed 2025-03-01",
    ):
        assert words in done.stdout, words


def test_explain_gives_the_evidence_of_a_withdrawn_figure_of_changed_code(kbw, history):
    known = json.loads(kbw("explain", "H100_lab/torch/level1/19_ReLU.py", "--json").stdout)
    first = known["versions"][0]["run_id"]
    told = kbw("explain", first).stdout
    assert f"withdrawn: no longer shown by {history.id(2)} (2025-02-01)" in told
    assert f"problem_changed: first seen at {history.id(3)} (2025-03-01)" in told
    assert "Rank       none: it does not stand" in told
    assert "inputs_redrawn: inputs are drawn otherwise, the computation is the same" in told


CHANGED = {
    "H100_Modal/torch/level1/12_Matmul_with_diagonal_matrices_.py": "something else is computed",
    "H100_PCIe_LambdaLabs/torch/level1/12_Matmul_with_diagonal_matrices_.py": "computation_changed: on equal inputs",
    "H100_Modal/torch/level1/97_ScaledDotProductAttention.py": "inputs then q fp16[32, 32, 512, 1024]",
    "H100_PCIe_LambdaLabs/torch/level1/97_ScaledDotProductAttention.py": "at head q fp32[32, 32, 512, 1024]",
}


@pytest.mark.parametrize("run", CHANGED)
def test_explain_names_where_the_change_was_first_seen_and_the_head(on_sample, run):
    """Upstream changed both in January 2026; the first tracked commit that shows it is of 2026-01-20."""
    told = on_sample("explain", run).stdout
    (line,) = [line for line in told.splitlines() if line.startswith("  problem_changed: ")]
    assert f"first seen at {JANUARY}" in line and "(2026-01-20), of the tracked commits" in line
    assert CHANGED[run] in line
    assert f"head {HEAD} (2026-03-05)" in told


def test_explain_tells_of_a_source_that_does_not_carry_its_files_of_mixed_gpus_and_of_refusals(on_sample):
    told = on_sample("explain", "A10G_modal/torch/level1/19_ReLU.py").stdout
    assert "does not carry the file's bytes" in told
    assert "GPUs in it: NVIDIA A10, NVIDIA A10G" in told
    assert "its file holds figures of several GPUs" in told
    several = on_sample("explain", "T4_modal/torch/level1/19_ReLU.py").stderr
    latest = several.split("2 runs have this id: ")[1][:12]
    assert "1 not_measured" in on_sample("explain", latest).stdout


def test_explaining_what_is_not_there_is_told_in_one_line(kbw, history):
    done = kbw("explain", "H100_lab/torch/level1/99_Nothing.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such problem" in done.stderr and done.stderr.count("\n") == 1
    several = kbw("explain", "")
    assert "several runs are named so" in several.stderr


def test_a_run_without_a_module_is_explained(kbw, home, tmp_path):
    made = GitHistory(tmp_path / "bare")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=figures(1.0, hardware=None))})
    ingest_git(home, made)
    done = kbw("explain", "H100_lab/torch/level1/19_ReLU.py")
    assert done.returncode == 0, done.stderr
    assert "Module     none: no module of that name beside the figures" in done.stdout
    assert "reported as nothing" in done.stdout
    assert "Rank       none: no module of that name beside the figures" in done.stdout
    assert "Precision  as the module says" in done.stdout
    assert "it is not known whether they clear the L2 cache" in done.stdout


def test_precision_and_median_are_told_where_a_file_says_them(kbw, home, tmp_path):
    made = GitHistory(tmp_path / "bare")
    entry = {**figures(1.0), "median": 0.75, "precision": "bf16"}
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=entry), module_path("19_ReLU.py"): module("ReLU")})
    ingest_git(home, made)
    told = kbw("explain", "H100_lab/torch/level1/19_ReLU.py").stdout
    assert "Precision  bf16" in told
    assert "half of them below 750 µs" in told


@pytest.fixture
def doubted(own_sample_home):
    """A home in which a figure of ReLU says 20 µs, and of its file 30 figures lie below the floor.

    At 3,350 GB/s an H100 needs 3.85 ms for what the code beside it moves: 4,096 x 393,216 floats in and out.
    """
    own_sample_home.database.chmod(0o644)
    with duckdb.connect(str(own_sample_home.database)) as connection:
        where = "host = 'H100_Modal' and mode = 'torch' and level = 'level1' and problem = '19_ReLU.py'"
        connection.execute(f"update runs set mean_ns = 20000, eligible = false, {DOUBTFUL} where {where}")
        connection.execute(f"delete from leaderboard where run_id in (select run_id from runs where {where})")
        connection.execute(
            f"update leaderboard set rank = 1 where cohort_id in (select cohort_id from runs where {where})"
        )
        connection.execute(
            "update binding_doubts set doubtful = true, figures_costed = 240, figures_below_floor = 30 "
            "where host = 'H100_Modal' and mode = 'torch'"
        )
    return own_sample_home


DOUBTFUL = "ineligible_reasons = ['binding_doubtful']"


def test_a_doubtful_binding_is_told_with_counts_and_code_under_which_it_would_be_possible(doubted, kbw, monkeypatch):
    """Until July 2025 ReLU was of 16 x 16,384 floats: 2 MiB, over 3,350 GB/s 626 ns."""
    monkeypatch.setenv("KBW_HOME", str(doubted.root))
    told = " ".join(kbw("explain", "H100_Modal/torch/level1/19_ReLU.py").stdout.split())
    assert "Binding doubtful: its file was taken on other code than the modules beside it" in told
    assert "of the 250 figures that first appeared in it, 240 have a known floor, 30 lie below it" in told
    assert re.search(r"possible under code \w{12} of ScalingIntelligence/KernelBench, .* floor 626 ns", told)
    assert "a hint, no binding" in told
    assert "Rank none: taken on other code than the module beside it" in told
    assert "binding_doubtful: see Binding above" in told
    page = kbw("show", "level1/19").stdout
    assert re.search(r"H100_Modal +NVIDIA H100 SXM5 +PyTorch eager +20\.0 µs .* taken on other code", page)
    assert re.search(r"^Fastest +4\.35 ms", page, re.MULTILINE)
    errors = json.loads(kbw("stale", "--severity", "error", "--limit", "0", "--json").stdout)
    assert len([row for row in errors if "binding_doubtful" in row["reasons"]]) == 1


def test_a_name_that_copies_share_means_the_original(on_lineages):
    told = on_lineages("explain", "H100_lab/torch/level1/19_ReLU.py")
    assert told.returncode == 0, told.stderr
    assert "Copied     by 1 runs of other sources" in told.stdout
