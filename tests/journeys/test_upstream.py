"""Upstream's whole history: every number that a full ingest must hold, from the shipped sample and from git."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from flows.sequence import Directly, ingest
from flows.sources.git import GitSource
from flows.sources.sample import SampleSource
from tests.conftest import ROOT
from tests.histories import UPSTREAM, failed_checks, query
from warehouse.database import Reader
from warehouse.home import Home

SHARED = ROOT.parent / "shared" / "upstream"
BUNDLE = SHARED / "kernelbench.bundle"
needs_bundle = pytest.mark.skipif(
    not BUNDLE.exists(), reason=f"{BUNDLE} is not here: upstream's history through git was NOT compared"
)

EXPECTED: dict[str, Any] = {
    "revisions": 14,
    "timing_blobs": 41,
    "runs": 10105,
    "present": 1000,
    "not_measured": 14,
    "hosts": 14,
    "modes": 7,
    "environments": 16,
    "workloads": 503,
    "computations": 449,
    "no_module": 14,
    "cohorts": 3551,
    "cohorts_without_module": 7,
    "cohorts_present": 500,
    "events": {"faster": 101, "first": 3551, "overtaken": 113, "remeasured": 136, "withdrawn": 3051},
    "events_to_a_slower_record": 69,
    "changed_hands": 214,
    "problem_changed": 10,
    "present_first_seen": [["2025-07-21", 500], ["2025-12-31", 500]],
    "drift": [
        ["H100_Modal", "torch", "level1", "12_Matmul_with_diagonal_matrices_.py"],
        ["H100_Modal", "torch", "level1", "97_ScaledDotProductAttention.py"],
        ["H100_Modal", "torch_compile_inductor_default", "level1", "12_Matmul_with_diagonal_matrices_.py"],
        ["H100_Modal", "torch_compile_inductor_default", "level1", "97_ScaledDotProductAttention.py"],
        ["H100_PCIe_LambdaLabs", "torch", "level1", "12_Matmul_with_diagonal_matrices_.py"],
        ["H100_PCIe_LambdaLabs", "torch", "level1", "92_cumsum_exclusive.py"],
        ["H100_PCIe_LambdaLabs", "torch", "level1", "97_ScaledDotProductAttention.py"],
        ["H100_PCIe_LambdaLabs", "torch_compile_inductor_default", "level1", "12_Matmul_with_diagonal_matrices_.py"],
        ["H100_PCIe_LambdaLabs", "torch_compile_inductor_default", "level1", "92_cumsum_exclusive.py"],
        ["H100_PCIe_LambdaLabs", "torch_compile_inductor_default", "level1", "97_ScaledDotProductAttention.py"],
    ],
    "run_modes": {
        "torch": 3684,
        "torch_compile": 684,
        "torch_compile_inductor_default": 2749,
        "torch_compile_inductor_max-autotune-no-cudagraphs": 750,
        "torch_compile_inductor_max-autotune": 744,
        "torch_compile_inductor_reduce-overhead": 744,
        "torch_compile_cudagraphs": 750,
    },
    "run_hosts": {
        "cleaned": 368,
        "matx2": 502,
        "matx3": 500,
        "L40S_matx3": 1496,
        "A100-80GB_modal": 500,
        "A100_modal": 500,
        "L40S_modal": 500,
        "T4_modal": 747,
        "A10G_modal": 500,
        "L4_modal": 500,
        "H100_together": 1496,
        "B200_together": 1496,
        "H100_PCIe_LambdaLabs": 500,
        "H100_Modal": 500,
    },
}
"""What a whole ingest of upstream's history must hold (DESIGN section 5)."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("sample"))
    ingest(home, SampleSource(), Directly())
    return home


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home(tmp_path_factory.mktemp("bundle"))
    with closing(GitSource(str(BUNDLE), None, UPSTREAM)) as source:
        ingest(home, source, Directly())
    return home


@pytest.fixture(params=["sample", pytest.param("bundle", marks=needs_bundle)])
def home(request: pytest.FixtureRequest) -> Home:
    """Upstream's history, from the sample and from git."""
    found: Home = request.getfixturevalue(request.param)
    return found


COUNTS = {
    "revisions": "select count(*) from revisions",
    "timing_blobs": "select count(distinct blob) from files where kind = 'timing'",
    "runs": "select count(*) from runs",
    "present": "select count(*) from runs where present",
    "not_measured": "select count(*) from quarantine where reason = 'not_measured'",
    "hosts": "select count(distinct host) from runs",
    "modes": "select count(distinct mode) from runs",
    "environments": "select count(*) from environments",
    "workloads": "select count(*) from workloads",
    "computations": "select count(distinct compute_digest) from workloads",
    "no_module": "select count(*) from runs where workload_id is null",
    "cohorts": "select count(*) from records",
    "cohorts_without_module": "select count(*) from (select distinct environment_id, level, problem, code_digest "
    "from runs where cohort_id is null)",
    "cohorts_present": "select count(*) from records where present",
    "changed_hands": "select sum(lead_changes)::bigint from records",
    "events_to_a_slower_record": "select count(*) from record_history where improvement < 0",
    "problem_changed": "select count(*) from staleness join runs using (run_id) "
    "where present and list_contains(reasons, 'problem_changed')",
}

LISTS = {
    "events": "select cause, count(*) from record_history group by all",
    "run_modes": "select mode, count(*) from runs group by all",
    "run_hosts": "select host, count(*) from runs group by all",
}


def numbers(home: Home) -> dict[str, Any]:
    """Everything countable, by the names of ``expected_history_second_round.json``."""
    changed = query(
        home,
        "select host, mode, level, problem from staleness join runs using (run_id) "
        "where present and list_contains(reasons, 'problem_changed') order by all",
    )
    seen = query(home, "select observed_at::date, count(*) from runs where present group by all order by 1")
    return {
        **{name: query(home, sql)[0][0] for name, sql in COUNTS.items()},
        **{name: dict(query(home, sql)) for name, sql in LISTS.items()},
        "drift": [list(row) for row in changed],
        "present_first_seen": [[str(date), count] for date, count in seen],
    }


def test_a_whole_ingest_of_upstream_holds_every_expected_number(home):
    assert numbers(home) == EXPECTED


@needs_bundle
def test_the_expected_numbers_here_are_those_that_were_handed_over(bundle):
    handed_over = json.loads((SHARED / "expected_history_second_round.json").read_text())
    assert query(bundle, "select head from sources") == [(handed_over.pop("head"),)]
    assert handed_over == EXPECTED


def test_upstream_passes_every_check_and_refuses_no_file(home):
    assert failed_checks(home) == {}
    assert query(home, "select distinct reason from quarantine") == [("not_measured",)]
    assert query(home, "select count(*) from quarantine where problem_key is null") == [(0,)]


def test_vision_transformer_has_the_figures_of_the_seed(home):
    """1.81 / 1.37 = 1.321; the half-widths are of the 95 % intervals."""
    rows = query(
        home,
        "select host, mode, mean_ms, round(ci95_half_ms, 2), round(vs_baseline, 2) from baselines "
        "where present and level = 'level3' and problem = '28_VisionTransformer.py' order by host, mean_ms",
    )
    compiled = "torch_compile_inductor_default"
    assert [row[:3] for row in rows] == [
        ("H100_Modal", compiled, 1.37),
        ("H100_Modal", "torch", 1.81),
        ("H100_PCIe_LambdaLabs", compiled, 1.59),
        ("H100_PCIe_LambdaLabs", "torch", 1.83),
    ]
    assert [row[3:] for row in rows[:2]] == [(0.05, 1.32), (0.01, 1.0)]


def test_the_compiled_mode_holds_vision_transformer_on_both_machines(home):
    assert query(
        home,
        "select host, mode, present, round(margin_ratio, 2), round(vs_baseline, 2) from records "
        "where present and problem = '28_VisionTransformer.py' order by host",
    ) == [
        ("H100_Modal", "torch_compile_inductor_default", True, 1.32, 1.32),
        ("H100_PCIe_LambdaLabs", "torch_compile_inductor_default", True, 1.15, 1.15),
    ]


def test_figures_are_as_old_as_the_commit_that_first_showed_them(home):
    """The public index dates them all 2026-03-05, when only a README changed."""
    assert query(
        home, "select host, observed_at::date::varchar, count(*) from runs where present group by all order by host"
    ) == [("H100_Modal", "2025-12-31", 500), ("H100_PCIe_LambdaLabs", "2025-07-21", 500)]
    assert query(home, "select newest_revision_at::date::varchar from sources") == [("2026-03-05",)]


def test_what_was_timed_with_a_warm_cache_is_graver_than_age_alone(sample):
    """Upstream's scripts clear the cache and discard the first trial since 2025-12-31; ten of them are of old code."""
    assert query(
        sample,
        "select observed_at::date::varchar, severity, list_contains(reasons, 'harness_changed'), count(*) "
        "from staleness join runs using (run_id) where present group by all order by all",
    ) == [
        ("2025-07-21", "error", True, 6),
        ("2025-07-21", "warn", True, 494),
        ("2025-12-31", "error", False, 4),
        ("2025-12-31", "note", False, 496),
    ]


def test_a_second_ingest_of_the_sample_publishes_nothing(sample):
    before = sample.database.read_bytes(), sample.database.stat().st_mtime_ns
    assert ingest(sample, SampleSource(), Directly()).published is None
    assert (sample.database.read_bytes(), sample.database.stat().st_mtime_ns) == before


def test_how_every_problem_that_is_stale_has_changed_is_known(home):
    """Upstream corrected 12 and 92 and made the half floats of 97 single ones, in January 2026."""
    assert query(
        home,
        "select split_part(problem, '_', 1), host, change, count(*) from staleness join runs using (run_id) "
        "where present and list_contains(reasons, 'problem_changed') group by all order by all",
    ) == [
        ("12", "H100_Modal", "computation_changed", 2),
        ("12", "H100_PCIe_LambdaLabs", "computation_changed", 2),
        ("92", "H100_PCIe_LambdaLabs", "computation_changed", 2),
        ("97", "H100_Modal", "inputs_changed", 2),
        ("97", "H100_PCIe_LambdaLabs", "inputs_changed", 2),
    ]
    assert query(home, "select count(*) from workload_changes where change is null") == [(0,)]
    codes = "select dtype from problem_codes join problems using (workload_id, level) where level = 'level1' and "
    assert query(home, f"{codes} problems.problem = '97_ScaledDotProductAttention.py'") == [("fp32",)]


def test_between_march_and_july_2025_a_fifth_of_the_changed_problems_only_draw_otherwise(home):
    with closing(Reader(home.database)) as reader:
        rows = reader.query("diff_problems", source=UPSTREAM, before=8, after=9, level=None, family=None).records()
    changed = {(row["level"], row["problem"]): row["reason"] for row in rows if row["what"] == "changed"}
    assert (len(changed), list(changed.values()).count("inputs_redrawn")) == (238, 53)
    assert changed["level3", "28_VisionTransformer.py"] == "inputs_redrawn"
    assert None not in changed.values()


ALIKE = {
    "codes": "select level, problem, dtype, count(*) from problem_codes where level <> 'level4' "
    "group by all order by all",
    "changes": "select level, problem, change, count(*) from workload_changes group by all order by all",
    "doubts": "select host, mode, level, problem, mean_ns, list_filter(reasons, lambda r: r <> 'harness_changed'), "
    "equivalent, change from staleness join runs using (run_id) order by all",
}
"""What does not hang on the texts of modules and timing scripts: the bundle's were written anew, without level4."""


@needs_bundle
@pytest.mark.parametrize("what", ALIKE)
def test_what_the_sample_states_of_modules_compares_as_modules_do(sample, bundle, what):
    found = query(sample, ALIKE[what])
    assert found == query(bundle, ALIKE[what])
    assert found
