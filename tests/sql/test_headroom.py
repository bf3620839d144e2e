"""The floor under a record: the public index's arithmetic, and ours."""

from __future__ import annotations

import shutil
from contextlib import closing

import pytest

from tests.histories import (
    GitHistory,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)
from warehouse import sqlfiles
from warehouse.database import Reader, attach, connect
from warehouse.home import Home

VIT = "level = 'level3' and problem = '28_VisionTransformer.py' and host = 'H100_Modal' and present"


@pytest.fixture(scope="module")
def sample(sample_home):
    with closing(Reader(sample_home.database)) as reader:
        yield reader


def test_v1_is_what_the_public_page_says(sample):
    """359 ns, 3811.17x, bandwidth-bound at 3,350 GB/s: 2 x 3 x 224 x 224 fp32 once."""
    (row,) = sample.sql(f"select * from headroom_v1 where {VIT}").records()
    assert row["bytes"] == 2 * 3 * 224 * 224 * 4
    assert row["floor_ns"] == pytest.approx(row["bytes"] / 3350)
    assert (round(row["floor_ns"]), round(row["ratio"], 2), row["bound"]) == (359, 3811.17, "bandwidth")
    assert (row["flops"], row["compute_ns"], row["policy"]) == (None, None, "headroom-v1")
    assert row["assumptions"] == [
        "every declared tensor crosses DRAM exactly once (3,350 GB/s, NVIDIA H100 SXM5 datasheet)",
        "no arithmetic formula for this family: bandwidth floor only",
    ]
    assert "estimate" in row["policy_text"]


def test_v2_moves_parameters_too_and_counts_what_was_traced(sample):
    """15.2 GFLOP, 83.1 MB; about 31 us at 495 and 227 us at 67 TFLOP/s."""
    (row,) = sample.sql(f"select * from headroom_v2 where {VIT}").records()
    assert (round(row["flops"] / 1e9, 1), round(row["bytes"] / 1e6, 1)) == (15.2, 83.1)
    assert (round(row["tf32_ns"] / 1e3), round(row["fp32_ns"] / 1e3)) == (31, 227)
    assert (row["tf32_tflops"], row["fp32_tflops"], row["dram_gb_per_s"]) == (495, 67, 3350)
    assert (row["bound"], row["floor_ns"], row["faster_than_floor"]) == ("compute", row["tf32_ns"], False)
    assert row["ratio"] == pytest.approx(1_370_000 / row["tf32_ns"])
    assert len(row["assumptions"]) == 4 and "50 MB" in row["assumptions"][3]


GEMMS = {
    "1_Square_matrix_multiplication_.py": 2 * 4096**3,
    "3_Batched_matrix_multiplication.py": 2 * 128 * 512 * 1024 * 2048,
    "4_Matrix_vector_multiplication_.py": 2 * 2048 * 1048576,
    "5_Matrix_scalar_multiplication.py": None,
    "9_Tall_skinny_matrix_multiplication_.py": 2 * 32768 * 32 * 32768,
    "12_Matmul_with_diagonal_matrices_.py": None,
    "28_BMM_InstanceNorm_Sum_ResidualAdd_Multiply.py": 2 * 1024 * 8192 * 8192,
    "97_ScaledDotProductAttention.py": 4 * 32 * 32 * 512 * 512 * 1024,
}
"""By axes m, n, k and batch_size; by the last two dimensions of two inputs; none with one input or one dimension."""


@pytest.mark.parametrize("problem", GEMMS)
def test_v1_has_arithmetic_for_products_and_attention_only(sample, problem):
    found = sample.sql(
        "select distinct flops from headroom_v1 where problem = $problem and host = 'H100_Modal' and present",
        problem=problem,
    ).rows
    assert found == [(GEMMS[problem],)]
    others = "select count(flops) from headroom_v1 where family not in ('gemm', 'attention')"
    assert sample.sql(others).rows == [(0,)]


def test_the_declared_inputs_are_those_that_were_traced(sample):
    assert sample.sql(
        """
        select count(*)
        from headroom_v1 as v1 inner join headroom_v2 as v2 using (cohort_id)
        where v1.bytes <> v2.input_bytes"""
    ).rows == [(0,)]


def test_a_dtype_has_the_peak_that_it_permits(sample):
    found = sample.sql(
        "select distinct dtype, peak_tflops from headroom_v2 where hardware = 'NVIDIA H100 80GB HBM3' order by dtype"
    ).rows
    assert found == [("fp16", 989.0), ("fp32", 495.0)]
    assert sample.sql("select distinct peak_tflops, tf32_ns from headroom_v2 where hardware = 'Tesla T4'").rows == [
        (8.1, None)
    ]


def test_what_was_served_from_the_cache_is_not_accused(sample):
    """level1/42 and level1/88 on L40S and L4 are faster than DRAM alone would allow: they fit into the L2 cache."""
    found = sample.sql(
        """
        select distinct level, split_part(problem, '_', 1), hardware, faster_than_floor
        from headroom_v2 where mean_ns < floor_ns order by all"""
    ).rows
    assert found == [
        ("level1", "42", "NVIDIA L40S", False),
        ("level1", "88", "NVIDIA L4", False),
        ("level1", "88", "NVIDIA L40S", False),
    ]


def test_what_was_not_traced_has_no_floor(sample):
    rows = sample.sql("select * from headroom_v2 where not_traced is not null").records()
    assert rows
    assert {(r["bytes"], r["flops"], r["floor_ns"], r["ratio"], r["bound"], r["faster_than_floor"]) for r in rows} == {
        (None,) * 6
    }


def test_every_cohort_with_a_holder_has_a_row(sample):
    ((cohorts,),) = sample.sql("select count(*) from record_holders").rows
    for view in ("headroom_v1", "headroom_v2"):
        assert sample.sql(f"select count(*), count(distinct cohort_id) from {view}").rows == [(cohorts, cohorts)]


def test_an_unknown_gpu_and_an_untraced_module_are_nulls(tmp_path):
    history = GitHistory(tmp_path / "repository")
    entry = figures(1.0, hardware="Imaginary GPU 9000")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=entry), module_path("19_ReLU.py"): module("ReLU")})
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    columns = "bytes, dram_gb_per_s, floor_ns, bound, ratio"
    assert query(home, f"select {columns} from headroom_v1") == [(16 * 8 * 4, None, None, None, None)]
    assert query(home, f"select {columns}, not_traced, faster_than_floor from headroom_v2") == [
        (None, None, None, None, None, "never tried", None)
    ]
    assert query(home, "select assumptions[1] from headroom_v1") == [
        ("every declared tensor crosses DRAM exactly once (no datasheet bandwidth of this GPU is known)",)
    ]


# What is changed of the record of level3/28 on H100 (83.1 MB, 24.8 us of DRAM; 30.7 us of arithmetic), and the answer.
WARM, CLEARED, UNKNOWN = "l2_cleared = false", "l2_cleared = true", "l2_cleared = null"
FLAGGED = {
    "below the arithmetic": ("mean_ns = 30000", "flops = flops", "last_cache_mb = 50", WARM, True),
    "above it": ("mean_ns = 31000", "flops = flops", "last_cache_mb = 50", WARM, False),
    "below DRAM, bytes beyond the cache": ("mean_ns = 24000", "flops = 0", "last_cache_mb = 50", WARM, True),
    "below DRAM, bytes within the cache": ("mean_ns = 24000", "flops = 0", "last_cache_mb = 80", WARM, False),
    "below DRAM, bytes within, not known": ("mean_ns = 24000", "flops = 0", "last_cache_mb = 80", UNKNOWN, False),
    "below DRAM, bytes within, cleared": ("mean_ns = 24000", "flops = 0", "last_cache_mb = 80", CLEARED, True),
    "above DRAM, bytes within, cleared": ("mean_ns = 25000", "flops = 0", "last_cache_mb = 80", CLEARED, False),
    "below DRAM, cache unknown": ("mean_ns = 24000", "flops = 0", "last_cache_mb = null", WARM, None),
    "below DRAM, cache unknown, cleared": ("mean_ns = 24000", "flops = 0", "last_cache_mb = null", CLEARED, True),
    "above DRAM, cache unknown": ("mean_ns = 25000", "flops = 0", "last_cache_mb = null", WARM, False),
    "below the arithmetic, cache unknown": ("mean_ns = 30000", "flops = flops", "last_cache_mb = null", WARM, True),
}


@pytest.fixture(scope="module")
def writable(sample_home, tmp_path_factory):
    path = tmp_path_factory.mktemp("headroom") / "copy.duckdb"
    shutil.copyfile(sample_home.database, path)
    with connect() as connection:
        attach(connection, path, "copy", "read_write")
        yield connection


@pytest.mark.parametrize("case", FLAGGED)
def test_only_what_cannot_be_is_flagged(case, writable):
    run, workload, cache, harness, flag = FLAGGED[case]
    holder = f"run_id = (select run_id from headroom_v2 where {VIT})"
    writable.execute("begin")
    try:
        writable.execute(
            f"update workloads set {workload} where workload_id = (select workload_id from runs where {holder})"
        )
        writable.execute(f"update gpus set {cache} where hardware = 'NVIDIA H100 80GB HBM3'")
        writable.execute(f"update runs set {run} where {holder}")
        writable.execute(f"update harnesses set {harness}")
        assert writable.execute(f"select faster_than_floor from headroom_v2 where {VIT}").fetchall() == [(flag,)]
    finally:
        writable.execute("rollback")


def test_the_cache_that_counts_is_the_last_before_memory(sample):
    """An MI300X has 32 MB of L2 and 256 MB of Infinity Cache behind it."""
    assert sample.sql("select l2_mb, last_cache_mb from gpus where hardware = 'AMD Instinct MI300X'").rows == [
        (32, 256)
    ]
    assert sample.sql("select count(*) from gpus where last_cache_mb < l2_mb").rows == [(0,)]


def test_both_versions_are_views_and_export_nothing_that_depends_on_the_clock():
    for view in ("headroom_v1", "headroom_v2", "coverage"):
        assert "now()" not in sqlfiles.folder("views")[view].text
        assert not {"staleness", "records"} & sqlfiles.folder("views")[view].reads
