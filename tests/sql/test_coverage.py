"""For what was a problem measured: each answer of the grid, in the order in which they apply."""

from __future__ import annotations

from contextlib import closing

import pytest

from tests.histories import (
    A100,
    COMPILED,
    EAGER,
    H100,
    TUNED,
    GitHistory,
    day,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)
from warehouse.database import Reader
from warehouse.home import Home

RELU = "19_ReLU.py"
CELLS = """
    select hardware, mode, status, host, mean_ns / 1e6::double, present, withdrawn_at
    from coverage where problem = '19_ReLU.py' order by hardware, mode"""


@pytest.fixture
def home(tmp_path) -> Home:
    """On one GPU each answer; on the other only a figure of code that computes something else.

    H100: eager stands, of the code at head, on two hosts; compiled was measured on code that draws its inputs
    otherwise, and later withdrawn on the code at head; tuned was withdrawn.
    """
    history = GitHistory(tmp_path / "repository")
    history.commit(
        "2025-01-01",
        {
            timing_path("A_lab"): timings(n19_ReLU=figures(4.0, hardware=A100)),
            module_path(RELU): module("ReLU", n=999),
        },
    )
    history.commit(
        "2025-01-02",
        {timing_path(mode=COMPILED): timings(n19_ReLU=1.25), module_path(RELU): module("ReLU", draw="randn")},
    )
    history.commit(
        "2025-01-03",
        {
            timing_path(mode=COMPILED): None,
            timing_path("other_lab", mode=COMPILED): timings(n19_ReLU=1.5),
            timing_path(mode=TUNED): timings(n19_ReLU=1.0),
            timing_path(): timings(n19_ReLU=2.5),
            timing_path("other_lab"): timings(n19_ReLU=2.25),
            module_path(RELU): module("ReLU"),
        },
    )
    history.commit("2025-01-04", {timing_path(mode=TUNED): None, timing_path("other_lab", mode=COMPILED): None})
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    return home


def test_the_first_answer_that_holds_is_given_with_the_run_it_rests_on(home):
    assert query(home, CELLS) == [
        (A100, EAGER, "not_measured", None, None, None, None),
        (A100, COMPILED, "not_measured", None, None, None, None),
        (A100, TUNED, "not_measured", None, None, None, None),
        (H100, EAGER, "measured", "other_lab", 2.25, True, None),
        (H100, COMPILED, "equivalent", "H100_lab", 1.25, False, day("2025-01-03")),
        (H100, TUNED, "withdrawn", "H100_lab", 1.0, False, day("2025-01-04")),
    ]


def test_of_several_runs_the_latest_then_the_fastest_is_named(tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path("fast_lab"): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")})
    later = {timing_path("late_lab"): timings(n19_ReLU=3.0), timing_path("later_lab"): timings(n19_ReLU=2.0)}
    history.commit("2025-01-02", later)
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    assert query(home, "select host from coverage") == [("later_lab",)]


def test_what_any_lineage_measured_is_measured_for_all_whose_head_shows_the_computation(tmp_path):
    upstream, fork = GitHistory(tmp_path / "upstream"), GitHistory(tmp_path / "fork")
    carried = {timing_path(): timings(n19_ReLU=1.5), module_path(RELU): module("ReLU")}
    upstream.commit("2025-01-01", carried)
    fork.commit("2025-01-02", carried)
    home = Home(tmp_path / "home")
    ingest_git(home, upstream, name="a/first")
    ingest_git(home, fork, name="b/fork")
    assert query(home, "select sources, source, status from coverage") == [
        (["a/first", "b/fork"], "a/first", "measured")
    ]


def test_another_computation_under_the_same_name_is_a_line_of_its_own(tmp_path):
    one, other = GitHistory(tmp_path / "one"), GitHistory(tmp_path / "other")
    one.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), module_path(RELU): module("ReLU")})
    other.commit("2025-01-02", {timing_path("lab"): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU", n=999)})
    home = Home(tmp_path / "home")
    ingest_git(home, one, name="a/one")
    ingest_git(home, other, name="b/other")
    assert query(home, "select sources, source, mean_ns from coverage order by source") == [
        (["a/one"], "a/one", 1_500_000),
        (["b/other"], "b/other", 1_000_000),
    ]


@pytest.fixture(scope="module")
def sample(sample_home):
    with closing(Reader(sample_home.database)) as reader:
        yield reader


def test_the_vision_transformer_was_measured_on_b200_in_six_modes_on_an_equivalent_version(sample):
    found = sample.sql(
        """
        select status, strftime(observed_at, '%Y-%m'), present, count(*)
        from coverage
        where level = 'level3' and problem = '28_VisionTransformer.py' and hardware = 'NVIDIA B200'
        group by all order by all"""
    ).rows
    assert found == [("equivalent", "2025-03", False, 6), ("not_measured", None, None, 1)]


def test_the_grid_is_every_problem_at_head_on_every_gpu_in_every_mode(sample):
    """270 problems, 10 GPUs (two sizes of A100 told apart, H100 SXM from PCIe), 7 modes."""
    assert sample.sql(
        """
        select count(*), count(distinct hardware), count(distinct mode), count(distinct level || problem)
        from coverage"""
    ).rows == [(18900, 10, 7, 270)]


def test_every_cell_agrees_with_the_run_it_rests_on(sample):
    """A run of the cell's own problem, GPU and mode, of the code that its status says."""
    assert (
        sample.sql(
            """
        select coverage.*
        from coverage
        left join runs using (run_id)
        left join problems
            on coverage.source = problems.source and coverage.level = problems.level
            and coverage.problem = problems.problem
        where
            (coverage.status = 'not_measured') <> (runs.run_id is null)
            or runs.hardware <> coverage.hardware or runs.mode <> coverage.mode or runs.problem <> coverage.problem
            or (coverage.status = 'measured') <> (runs.code_digest = problems.code_digest and runs.present)
            or (coverage.status = 'equivalent') <> (runs.code_digest <> problems.code_digest)
            or coverage.present <> (coverage.withdrawn_at is null)"""
        ).rows
        == []
    )
