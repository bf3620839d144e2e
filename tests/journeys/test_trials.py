"""Small inputs of the kinds on which reading public lineages once went wrong, each from files to tables.

A repository below a subfolder, timing files outside every root, and a side branch under the main line's name have their
own journey: test_roots.py.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.histories import EAGER, GitHistory, figures, ingest_git, module, module_path, query, timing_path, timings
from warehouse.database import Reader
from warehouse.home import Home

DOUBLE = "1_Double_it.py"
RELU = "19_ReLU.py"
PROBLEMS = "lab/problems"


@pytest.fixture
def problems(home, tmp_path) -> GitHistory:
    """A lineage in the home whose modules others measure: three levels, as upstream has them."""
    history = GitHistory(tmp_path / "problems")
    modules = {
        module_path(RELU): module("ReLU"),
        module_path("20_LeakyReLU.py"): module("Leaky"),
        module_path("1_Conv.py", "level2"): module("Conv"),
        module_path("1_MLP.py", "level3"): module("MLP"),
    }
    history.commit("2025-01-01", {timing_path("BoxP"): timings(n19_ReLU=9.0), **modules})
    ingest_git(home, history, name=PROBLEMS)
    return history


def folder_of(tmp_path: Path, files: dict[str, str]) -> Path:
    """A folder ``mine`` that holds these files."""
    for path, text in files.items():
        target = tmp_path / "mine" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return tmp_path / "mine"


def of_mine(home: Home, columns: str, order: str = "all") -> list[tuple[Any, ...]]:
    """The runs of the folder ``mine``."""
    return query(home, f"select {columns} from runs where source = 'mine' order by {order}")


def doubles(factor: int, rows: int = 4096) -> str:
    return module("Double", n=rows, body=f"x * {factor}")


def test_modules_that_return_a_number_or_assign_a_tensor_anew_are_read(kbw, home, tmp_path):
    """Upstream has both forms: a symmetric matrix made of a random one, and a scalar among the inputs."""
    inputs = {
        "1_Mirror.py": "p = torch.rand(side, side)\n    p = (p + p.T) / 2\n    q = torch.rand(side, side)",
        "2_Scale.py": "p = torch.rand(side, side)\n    q = 2.5",
    }
    shape = "class Model(nn.Module):\n    def forward(self, p, q):\n        return p * q"
    mine = folder_of(
        tmp_path,
        {timing_path("BoxA"): timings(n1_Mirror=1.0, n2_Scale=2.0)}
        | {
            module_path(name): f"import torch\nimport torch.nn as nn\n\n\n{shape}\n\n\nside = 512\n\n\n"
            f"def get_inputs():\n    {made}\n    return [p, q]\n\n\ndef get_init_inputs():\n    return []\n"
            for name, made in inputs.items()
        },
    )
    assert kbw("ingest", f"dir:{mine}", "--observed-at", "2026-01-01").returncode == 0
    found = query(home, "select problem, inputs, axes, not_read from workloads order by problem")
    named = {problem: [one["name"] for one in json.loads(inputs)] for problem, inputs, _, _ in found}
    assert named == {"1_Mirror.py": ["p", "q"], "2_Scale.py": ["p"]}
    assert {(axes, not_read) for *_, axes, not_read in found} == {('{"side":512}', None)}
    assert of_mine(home, "problem, eligible") == [("1_Mirror.py", True), ("2_Scale.py", True)]


@pytest.mark.parametrize("order", [("original", "fork"), ("fork", "original")], ids=" first, then ".join)
def test_figures_that_a_squashed_fork_copied_are_no_measurement_of_the_newer_module_beside_them(order, home, tmp_path):
    original, fork = GitHistory(tmp_path / "original"), GitHistory(tmp_path / "fork")
    measured = {timing_path("BigBox"): timings(n1_Double_it=8.45)}
    original.commit("2025-01-01", {**measured, module_path(DOUBLE): doubles(2)})
    original.commit("2025-02-01", {module_path(DOUBLE): doubles(3)})
    fork.commit("2025-03-01", {**measured, module_path(DOUBLE): doubles(3)})
    for name in order:
        ingest_git(home, fork if name == "fork" else original, name=f"t/{name}")
    assert query(home, "select source, eligible, ineligible_reasons from runs order by source") == [
        ("t/fork", False, ["copy"]),
        ("t/original", True, []),
    ]
    assert query(home, "select source from records") == [("t/original",)]
    assert query(home, "select status, source from coverage") == [("not_measured", None)], "nobody timed x * 3"
    assert query(home, "select distinct stale_reasons[1] from records") == [("problem_changed",)]


def test_what_an_original_measured_is_no_gap_of_its_copy(home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path("BigBox"): timings(n1_Double_it=8.45), module_path(DOUBLE): doubles(2)})
    for name in ("t/orig", "t/fork"):
        ingest_git(home, history, name=name)
    cells = "select sources, status, gap_rank, command, runs.copy_of from coverage join runs using (run_id)"
    assert query(home, cells) == [(["t/fork", "t/orig"], "measured", None, None, None)]
    assert query(home, "select count(*) from leaderboard") == [(1,)]
    assert query(home, "select count(*) from record_history") == [(1,)], "history shows the figure once"


def test_two_codes_under_one_name_have_no_common_ranking(kbw, home, tmp_path):
    """A module of upstream's before July 2025 and its larger successor share level, number and title."""
    boxes = {"big": ("BigBox", 12.0, 4096), "small": ("SmallBox", 0.01, 16)}
    for name, (host, mean, rows) in boxes.items():
        mine = folder_of(
            tmp_path / name,
            {timing_path(host): timings(n1_Double_it=figures(mean, 0.0001)), module_path(DOUBLE): doubles(2, rows)},
        )
        assert kbw("ingest", f"dir:{mine}", "--name", name, "--observed-at", "2026-01-01").returncode == 0
    assert query(home, "select source, rank, cohort_size, vs_first from baselines order by source") == [
        ("big", 1, 1, 1.0),
        ("small", 1, 1, 1.0),
    ]
    assert query(home, "select count(distinct cohort_id), count(distinct compute_digest) from baselines") == [(2, 2)]
    assert query(home, "select sources, source, host from coverage order by source") == [
        (["big"], "big", "BigBox"),
        (["small"], "small", "SmallBox"),
    ]


def test_bf16_holds_no_record_over_fp32(kbw, home, tmp_path, problems):
    entry = {"fp32": figures(5.0), "bf16": figures(1.1)}
    told = {precision: timings(n19_ReLU=one | {"precision": precision}) for precision, one in entry.items()}
    files = {timing_path("Mine"): told["fp32"], timing_path("Mine", f"{EAGER}_bf16"): told["bf16"]}
    mine = folder_of(tmp_path, files)
    done = kbw("ingest", f"dir:{mine}", "--problems", PROBLEMS, "--observed-at", "2026-01-01")
    assert done.returncode == 0, done.stderr
    columns = "coalesce(precision, 'as the module says'), records.mean_ns, cohort_size, margin_ratio, clear"
    found = query(
        home, f"select {columns} from records join runs using (run_id) where records.source = 'mine' order by 2"
    )
    assert [row[1:] for row in found] == [(1_100_000, 1, None, None), (5_000_000, 1, None, None)]
    assert found[0][0] == "bf16"


@pytest.mark.parametrize("where", ["file", "entry"])
def test_microseconds_that_are_declared_are_microseconds(where, kbw, home, tmp_path, problems):
    entry = figures(4280.0, 42.8) | ({"unit": "us"} if where == "entry" else {})
    document: dict[str, Any] = {"unit": "us"} if where == "file" else {}
    mine = folder_of(tmp_path, {timing_path("Mine"): json.dumps({**document, "level1": {RELU: entry}})})
    kbw("ingest", f"dir:{mine}", "--problems", PROBLEMS, "--observed-at", "2026-01-01")
    assert of_mine(home, "mean_ns, std_ns, min_ns, max_ns, eligible") == [
        (4_280_000, 42_800, 2_140_000, 6_420_000, True)
    ]


def test_files_of_one_level_beside_that_of_all_are_one_mode_and_each_figure_one_run(kbw, home, tmp_path, problems):
    levels = {"level1": RELU, "level2": "1_Conv.py", "level3": "1_MLP.py"}
    document = {level: {problem: figures(float(level[-1]))} for level, problem in levels.items()}
    files = {timing_path("Mine", f"{EAGER}_{level}"): json.dumps({level: document[level]}) for level in levels}
    mine = folder_of(tmp_path, {timing_path("Mine"): json.dumps(document), **files})
    kbw("ingest", f"dir:{mine}", "--problems", PROBLEMS, "--observed-at", "2026-01-01")
    assert of_mine(home, "level, mode, mean_ns, eligible") == [
        ("level1", EAGER, 1_000_000, True),
        ("level2", EAGER, 2_000_000, True),
        ("level3", EAGER, 3_000_000, True),
    ]
    assert query(home, "select distinct cohort_size from leaderboard") == [(1,)]
    assert query(home, "select count(*) from quarantine") == [(0,)]


def test_keys_without_their_ending_are_bound_to_the_one_module_that_fits(kbw, home, tmp_path, problems):
    loose = {"level_1": {"19_ReLU": figures(30.0), "20_LeakyReLU": figures(31.0), "21_Gone": figures(32.0)}}
    mine = folder_of(tmp_path, {timing_path("Mine"): json.dumps(loose)})
    kbw("ingest", f"dir:{mine}", "--problems", PROBLEMS, "--observed-at", "2026-01-01")
    assert of_mine(home, "level, problem, eligible") == [
        ("level1", "19_ReLU.py", True),
        ("level1", "20_LeakyReLU.py", True),
    ]
    refused = "select problem_key, reason, detail like '%21_Gone.py%' from quarantine where source = 'mine'"
    assert query(home, refused) == [("21_Gone", "bad_problem_name", True)]


GPUS = {
    "AMD Instinct MI300X OAM": ("amd", "AMD Instinct MI300X"),
    "AMD Instinct MI325X": ("amd", "AMD Instinct MI325X"),
    "MTT S4000": ("mthreads", "MTT S4000"),
    "NVIDIA A100-SXM-80GB": ("nvidia", "NVIDIA A100"),
    "NVIDIA A800-SXM4-40GB": ("nvidia", "NVIDIA A800"),
    "NVIDIA GB200": ("nvidia", "NVIDIA GB200"),
    "NVIDIA GeForce RTX 5090": ("nvidia", "NVIDIA GeForce RTX 5090"),
    "NVIDIA H100": ("nvidia", "NVIDIA H100"),
    "NVIDIA H20": ("nvidia", "NVIDIA H20"),
    "Tesla V100-SXM2-32GB": ("nvidia", "NVIDIA V100"),
}


def test_gpus_are_known_by_what_files_call_them_and_one_that_is_not_is_kept_and_flagged(kbw, home, tmp_path, problems):
    """The strings that public lineages report; the slice of an A100 is a GPU of its own."""
    slice_of = "NVIDIA A100-SXM4-40GB MIG 3g.20gb"
    strange = "Frobnicator 9000"
    hosts = {f"Box{n}": name for n, name in enumerate([*GPUS, slice_of, strange])}
    reported = {host: timings(n19_ReLU=figures(1.0, hardware=name)) for host, name in hosts.items()}
    mine = folder_of(tmp_path, {timing_path(host): text for host, text in reported.items()})
    assert kbw("ingest", f"dir:{mine}", "--problems", PROBLEMS, "--observed-at", "2026-01-01").returncode == 0
    known = "select hardware, vendor, product from environments where source = 'mine'"
    found = {hardware: (vendor, product) for hardware, vendor, product in query(home, known)}
    assert {name: found[name] for name in GPUS} == GPUS
    memory = "select memory_gb from environments where hardware = '{}'"
    assert query(home, memory.format(slice_of)) == [(20,)]
    assert found[strange][0] is None
    flagged = of_mine(home, "hardware, eligible, flags", "hardware")
    assert [row for row in flagged if row[2]] == [(strange, True, ["unknown_gpu"])]


def test_who_asks_for_one_name_is_told_every_code_of_it(kbw, home, tmp_path):
    """What ``kbw show`` asks: each figure ranked within its own cohort, whatever other code has the name."""
    one, other = GitHistory(tmp_path / "one"), GitHistory(tmp_path / "other")
    one.commit("2025-01-01", {timing_path("BoxA"): timings(n1_Double_it=12.0), module_path(DOUBLE): doubles(2)})
    other.commit("2025-01-02", {timing_path("BoxB"): timings(n1_Double_it=0.1), module_path(DOUBLE): doubles(2, 16)})
    ingest_git(home, one, name="a/one")
    ingest_git(home, other, name="b/other")
    with closing(Reader(home.database)) as reader:
        rows = reader.query("problem_standing", level="level1", problem=DOUBLE, moment=None).records()
    assert [(row["rank"], row["cohort_size"], row["vs_first"], row["stands"]) for row in rows] == [
        (1, 1, 1.0, True)
    ] * 2
