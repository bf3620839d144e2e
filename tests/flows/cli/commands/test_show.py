"""``kbw show``: each fact of the page that people are used to seeing. Expected figures are the seed page's."""

from __future__ import annotations

import json
import re

import pytest

from tests.flows.cli.commands.conftest import FORK


@pytest.fixture
def page(on_sample):
    done = on_sample("show", "level3/28", "--host", "H100_Modal")
    assert done.returncode == 0, done.stderr
    return done.stdout


# The facts of the page that people are used to seeing, one by one; the dates corrected.
@pytest.mark.parametrize(
    "fact",
    [
        r"VisionTransformer +level3/28_VisionTransformer\.py · model",
        r"Fastest +1\.37 ms ± 0\.05 · mean of 100 · 1\.32x faster than eager",
        r"torch\.compile \(inductor\) on H100_Modal \(NVIDIA H100 SXM5\)",
        r"reported: Reported by source; not independently reproduced\.",
        r"H100_Modal +NVIDIA H100 SXM5 +1\.37 ms ± 0\.05 +torch\.compile \(inductor\) +1\.32x +2 ",
        r"1 +1 +torch\.compile \(inductor\) +1\.37 ms ± 0\.05 +1\.00x +1\.32x +2025-12-31",
        r"2 +2 +PyTorch eager \(baseline\) +1\.81 ms ± 0\.02 +1\.32x +1\.00x +2025-12-31",
        r"stale: .*days old",
        r"headroom-v1: 359 ns, bandwidth-bound; record 3,811\.17x above it",
        r"every declared tensor crosses DRAM exactly once \(3,350 GB/s, NVIDIA H100 SXM5 datasheet\)",
        r"no arithmetic formula for this family: bandwidth floor only",
        r"headroom-v2: 30\.7 µs, compute-bound",
        r"83\.1 MB moved: 24\.8 µs; 15\.2 GFLOP: 30\.7 µs at the TF32 peak, 227 µs at the fp32 peak",
        r"PyTorch eager +1\.81 ms +python · torch_eager",
        r"torch\.compile \(inductor\) +1\.37 ms +python · torch_compile_inductor",
        r"reported · MIT",
        r"input_1 +fp32 \[2, channels, image_size, image_size\]",
        r"output +out float \[out\]",
        r"channels = 3 \(variable\), image_size = 224 \(variable\)",
        r"determinism +unspecified",
        r"constraints +No mutation or aliasing",
        r"operation +sha256:386c33f936e3",
        r"B200 SXM6 180 GB +6 modes on an equivalent version of the problem \(2025-03-16, withdrawn on 2025-07-21\)",
        r"github\.com/ScalingIntelligence/KernelBench/blob/\w+/results/timing/H100_Modal/baseline_time_torch\.json",
        r"github\.com/ScalingIntelligence/KernelBench/blob/\w+/KernelBench/level3/28_VisionTransformer\.py",
    ],
)
def test_each_fact_of_the_page_is_shown(page, fact):
    assert re.search(fact, page), f"{fact}\n{page}"


def test_the_page_dates_figures_when_they_appeared_not_by_the_newest_commit(page):
    assert "2026-03-05" not in page


def test_the_page_says_where_else_there_are_records_but_ranks_no_machine_against_another(on_sample):
    page = on_sample("show", "VisionTransformer").stdout
    assert "4 eligible runs" in page
    assert "machines are not compared" in page
    assert re.search(r"H100_PCIe_LambdaLabs +NVIDIA H100 PCIe +1\.59 ms ± 0\.01 +torch\.compile", page)


def test_json_has_all_of_the_page(on_sample):
    answer = json.loads(on_sample("show", "28_VisionTransformer", "--json").stdout)
    assert answer["fastest"]["mean_ns"] == 1_370_000
    assert answer["eligible_runs"] == 4
    assert {row["host"] for row in answer["records"]} == {"H100_Modal", "H100_PCIe_LambdaLabs"}
    assert [row["rank"] for row in answer["ranking"]] == [1, 2]
    assert answer["workloads"][0]["inputs"][0]["shape"] == [2, "channels", "image_size", "image_size"]
    assert {floor["policy"] for floors in answer["floors"].values() for floor in floors} == {
        "headroom-v1",
        "headroom-v2",
    }
    assert answer["identities"][0]["operation_digest"].startswith("sha256:386c33f936e3")


def test_the_traced_floor_goes_first_and_the_index_s_beside_it(page):
    assert page.index("headroom-v2") < page.index("headroom-v1")


def test_figures_of_different_code_have_no_common_fastest(on_lineages):
    """0.5 ms is of 32 rows and beats nothing of 16."""
    page = on_lineages("show", "ReLU").stdout
    assert "4 eligible runs of 2 computations in 3 sources" in page
    parts = page.split("\nComputation ")
    assert len(parts) == 3
    small, large = parts[1:]
    assert "[16, 8]" in small and "1.00 ms" in small and "500 µs" not in small
    assert "[32, 8]" in large and "500 µs" in large and "1.00 ms" not in large
    assert re.search(r"A100_fork .* fork/KernelBench$", small, re.MULTILINE)
    assert "2 copies in fork/KernelBench (2)" in page
    answer = json.loads(on_lineages("show", "ReLU", "--json").stdout)
    assert answer["fastest"] is None and answer["ranking"] == []
    assert [group["fastest"]["mean_ns"] for group in answer["computations"]] == [1_000_000, 500_000]
    assert [len(group["at_head_of"]) for group in answer["computations"]] == [2, 1]


def test_one_computation_of_several_has_the_whole_page(on_lineages):
    computations = json.loads(on_lineages("show", "ReLU", "--json").stdout)["computations"]
    chosen = computations[1]["computation"]
    page = on_lineages("show", "ReLU", "--computation", chosen[:8]).stdout
    assert "Ranking on H100_other" in page and "H100_lab" not in page
    assert chosen in page
    assert "Ranking on A100_fork" in on_lineages("show", "ReLU", "--source", FORK).stdout


def test_what_stands_without_being_ranked_is_shown_with_the_reason(on_lineages):
    page = on_lineages("show", "40_Lost").stdout
    assert "No eligible run stands." in page
    assert re.search(r"H100_other +NVIDIA H100 SXM5 .* no module of that name beside the figures", page)
    answer = json.loads(on_lineages("show", "40_Lost", "--json").stdout)
    assert [(run["stands"], run["rank"]) for run in answer["runs"]] == [(True, None)]


def test_with_one_lineage_no_line_repeats_its_name(page):
    assert not re.search(r"^H100_Modal .*KernelBench", page, re.MULTILINE)
