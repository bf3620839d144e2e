"""Why figures changed, how far sessions disagree, what was taken away, what is noisy, what is missing."""

from __future__ import annotations

import math
import re
import shutil
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from tests.histories import (
    A100,
    COMPILED,
    EAGER,
    H100,
    GitHistory,
    day,
    failed_checks,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)
from tests.sql.facts import Figures, facts, rounding
from transforms.registry import harnesses
from warehouse import sqlfiles
from warehouse.database import Reader, attach, connect
from warehouse.home import Home

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "trust.md"
TIMED = (
    "baseline_history",
    "repeatability",
    "noise",
    "removals",
    "records",
    "coverage",
    "staleness",
    "workload_changes",
    "records_as_of('2025-07-10')",
    "figures_between('ScalingIntelligence/KernelBench', 3, 9)",
)


@pytest.fixture(scope="module")
def sample(sample_home):
    with closing(Reader(sample_home.database)) as reader:
        yield reader


def constructed(name: str, arguments: str) -> str:
    """A module whose constructor takes arguments."""
    return module(name).replace("return []", f"return {arguments}")


CHANGED = {
    "n1_Again": (module("a"), module("a"), "measured_again"),
    "n2_Redrawn": (module("a"), module("a", draw="randn"), "inputs_redrawn"),
    "n3_Shapes": (module("a"), module("a", n=32), "inputs_changed"),
    "n4_Computation": (module("a"), module("a", body="torch.tanh(x)"), "computation_changed"),
    "n5_Both": (module("a"), module("a", n=32, body="torch.tanh(x)"), "inputs_changed"),
    "n6_Arguments": (constructed("a", "[4]"), constructed("a", "[5]"), "inputs_changed"),
    "n7_Unreadable": (module("a"), "def get_inputs(:", None),
}
"""Problem, its module before and after, and the reason of the new figures."""


def path_of(name: str) -> str:
    return module_path(f"{name.removeprefix('n')}.py")


@pytest.fixture(scope="module")
def changed(tmp_path_factory) -> Home:
    """Every kind of change between two revisions; then one figure goes, and comes back as it was."""
    folder = tmp_path_factory.mktemp("changed")
    history = GitHistory(folder / "repository")
    declaring = {
        "results/timing/README.md": "PyTorch `2.5.0+cu124` and CUDA 12.4",
        "requirements.txt": "torch==2.5.0\n",
    }
    before = {path_of(name): old for name, (old, _, _) in CHANGED.items()} | {path_of("n8_Gone"): module("a")}
    after = {path_of(name): new for name, (_, new, _) in CHANGED.items()}
    first = dict.fromkeys(CHANGED, 2.0)
    again = dict.fromkeys(CHANGED, 2.5)
    history.commit("2025-01-01", {timing_path(): timings(**first, n8_Gone=1.0), **before, **declaring})
    history.commit("2025-02-01", {timing_path(): timings(**again), **after, "requirements.txt": "torch==2.9.0\n"})
    history.commit("2025-02-11", {timing_path(): timings(**again, n8_Gone=1.0)})
    home = Home(folder / "home")
    ingest_git(home, history)
    return home


def test_a_new_version_says_why_and_by_how_much(changed):
    rows = query(changed, "select problem, ratio, reason, beyond_interval from baseline_history where version = 2")
    assert {problem: (ratio, reason, beyond) for problem, ratio, reason, beyond in rows} == {
        **{f"{name.removeprefix('n')}.py": (1.25, reason, True) for name, (_, _, reason) in CHANGED.items()},
        "8_Gone.py": (1.0, "returned", False),
    }


def test_the_first_version_has_no_reason_and_nothing_before_it(changed):
    columns = "reason, ratio, previous_run_id, previous_toolchain, previous_toolchain_conflict, gap_days"
    found = query(changed, f"select distinct {columns} from baseline_history where version = 1")
    assert found == [(None,) * 6]


def test_a_conflict_of_requirements_and_readme_is_told_as_unknown(changed):
    found = query(
        changed,
        """
        select distinct toolchain, toolchain_conflict, previous_toolchain, previous_toolchain_conflict
        from baseline_history where reason = 'measured_again'""",
    )
    assert found == [(None, True, "torch 2.5.0, CUDA 12.4", False)]


def test_what_came_back_keeps_what_was_declared_when_it_appeared(changed):
    columns = "toolchain, from_at, gap_days"
    found = query(changed, f"select {columns} from baseline_history where problem = '8_Gone.py' order by version")
    assert found == [
        ("torch 2.5.0, CUDA 12.4", day("2025-01-01"), None),
        ("torch 2.5.0, CUDA 12.4", day("2025-02-11"), 10),
    ]


def test_a_removal_names_the_revision_and_the_gap_and_a_replaced_figure_is_none(changed):
    columns = "problem, shown_from, removed_at, returned_at, gap_days, whole_file"
    assert query(changed, f"select {columns} from removals") == [
        ("8_Gone.py", day("2025-01-01"), day("2025-02-01"), day("2025-02-11"), 10, False)
    ]


def test_checks_pass_on_every_kind_of_change(changed):
    assert failed_checks(changed) == {}


def test_the_change_at_head_is_told_beside_the_doubt(changed):
    found = query(
        changed,
        """
        select problem, change, equivalent from staleness join runs using (run_id)
        where mean_ns = 2e6 order by problem""",
    )
    assert found == [
        ("1_Again.py", None, None),
        ("2_Redrawn.py", "inputs_redrawn", True),
        ("3_Shapes.py", "inputs_changed", False),
        ("4_Computation.py", "computation_changed", False),
        ("5_Both.py", "inputs_changed", False),
        ("6_Arguments.py", "inputs_changed", False),
        ("7_Unreadable.py", None, False),
    ]


def test_a_code_that_nobody_measured_is_compared_too(tmp_path):
    """The head is no revision, and nothing on it was measured."""
    history = GitHistory(tmp_path / "repository")
    before = {path_of(name): old for name, (old, _, _) in CHANGED.items()} | {path_of("n8_Deleted"): module("a")}
    history.commit("2025-01-01", {timing_path(): timings(**dict.fromkeys(CHANGED, 1.0), n8_Deleted=1.0), **before})
    after = {path_of(name): new for name, (_, new, _) in CHANGED.items()} | {path_of("n8_Deleted"): None}
    history.commit("2025-02-01", after)
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    found = query(home, "select problem, change from staleness join runs using (run_id) order by problem")
    assert found == [
        ("1_Again.py", None),
        ("2_Redrawn.py", "inputs_redrawn"),
        ("3_Shapes.py", "inputs_changed"),
        ("4_Computation.py", "computation_changed"),
        ("5_Both.py", "inputs_changed"),
        ("6_Arguments.py", "inputs_changed"),
        ("7_Unreadable.py", None),
        ("8_Deleted.py", "gone"),
    ]
    assert failed_checks(home) == {}
    read = "select (select count(*) from workloads), (select count(*) from problem_codes)"
    assert query(home, read) == [(8, 13)], "eight were measured; the new codes of numbers 2 to 6 were not"


def test_a_code_that_stood_between_two_measured_ones_is_known_and_goes_with_its_source(tmp_path):
    """A head that is no revision is forgotten when the next one comes, and so is a code that it alone showed."""
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n1_A=1.0), path_of("n1_A"): module("a")})
    head = history.commit("2025-02-01", {path_of("n1_A"): module("a", n=32)})
    history.commit("2025-03-01", {path_of("n1_A"): module("a", n=64)})
    home = Home(tmp_path / "home")
    rows = "select axes, workload_id in (select workload_id from workloads) from problem_codes order by axes"
    ingest_git(home, history, head)
    assert query(home, rows) == [('{"rows":16}', True), ('{"rows":32}', False)]
    ingest_git(home, history)
    assert query(home, rows) == [('{"rows":16}', True), ('{"rows":64}', False)]


DECLARED = {
    ("torch==2.5.0", "2.5.0+cu124"): ("torch 2.5.0", False),
    ("torch==2.5.0+cu124", "2.5.0"): ("torch 2.5.0", False),
    ("torch==2.9.0", "2.5.0+cu124"): (None, True),
    ("torch==2.9.*", "2.9.1+cu128"): ("torch 2.9.1", False),
    ("torch==2.9.*", "2.5.0"): (None, True),
    ("torch==2.5.*", "2.50.0"): (None, True),
    ("torch==2.9.*", None): ("torch 2.9.*", False),
    ("torch>=2.5", "2.4.0"): ("torch 2.4.0", False),
    ("torch", None): (None, False),
    (None, None): (None, False),
}
"""What requirements and README say, and what can be said of both: the toolchain, and whether they contradict."""


@pytest.fixture(scope="module")
def writable(sample_home, tmp_path_factory):
    path = tmp_path_factory.mktemp("declared") / "copy.duckdb"
    shutil.copyfile(sample_home.database, path)
    with connect() as connection:
        attach(connection, path, "copy", "read_write")
        yield connection


@pytest.mark.parametrize("said", DECLARED, ids=str)
def test_what_two_files_declare_is_one_statement_or_unknown(said, writable):
    writable.execute("begin")
    try:
        writable.execute("update revisions set requirements_torch = $1, readme_torch = $2, readme_cuda = null", said)
        writable.execute(sqlfiles.folder("derived")["declared_software"].text)
        found = writable.execute("select distinct toolchain, toolchain_conflict from declared_software").fetchall()
        assert found == [DECLARED[said]]
    finally:
        writable.execute("rollback")


def test_repeatability_is_what_hand_calculation_gives(tmp_path):
    """Ratios 1, 1.02, 1.1, 1.25, 1.5: the median is 1.1; place 3.6 lies six tenths of the way from ln 1.25 to ln 1.5.

    2 +- 0.8 (100 trials: standard error 0.08) and 2.04 differ by less than 1.96 x 0.113; equal means do not differ;
    the others differ by far more than 0.01. All lie between 1 and 10 ms, and come from one pair of commits.
    """
    wide = {"std": 0.8}
    pairs = {
        "n1_Slower": (figures(2.0), figures(2.2)),
        "n2_Faster": (figures(2.0), figures(1.6)),
        "n3_Equal": (figures(2.0, 0.01), figures(2.0, 0.02)),
        "n4_Half": (figures(4.0), figures(6.0)),
        "n5_Wide": (figures(2.0, **wide), figures(2.04, **wide)),
    }
    other_code = {"n6_Redrawn": (figures(2.0), figures(3.0))}
    every = {**pairs, **other_code}
    history = GitHistory(tmp_path / "repository")
    modules = {path_of(name): module("a") for name in every}
    history.commit("2025-01-01", {timing_path(): timings(**{n: old for n, (old, _) in every.items()}), **modules})
    redrawn = {path_of("n6_Redrawn"): module("a", draw="randn")}
    history.commit("2025-01-02", {timing_path(): timings(**{n: new for n, (_, new) in every.items()}), **redrawn})
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    ((of_class, pairs_found, sessions, beyond, *rest, basis, limit),) = query(
        home,
        """
        select duration_class, pairs, sessions, beyond_interval, share_beyond_interval, median_log_ratio, p90_log_ratio,
            max_log_ratio, limit_basis, limit_ratio
        from repeatability where pairs > 0""",
    )
    assert (of_class, pairs_found, sessions, beyond, basis, limit) == ("1 to 10 ms", 5, 1, 3, None, None)
    ninetieth = math.log(1.25) + 0.6 * (math.log(1.5) - math.log(1.25))
    assert rest == pytest.approx([0.6, math.log(1.1), ninetieth, math.log(1.5)])


def test_a_record_is_clear_between_sessions_when_its_margin_exceeds_what_sessions_show(tmp_path):
    """Thirty pairs that change by 1, 2, ... 30 %, half of them a day later: place 26.1 lies just above 27 %."""
    names = [f"n{i}_Problem" for i in range(1, 31)]
    history = GitHistory(tmp_path / "repository")
    modules = {path_of(name): module("a") for name in [*names, "n31_Alone"]}
    other = {
        timing_path("other_lab"): timings(
            n1_Problem=1.0, n2_Problem=1.0, n3_Problem=figures(1.0, 0.4), n31_Alone=figures(1.0)
        ),
        timing_path("other_lab", COMPILED): timings(n1_Problem=1.27, n2_Problem=1.28, n3_Problem=figures(1.05, 0.4)),
    }
    history.commit("2025-01-01", {timing_path(): timings(**dict.fromkeys(names, 1.0)), **modules, **other})
    again = {name: 1 + i / 100 for i, name in enumerate(names, 1)}
    first_half = {name: again[name] if i % 2 else 1.0 for i, name in enumerate(names, 1)}
    history.commit("2025-01-02", {timing_path(): timings(**first_half)})
    history.commit("2025-01-03", {timing_path(): timings(**again)})
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    limit = pytest.approx(1.27 * (1.28 / 1.27) ** 0.1)
    found = """
        select host, limit_basis, limit_pairs, limit_sessions, limit_ratio
        from repeatability where duration_class = '0.1 to 1 ms' order by host"""
    assert query(home, found) == [("H100_lab", "environment", 30, 2, limit), ("other_lab", "GPU", 30, 2, limit)]
    wanted = "problem, clear, clear_between_sessions"
    assert query(home, f"select {wanted} from records where host = 'other_lab' order by level, problem") == [
        ("1_Problem.py", True, False),
        ("2_Problem.py", True, True),
        ("31_Alone.py", None, None),
        ("3_Problem.py", False, False),
    ]
    before = f"select {wanted} from records_as_of('2025-01-01 12:00') where host = 'other_lab' order by level, problem"
    assert [between for *_, between in query(home, before)] == [None, None, None, False]


def test_sessions_not_yet_shown_at_a_moment_are_not_counted(changed):
    counted = "select sum(pairs) from repeatability_as_of('{}')"
    assert query(changed, counted.format("2025-01-15")) == [(0,)]
    assert query(changed, counted.format("2025-02-15")) == [(1,)]


def test_noise_remarks_on_what_is_odd_and_on_nothing_else(tmp_path):
    history = GitHistory(tmp_path / "repository")
    names = ("n1_Wide", "n2_Skewed", "n3_Plain", "n4_Twin", "n5_Slower")
    eager = timings(
        n1_Wide=figures(1.0, 0.3),
        n2_Skewed=figures(1.0, 0.1, low=0.6, high=3.0),
        n3_Plain=figures(1.0, low=0.9, high=1.1),
        n4_Twin=figures(7.0, low=6.0, high=8.0),
        n5_Slower=figures(1.0, low=0.9, high=1.1),
    )
    compiled = timings(n3_Plain=figures(1.005, low=0.9, high=1.1), n5_Slower=figures(1.5, low=1.4, high=1.6))
    mixed = timings(n3_Plain=figures(2.0, low=1.9, high=2.1), n4_Twin=figures(7.0, low=6.0, high=8.0, hardware=A100))
    tree = {timing_path(): eager, timing_path(mode=COMPILED): compiled, timing_path("mixed_lab"): mixed}
    history.commit("2025-01-01", {**tree, **{path_of(name): module("a") for name in names}})
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    rows = query(home, "select host, mode, split_part(problem, '.', 1), remarks from noise where len(remarks) > 0")
    assert {tuple(where): remarks for *where, remarks in rows} == {
        ("H100_lab", EAGER, "1_Wide"): ["wide_spread", "skewed"],
        ("H100_lab", EAGER, "2_Skewed"): ["skewed"],
        ("H100_lab", EAGER, "4_Twin"): ["same_on_other_host"],
        ("H100_lab", COMPILED, "5_Slower"): ["slower_than_eager"],
        ("mixed_lab", EAGER, "3_Plain"): ["mixed_gpus"],
        ("mixed_lab", EAGER, "4_Twin"): ["mixed_gpus", "same_on_other_host"],
    }
    assert query(home, "select distinct file_gpus from noise where host = 'mixed_lab'") == [([A100, H100],)]
    assert query(home, "select vs_eager from noise where problem = '5_Slower.py' and mode <> 'torch'") == [(1.5,)]


def test_gaps_come_by_use_and_say_what_fills_them(tmp_path):
    """Eager stands thrice, compiled once; H100 twice, the others once; an odd name is never put into a command."""
    history = GitHistory(tmp_path / "repository")
    history.commit(
        "2025-01-01",
        {
            timing_path("H100_Modal"): timings(n1_A=1.0, n2_B=1.0),
            timing_path("A_lab", COMPILED): timings(n1_A=figures(1.0, hardware=A100)),
            timing_path("od d;"): timings(n2_B=figures(1.0, hardware="Tesla T4")),
            path_of("n1_A"): module("a"),
            path_of("n2_B"): module("b"),
        },
    )
    home = Home(tmp_path / "home")
    ingest_git(home, history)
    found = query(
        home, "select problem, hardware, mode, command from coverage where gap_rank is not null order by gap_rank"
    )
    own = 'python scripts/generate_baseline_time.py  # there, with hardware_name = "{}"'
    assert [(problem[0], *rest) for problem, *rest in found] == [
        ("1", A100, EAGER, own.format("A_lab")),
        ("1", "Tesla T4", EAGER, None),
        ("2", A100, EAGER, own.format("A_lab")),
        ("1", H100, COMPILED, own.format("H100_Modal")),
        ("2", H100, COMPILED, own.format("H100_Modal")),
        ("1", "Tesla T4", COMPILED, None),
        ("2", A100, COMPILED, own.format("A_lab")),
        ("2", "Tesla T4", COMPILED, None),
    ]


def test_a_gap_on_modal_is_filled_by_its_script(sample):
    found = sample.sql("select level, problem, hardware, command from coverage where gap_rank = 1").rows
    command = "python scripts/generate_baseline_time_modal.py level=1 gpu=H100 hardware_name=H100_Modal"
    assert found == [("level1", "12_Matmul_with_diagonal_matrices_.py", "NVIDIA H100 80GB HBM3", command)]


def test_every_harness_of_upstream_is_known_warm_before_2025_12_31_and_cleared_since(sample):
    """The first trial is left out since the same day."""
    shown = sample.sql("select harness_digest, committed_at >= '2025-12-31' from revisions").rows
    assert len(shown) == 14
    assert {(digest, harnesses()[digest].l2_cleared) for digest, _ in shown} == set(shown)
    assert {(digest, harnesses()[digest].first_trial_discarded) for digest, _ in shown} == set(shown)
    of_runs = "select distinct host, harness_l2_cleared from baselines where present order by host"
    assert sample.sql(of_runs).rows == [("H100_Modal", True), ("H100_PCIe_LambdaLabs", False)]


def test_the_diagonal_product_computes_something_else_and_attention_has_other_inputs(sample):
    """level1/12 on both hosts; level1/97 went from fp16 to fp32."""
    found = sample.sql(
        """
        select split_part(problem, '_', 1), host, stale, list_contains(reasons, 'problem_changed'), change, count(*)
        from staleness inner join runs using (run_id)
        where present and level = 'level1' and split_part(problem, '_', 1) in ('12', '97')
        group by all order by all"""
    ).rows
    assert found == [
        (number, host, True, True, change, 2)
        for number, change in (("12", "computation_changed"), ("97", "inputs_changed"))
        for host in ("H100_Modal", "H100_PCIe_LambdaLabs")
    ]


def test_between_march_and_july_of_238_changed_problems_53_only_draw_otherwise(sample):
    ends = {"source": "ScalingIntelligence/KernelBench", "before": 8, "after": 9}
    rows = [
        row
        for row in sample.query("diff_problems", **ends, level=None, family=None).records()
        if row["what"] == "changed"
    ]
    redrawn = [(row["level"], row["problem"]) for row in rows if row["reason"] == "inputs_redrawn"]
    assert (len(rows), len(redrawn)) == (238, 53)
    assert ("level3", "28_VisionTransformer.py") in redrawn
    assert None not in {row["reason"] for row in rows}


def test_the_problems_of_t4_were_measured_again_and_disagree_as_the_facts_say(sample):
    versions = defaultdict(list)
    for run in facts().runs:
        if (run.key.host, run.key.mode) == ("T4_modal", EAGER):
            versions[run.key.level, run.key.problem, run.code].append(run)
    pairs = [sorted(runs, key=lambda run: run.positions[0]) for runs in versions.values() if len(runs) == 2]
    expected = {(old.key.level, old.key.problem): new.figures.mean / old.figures.mean for old, new in pairs}
    assert len(expected) == 249
    rows = sample.sql(
        """
        select level, problem, ratio from baseline_history
        where host = 'T4_modal' and mode = 'torch' and reason = 'measured_again'"""
    ).rows
    assert {(level, problem): pytest.approx(ratio) for level, problem, ratio in rows} == expected
    by_class = defaultdict(list)
    for old, new in pairs:
        by_class[duration_class(old.figures.mean)].append((old.figures, new.figures))
    found = sample.sql(
        "select duration_class, pairs, sessions, beyond_interval, p90_log_ratio, limit_basis "
        "from repeatability where pairs > 0"
    ).rows
    assert {of_class: row for of_class, *row in found} == {
        of_class: [len(measured), 1, sum(apart(*pair) for pair in measured), pytest.approx(ninetieth(measured)), None]
        for of_class, measured in by_class.items()
    }
    assert sum(beyond for *_, beyond, _, _ in found) / 249 > 1 / 3


def duration_class(mean: float) -> str:
    """Of a mean in milliseconds."""
    return (
        "below 0.1 ms" if mean < 0.1 else "0.1 to 1 ms" if mean <= 1 else "1 to 10 ms" if mean <= 10 else "above 10 ms"
    )


def apart(old: Figures, new: Figures) -> bool:
    """Whether two means differ by more than their errors and roundings explain."""
    variance = old.std**2 / old.num_trials + new.std**2 / new.num_trials
    return abs(old.mean - new.mean) > 1.96 * math.sqrt(variance) + rounding(old.mean) + rounding(new.mean)


def ninetieth(measured: list[tuple[Figures, Figures]]) -> float:
    """The 90th percentile of the logarithms of their ratios."""
    ratios = sorted(abs(math.log(new.mean / old.mean)) for old, new in measured)
    place = 0.9 * (len(ratios) - 1)
    low = math.floor(place)
    return ratios[low] + (place - low) * (ratios[min(low + 1, len(ratios) - 1)] - ratios[low])


def test_the_files_that_mix_gpus_are_told_and_their_figures_are_environments_apart(sample):
    found = sample.sql(
        "select host, mode, file_gpus, count(distinct path) from noise join runs using (run_id, host, mode) "
        "where list_contains(remarks, 'mixed_gpus') group by all order by all"
    ).rows
    assert found == [
        ("A100_modal", "torch", ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-80GB"], 1),
        ("A10G_modal", "torch", ["NVIDIA A10", "NVIDIA A10G"], 1),
        ("A10G_modal", "torch_compile_inductor_default", ["NVIDIA A10", "NVIDIA A10G"], 1),
    ]
    apart = "select host, count(*) from environments where host in ('A10G_modal', 'A100_modal') group by 1 order by 1"
    assert sample.sql(apart).rows == [("A100_modal", 2), ("A10G_modal", 2)]


def test_everything_withdrawn_is_a_removal_of_july(sample):
    found = sample.sql("select removed_at::date::varchar, count(*), count(returned_at) from removals group by 1").rows
    last = [run for run in facts().runs if run.positions[-1] != facts().last]
    replaced = 249
    assert found == [("2025-07-21", len(last) - replaced, 0)]


BLOCKS = re.findall(r"```sql\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)


def test_the_manual_has_a_query_for_every_view():
    for view in ("baseline_history", "repeatability", "noise", "removals", "records", "staleness", "coverage"):
        assert any(f"from {view}\n" in block or f"join {view} " in block for block in BLOCKS), view


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: re.findall(r"from (\w+)", block)[-1])
def test_a_query_of_the_manual_answers(sample, block):
    assert sample.sql(block).rows


def test_the_figures_of_the_manual_are_those_of_its_query(sample):
    (block,) = [block for block in BLOCKS if "from repeatability\n" in block]
    table = MANUAL.read_text(encoding="utf-8").split("On the sample it answers:")[1].split("\n\n")[1]
    told = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert told == [[str(value) for value in row] for row in sample.sql(block).rows]


@pytest.mark.slow
@pytest.mark.parametrize("name", TIMED)
def test_a_view_answers_in_half_a_second(sample, name):
    """The best of several: what the answer costs when nothing else runs."""
    seconds = []
    for _ in range(4):
        start = time.perf_counter()
        sample.sql(f"select count(columns(*)) from {name}")
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.5
