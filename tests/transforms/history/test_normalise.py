"""A whole history of one source as rows, compared with a slow and obvious reading of DESIGN sections 4 and 5."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import timedelta
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.histories import (
    A100,
    COMPILED,
    EAGER,
    H100,
    day,
    figures,
    module,
    module_path,
    normalised,
    shown,
    timing_json,
    timing_path,
    timings,
)
from transforms.history.lineage import History
from transforms.history.series import series_of, touched
from transforms.problems.reader import read_module

RELU = "19_ReLU.py"
HERE = timing_path("H")


def runs_of(*trees, head=None) -> list[dict[str, Any]]:
    """The runs of a history, by mean."""
    history, blobs = shown(*trees, head=head)
    return normalised(history, blobs).tables["runs"].sort("mean_ns").to_dicts()


def test_a_run_is_observed_at_the_date_of_the_revision_that_first_showed_it():
    tree = {HERE: timings(n19_ReLU=1.5), module_path(RELU): module("ReLU")}
    (run,) = runs_of(tree, {**tree, "results/timing/README.md": "reworded"})
    assert run["observed_at"] == day("2025-01-01")
    assert run["present"]


def test_nanoseconds_are_rounded_half_up_and_the_interval_is_the_means():
    """1.96 x 0.05 / sqrt(100) = 0.0098; 1.37 has three digits, so it stands for 1.365 to 1.375."""
    (run,) = runs_of({HERE: timings(n19_ReLU=figures(1.37, 0.05, low=1.3, high=1.6))})
    assert (run["mean_ns"], run["std_ns"], run["min_ns"], run["max_ns"]) == (1370000, 50000, 1300000, 1600000)
    assert (run["ci95_low_ns"], run["ci95_high_ns"], run["rounding_ns"]) == (1360200, 1379800, 5000)


def test_the_interval_does_not_reach_below_the_fastest_trial():
    """Of 4 trials, 3.182446 x 0.5 / sqrt(3) = 0.918693: 1.37 less that is less than 1.2."""
    (run,) = runs_of({HERE: timings(n19_ReLU=figures(1.37, 0.5, low=1.2, high=5.0, trials=4))})
    assert (run["ci95_low_ns"], run["ci95_high_ns"]) == (1200000, 2288693)


def test_half_a_nanosecond_is_a_whole_one():
    (run,) = runs_of({HERE: timings(n19_ReLU=figures(0.0000125, 0.0, low=0.0000125, high=0.0000125))})
    assert run["mean_ns"] == 13


def test_flags_say_what_is_worth_knowing():
    path = timing_path("H", "made_up")
    entry = figures(1.5, 0.0, trials=5, hardware="A GPU that nobody knows")
    (run,) = runs_of({path: timings(n19_ReLU=entry)})
    assert run["flags"] == ["few_trials", "unknown_gpu", "unknown_mode", "zero_spread"]
    (run,) = runs_of({HERE: timings(n19_ReLU=figures(1.5, 0.5, hardware=None))})
    assert run["flags"] == ["hardware_missing", "noisy"]


def test_a_run_without_a_module_is_in_no_cohort():
    (run,) = runs_of({HERE: timings(n19_ReLU=1.5)})
    assert (run["workload_id"], run["cohort_id"], run["eligible"]) == (None, None, False)
    assert run["ineligible_reasons"] == ["module_missing"]


def test_a_module_that_is_not_python_leaves_its_run_in_no_cohort():
    (run,) = runs_of({HERE: timings(n19_ReLU=1.5), module_path(RELU): "def get_inputs(:"})
    assert (run["code_digest"], run["workload_id"], run["cohort_id"]) == (None, None, None)
    assert run["ineligible_reasons"] == ["module_not_python"]


def test_a_module_outside_the_grammar_is_a_workload_by_its_code_of_which_the_reader_knows_nothing_more():
    tree = {HERE: timings(n19_ReLU=1.5), module_path(RELU): module("ReLU").replace("torch.rand(rows, 8)", "load()")}
    history, blobs = shown(tree)
    tables = normalised(history, blobs).tables
    (run,) = tables["runs"].iter_rows(named=True)
    assert (run["eligible"], run["ineligible_reasons"]) == (True, [])
    (workload,) = tables["workloads"].iter_rows(named=True)
    assert (run["workload_id"], run["code_digest"]) == (workload["workload_id"], workload["code_digest"])
    unknown = ("inputs", "axes", "scalars", "init", "dtype", "compute_digest")
    assert [workload[name] for name in unknown] == [None] * 6
    assert workload["not_read"].startswith("outside_grammar: line ")


def test_a_told_precision_is_part_of_the_cohort_unless_the_module_says_it_anyway():
    entries = {"n19_ReLU": {**figures(1.5), "precision": "bf16"}, "n20_ReLU": {**figures(1.5), "precision": "fp32"}}
    modules = {module_path(f"{number}_ReLU.py"): module("ReLU") for number in (19, 20)}
    told = {run["problem"]: run for run in runs_of({HERE: timings(**entries), **modules})}
    silent = {run["problem"]: run for run in runs_of({HERE: timings(n19_ReLU=1.5, n20_ReLU=1.5), **modules})}
    assert (told["19_ReLU.py"]["precision"], told["20_ReLU.py"]["precision"]) == ("bf16", None)
    assert told["19_ReLU.py"]["cohort_id"] != silent["19_ReLU.py"]["cohort_id"]
    assert told["19_ReLU.py"]["run_id"] != silent["19_ReLU.py"]["run_id"]
    assert told["20_ReLU.py"]["cohort_id"] == silent["20_ReLU.py"]["cohort_id"]
    assert told["20_ReLU.py"]["run_id"] == silent["20_ReLU.py"]["run_id"]


def test_a_mode_that_ends_in_a_precision_is_measured_in_it():
    path = "results/timing/H/baseline_time_torch_bf16.json"
    (run,) = runs_of({path: timings(n19_ReLU=1.5), module_path(RELU): module("ReLU")})
    assert (run["mode"], run["precision"]) == ("torch_bf16", "bf16")


def test_one_host_with_two_gpus_is_two_environments():
    content = timing_json({"level1": {RELU: figures(1.5), "26_GELU.py": figures(2.0, hardware=A100)}})
    history, blobs = shown({HERE: content})
    environments = normalised(history, blobs).tables["environments"]
    assert sorted(environments.select("host", "hardware").iter_rows()) == [("H", A100), ("H", H100)]


def test_a_gpu_that_nobody_knows_is_kept_as_it_stands():
    history, blobs = shown({HERE: timings(n19_ReLU=figures(1.5, hardware="Strange 9000"))})
    (row,) = normalised(history, blobs).tables["environments"].iter_rows(named=True)
    assert (row["hardware"], row["known"], row["product"]) == ("Strange 9000", False, None)


def test_code_that_differs_by_comments_alone_is_equal():
    content = timings(n19_ReLU=1.5)
    one, two = ({HERE: content, module_path(RELU): module("ReLU", comment=said)} for said in ("this", "that"))
    assert len({run["workload_id"] for run in (*runs_of(one), *runs_of(two))}) == 1


def test_the_head_decides_what_the_problems_are_now():
    tree = {HERE: timings(n19_ReLU=1.5), module_path(RELU): module("ReLU")}
    history, blobs = shown(tree, head={**tree, module_path(RELU): module("ReLU", n=32)})
    tables = normalised(history, blobs).tables
    (problem,) = tables["problems"].iter_rows(named=True)
    (run,) = tables["runs"].iter_rows(named=True)
    assert problem["code_digest"] != run["code_digest"]
    assert problem["workload_id"] != run["workload_id"]
    files = tables["files"].filter(kind="module").select("first_revision", "present").iter_rows()
    assert sorted(files) == [(history.revisions[0].revision, False), (history.head.revision, True)]


# Any history of one host: two modes, three problems, an archive folder.

MODULES = (module("One"), module("One", draw="randn"), module("One", body="torch.tanh(x)"), None)
ENTRIES = (figures(1.5), figures(1.25), figures(2.0, hardware=A100), None)
PROBLEMS = (RELU, "26_GELU.py", "30_Softsign.py")
PATHS = (
    timing_path("H"),
    timing_path("H", COMPILED),
    "results/timing/old/H/baseline_time_torch.json",
)
REFUSED = "{"

contents = st.one_of(
    st.dictionaries(st.sampled_from(PROBLEMS), st.sampled_from(ENTRIES), min_size=1).map(
        lambda entries: timing_json({"level1": entries})
    ),
    st.sampled_from([REFUSED, None, None]),
)
changes = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(PATHS), contents),
        st.tuples(st.sampled_from(PROBLEMS).map(module_path), st.sampled_from(MODULES)),
    ),
    max_size=4,
).map(dict)


def trees_of(steps):
    """Whole trees from the changes between them."""
    tree: dict[str, str] = {}
    for step in steps:
        tree = {path: text for path, text in {**tree, **step}.items() if text is not None}
        yield tree


histories = st.lists(changes, min_size=1, max_size=7).map(lambda steps: list(trees_of(steps)))


PATHS_OF_MODE = {EAGER: (PATHS[0], PATHS[2]), COMPILED: (PATHS[1],)}

Run = tuple[str, str, str, int, int | None]
"""Mode, problem, hardware, mean in ns, and which of MODULES it measured."""


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(trees=histories)
def test_any_history_has_the_runs_and_presence_of_the_table(trees):
    history, blobs = shown(*trees)
    tables = normalised(history, blobs).tables
    expected = {run: intervals(positions, len(trees)) for run, positions in by_the_words(trees).items()}
    found: dict[Run, list[tuple[int, int | None]]] = defaultdict(list)
    for row in tables["presence"].join(tables["runs"], on="run_id").iter_rows(named=True):
        found[run_of(row)].append((row["from_position"], row["until_position"]))
    assert found == expected
    for row in tables["runs"].iter_rows(named=True):
        stood = expected[run_of(row)]
        assert row["observed_at"] == day("2025-01-01") + timedelta(days=stood[0][0])
        assert row["present"] == (stood[-1][1] is None)


def run_of(row: dict[str, Any]) -> Run:
    return row["mode"], row["problem"], row["hardware"], row["mean_ns"], CODE[row["code_digest"]]


CODE = {
    read_module((text or "").encode(), "level1", RELU).code_digest if text else None: n
    for n, text in enumerate(MODULES)
}
"""Code digest to the number of the module that has it."""


def by_the_words(trees: list[dict[str, str]]) -> dict[Run, list[int]]:
    """Section 5 read word by word: every run and the positions at which it stood."""
    stood: dict[Run, list[int]] = defaultdict(list)
    last_seen: dict[str, dict[str, tuple[Any, int]]] = {}
    standing: dict[str, dict[str, tuple[Any, int]]] = {}
    for position, tree in enumerate(trees):
        for mode, paths in PATHS_OF_MODE.items():
            here = [tree[path] for path in paths if path in tree]
            if len(here) != 1:  # none, or two that contradict each other
                standing.pop(mode, None)
            elif here[0] != REFUSED:
                last_seen[mode] = standing[mode] = bound(here[0], tree, last_seen.get(mode, {}))
        for mode, version in standing.items():
            for problem, (figure, code) in version.items():
                stood[mode, problem, figure["hardware"], round(figure["mean"] * 1e6), code].append(position)
    return stood


def bound(content: str, tree: dict[str, str], before: dict[str, tuple[Any, int]]) -> dict[str, tuple[Any, int]]:
    """Each entry of a file with the number of the module that it measured."""
    entries = {problem: entry for problem, entry in json.loads(content)["level1"].items() if entry is not None}
    shared = [problem for problem in entries if problem in before]
    changed = [problem for problem in shared if entries[problem] != before[problem][0]]
    measured_again = len(changed) > len(shared) / 2
    version = {}
    for problem, entry in entries.items():
        code = MODULES.index(tree.get(module_path(problem)))
        goes_on = problem in shared and problem not in changed and (code == before[problem][1] or not measured_again)
        version[problem] = before[problem] if goes_on else (entry, code)
    return version


def intervals(positions: list[int], revisions: int) -> list[tuple[int, int | None]]:
    """Unbroken intervals of positions; one that reaches the newest revision has no end."""
    starts = [p for p in positions if p - 1 not in positions]
    ends = [p + 1 for p in positions if p + 1 not in positions]
    return [(start, None if end == revisions else end) for start, end in zip(starts, ends, strict=True)]


@settings(max_examples=10, deadline=None, derandomize=True, database=None)
@given(trees=histories, split=st.integers(0, 5))
def test_deriving_only_what_was_touched_gives_the_rows_of_deriving_all(trees, split):
    history, blobs = shown(*trees)
    known = 1 + split % len(trees)
    before = History(history.source, None, history.revisions[:known], history.revisions[known - 1])
    series = touched(history, known)
    whole, old = normalised(history, blobs).tables, normalised(before, blobs).tables
    new = normalised(history, blobs, series).tables
    untouched = ~pl.col("mode").is_in([mode for _, mode in series])
    runs = pl.concat([old["runs"].filter(untouched), new["runs"]])
    assert runs.sort("run_id").equals(whole["runs"])
    kept = old["presence"].join(old["runs"].filter(untouched), on="run_id", how="semi")
    assert pl.concat([kept, new["presence"]]).sort("run_id", "from_position").equals(whole["presence"])
    for name in ("sources", "revisions", "files", "problems"):
        assert new[name].equals(whole[name])


def test_only_series_that_a_revision_shows_are_touched_by_it():
    history, _ = shown({HERE: "A"}, {HERE: "A", timing_path("I"): "A"})
    assert touched(history, 1) == set(series_of(history.revisions[1])) - set(series_of(history.revisions[0]))
