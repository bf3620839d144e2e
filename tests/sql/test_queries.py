"""The questions of ``docs/queries``: each is run on the sample and compared with what its facts give by other means."""

from __future__ import annotations

import csv
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.sql.facts import Run, facts
from transforms.registry import gpus
from warehouse.database import Reader

ROOT = Path(__file__).resolve().parents[2]
QUERIES = sorted((ROOT / "docs" / "queries").glob("*.sql"))
VIT = ("level3", "28_VisionTransformer.py")
EAGER = "torch"
JULY_21 = datetime(2025, 7, 21, 22, 53, 40)
DECEMBER_31 = datetime(2025, 12, 31, 17, 28, 1)

Rows = list[tuple[Any, ...]]


def fastest_on_one_machine() -> Rows:
    """As on the public page: 1.37 ms +- 0.05 and 1.81 ms +- 0.01, mean of 100, 1.32x."""
    return [
        (1, 1, "torch.compile (inductor)", 1.37, 1.96 * 0.238 / 10, 100, 1.0, 1.81 / 1.37, DECEMBER_31),
        (2, 2, "PyTorch eager", 1.81, 1.96 * 0.0516 / 10, 100, 1.81 / 1.37, 1.0, DECEMBER_31),
    ]


def standing() -> dict[tuple[str, str, str], list[Run]]:
    """The runs that stand, by host and problem: at the newest revision a host has one GPU and a problem one code."""
    found = defaultdict(list)
    for run in facts().present:
        found[run.key.host, run.key.level, run.key.problem].append(run)
    return found


def eager_of(runs: list[Run]) -> float:
    return next(run.figures.mean for run in runs if run.key.mode == EAGER)


def records_on_one_gpu() -> Rows:
    rows = []
    for (host, level, problem), runs in standing().items():
        if runs[0].key.hardware == "NVIDIA H100 80GB HBM3":
            best = min(runs, key=lambda run: (run.figures.mean, run.key.mode))
            mean = best.figures.mean
            rows.append((level, problem, host, best.key.mode, mean, eager_of(runs) / mean))
    return sorted(rows, key=lambda row: (-row[5], row[:3]))[:10]


def does_compiling_pay() -> Rows:
    ratios = defaultdict(list)
    for runs in standing().values():
        for run in runs:
            if run.key.mode != EAGER:
                ratios[run.key.host, run.key.mode].append(eager_of(runs) / run.figures.mean)
    return sorted((*who, len(of), sum(ratio > 1 for ratio in of), median(of)) for who, of in ratios.items())


def apart(one: Run, other: Run) -> bool:
    return one.figures.high < other.figures.low or other.figures.high < one.figures.low


def where_compiling_loses() -> Rows:
    rows = []
    for (host, level, problem), runs in standing().items():
        first, second = sorted(runs, key=lambda run: run.figures.mean)
        if first.key.mode == EAGER and apart(first, second):
            rows.append((host, level, problem, first.figures.mean / second.figures.mean))
    return sorted(rows, key=lambda row: (row[3], row[:3]))[:10]


def on_a_past_day() -> Rows:
    position = facts().newest(datetime(2025, 7, 10))
    rows = []
    for (host, hardware, *problem, _), runs in facts().cohorts().items():
        best = facts().leader(runs, position)
        if best and tuple(problem) == VIT:
            rows.append((host, gpus()[hardware].product, best.key.mode, best.figures.mean, facts().first_at(best)))
    return sorted(rows)


def what_was_withdrawn() -> Rows:
    gone = Counter((facts().at[run.positions[-1] + 1], run.key.host) for run in facts().runs if run not in now())
    return sorted((*what, runs) for what, runs in gone.items())


def now() -> frozenset[Run]:
    return facts().present


def named(declared: dict[str, Any]) -> list[str | None]:
    """The versions that a revision names: of a requirement the one that it pins."""
    pinned = re.search(r"===?([\d.*]+)", declared["requirements_torch"] or "")
    return [pinned and pinned[1], declared["readme_torch"], declared["readme_cuda"]]


def why_stale() -> Rows:
    """Upstream's scripts clear the L2 cache, and leave the first trial out, since 2025-12-31; the rest is alike."""
    known, day, cleared = facts(), datetime(2026, 3, 6), datetime(2025, 12, 31)
    head = known.modules(known.last)
    reasons: Counter[str] = Counter()
    for run in now():
        first = run.positions[0]
        then, today = known.declared[first], known.declared[known.last]
        reasons["age"] += (day.date() - known.at[first].date()).days > 180
        both = zip(named(then), named(today), strict=True)
        reasons["toolchain_changed"] += any(old and new and old != new for old, new in both)
        reasons["harness_changed"] += known.at[first] < cleared
        reasons["problem_changed"] += run.code != head[run.key.level, run.key.problem].code
    return sorted(((reason, runs) for reason, runs in reasons.items() if runs), key=lambda row: (-row[1], row[0]))


def problem_changed_since() -> Rows:
    head = facts().modules(facts().last)
    rows = []
    for run in now():
        module = head[run.key.level, run.key.problem]
        if run.code != module.code:
            rows.append((run.key.host, run.key.mode, run.key.level, run.key.problem, run.compute == module.compute))
    return sorted(rows)


def events(runs: list[Run]) -> list[tuple[datetime, str, Run | None, Run | None, float | None]]:
    """When the leader of a cohort changed: at, cause, new and last leader, improvement."""
    found = []
    leader = last = None
    for position, at in enumerate(facts().at):
        new = facts().leader(runs, position)
        if new is not leader:
            if new is None:
                found.append((at, "withdrawn", None, last, None))
            elif last is None:
                found.append((at, "first", new, None, None))
            else:
                again = "remeasured" if new.key.mode == last.key.mode else "overtaken"
                cause = "faster" if position in last.positions else again
                found.append((at, cause, new, last, 1 - new.figures.mean / last.figures.mean))
        leader, last = new, new or last
    return found


def history_of_one_record() -> Rows:
    rows = []
    for (host, _, *problem, _), runs in facts().cohorts().items():
        if (host, *problem) == ("T4_modal", "level2", "1_Conv2D_ReLU_BiasAdd.py"):
            for at, cause, new, last, better in events(runs):
                rows.append((at, cause, (new or last).key.mode, new and new.figures.mean, better))
    return rows


def largest_improvements() -> Rows:
    rows = []
    for (host, _, level, problem, _), runs in facts().cohorts().items():
        for at, cause, new, _, better in events(runs):
            if new is not None and better is not None and better > 0:
                rows.append((at, cause, host, level, problem, new.key.mode, better))
    return sorted(rows, key=lambda row: (-row[6], row[2:5]))[:10]


def cells() -> dict[tuple[str, str, tuple[str, str]], tuple[str, Run]]:
    """The cells of the grid that a run answers, by GPU, mode, problem: the status and the run it rests on."""
    head = facts().modules(facts().last)
    order = ["measured", "equivalent", "withdrawn"]
    found: dict[Any, tuple[str, Run]] = {}
    for run in facts().runs:
        problem = (run.key.level, run.key.problem)
        if problem not in head or run.compute != head[problem].compute:
            continue
        same = run.code == head[problem].code
        status = "equivalent" if not same else "measured" if run in now() else "withdrawn"
        better = (order.index(status), -run.positions[0], run.figures.mean)
        cell = (run.key.hardware, run.key.mode, problem)
        before = found.get(cell)
        if before is None or better < (order.index(before[0]), -before[1].positions[0], before[1].figures.mean):
            found[cell] = (status, run)
    return found


def what_is_measured_per_gpu() -> Rows:
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for (hardware, _, _), (status, _) in cells().items():
        counted[hardware][status] += 1
    modes = {run.key.mode for run in facts().runs}
    every = len(facts().modules(facts().last)) * len(modes)
    rows = []
    for hardware in sorted({run.key.hardware for run in facts().runs}):
        known = [counted[hardware][status] for status in ("measured", "equivalent", "withdrawn")]
        rows.append((hardware, *known, every - sum(known)))
    return rows


def one_problem_on_every_gpu() -> Rows:
    rows = []
    for (hardware, mode, problem), (status, run) in cells().items():
        if problem == VIT:
            gone = None if run in now() else facts().at[run.positions[-1] + 1]
            rows.append((hardware, mode, status, run.key.host, run.figures.mean, facts().first_at(run), gone))
    return sorted(rows)


def closest_to_the_floor() -> Rows:
    """3,350 GB/s and 495 TFLOP/s (TF32) of the H100 SXM5; what the modules cost, by the file that says it."""
    told = (ROOT / "transforms" / "registry" / "costs.csv").read_text().splitlines()
    costs = {row["code_digest"]: row for row in csv.DictReader(line for line in told if line[0] != "#")}
    rows = []
    for (host, level, problem), runs in standing().items():
        cost = costs[runs[0].code or ""]
        if host == "H100_Modal" and not cost["not_traced"]:
            moved = sum(int(cost[part]) for part in ("parameter_bytes", "input_bytes", "output_bytes"))
            dram, compute = moved / 3350, int(cost["flops"]) / 495e3
            mean = round(min(run.figures.mean for run in runs) * 1e6)
            floor = max(dram, compute)
            rows.append((level, problem, "compute" if compute > dram else "bandwidth", floor, mean, mean / floor))
    return sorted(rows, key=lambda row: (row[5], row[:2]))[:10]


def noisiest_figures() -> Rows:
    rows = []
    for run in now():
        host, mode, _, level, problem = run.key
        share = run.figures.std / run.figures.mean
        rows.append((host, mode, level, problem, share, share > 0.25))
    return sorted(rows, key=lambda row: (-row[4], row[:4]))[:10]


def close_calls() -> Rows:
    calls: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for (host, _, _), runs in standing().items():
        first, second = sorted(runs, key=lambda run: run.figures.mean)
        calls[host].append((second.figures.mean / first.figures.mean, apart(first, second)))
    return sorted(
        (host, len(of), sum(not clear for _, clear in of), min(margin for margin, _ in of))
        for host, of in calls.items()
    )


def when_problems_changed() -> Rows:
    rows = []
    before: dict[tuple[str, str], Any] = {}
    for position, at in enumerate(facts().at):
        after = facts().modules(position)
        both = [(before[name], after[name]) for name in before.keys() & after.keys()]
        changed = sum(old.code != new.code for old, new in both)
        same = sum(old.code != new.code and old.compute == new.compute for old, new in both)
        added, removed = len(after.keys() - before.keys()), len(before.keys() - after.keys())
        if changed or added or removed:
            rows.append((at, changed, same, added, removed))
        before = after
    return rows


def what_was_refused() -> Rows:
    counted = Counter(place[:3] for place in facts().refused)
    return sorted(("not_measured", *place, entries) for place, entries in counted.items())


def what_software_was_declared() -> Rows:
    counted: Counter[tuple[Any, ...]] = Counter()
    for run in now():
        declared = facts().declared[run.positions[0]]
        said = (declared["requirements_torch"], declared["readme_torch"], declared["readme_cuda"])
        counted[run.key.host, *said, facts().first_at(run)] += 1
    return sorted((*what[:4], runs, what[4]) for what, runs in counted.items())


def one_problem_across_machines() -> Rows:
    rows = []
    for run in facts().runs:
        if (run.key.level, run.key.problem) == VIT and run.key.mode == EAGER:
            where = (run.key.host, run.key.hardware, run.figures.mean)
            rows.append((*where, facts().first_at(run), run in now()))
    return sorted(rows, key=lambda row: (row[0], row[3], row[2]))


def where_a_figure_comes_from() -> Rows:
    """Figures as in the file, keys in order, without the hardware that has a column of its own."""
    commit = facts().declared[facts().at.index(DECEMBER_31)]["revision"]
    files = f"https://github.com/ScalingIntelligence/KernelBench/blob/{commit}/results/timing/H100_Modal/baseline_time_"
    return [
        ("torch", f"{files}torch.json", _as_written(max=2.17, mean=1.81, min=1.73, num_trials=100, std=0.0516)),
        (
            "torch_compile_inductor_default",
            f"{files}torch_compile_inductor_default.json",
            _as_written(max=3.1, mean=1.37, min=1.28, num_trials=100, std=0.238),
        ),
    ]


def _as_written(**figures: float) -> str:
    return '{"device":"cuda:0",' + ",".join(f'"{name}":{value}' for name, value in figures.items()) + "}"


EXPECTED: dict[str, Callable[[], Rows]] = {
    "01_fastest_on_one_machine": fastest_on_one_machine,
    "02_records_on_one_gpu": records_on_one_gpu,
    "03_does_compiling_pay": does_compiling_pay,
    "04_where_compiling_loses": where_compiling_loses,
    "05_on_a_past_day": on_a_past_day,
    "06_what_was_withdrawn": what_was_withdrawn,
    "07_why_stale": why_stale,
    "08_problem_changed_since": problem_changed_since,
    "09_history_of_one_record": history_of_one_record,
    "10_largest_improvements": largest_improvements,
    "11_what_is_measured_per_gpu": what_is_measured_per_gpu,
    "12_one_problem_on_every_gpu": one_problem_on_every_gpu,
    "13_closest_to_the_floor": closest_to_the_floor,
    "14_noisiest_figures": noisiest_figures,
    "15_close_calls": close_calls,
    "16_when_problems_changed": when_problems_changed,
    "17_what_was_refused": what_was_refused,
    "18_what_software_was_declared": what_software_was_declared,
    "19_one_problem_across_machines": one_problem_across_machines,
    "20_where_a_figure_comes_from": where_a_figure_comes_from,
}


@pytest.fixture(scope="module")
def reader(sample_home):
    with closing(Reader(sample_home.database)) as opened:
        yield opened


def test_every_question_has_an_expected_answer():
    assert [path.stem for path in QUERIES] == list(EXPECTED)


def test_the_facts_worked_through_here_are_the_whole_history():
    assert (len(facts().runs), len(now()), len(facts().refused)) == (10105, 1000, 14)


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_question_is_answered_as_its_facts_say(reader, path):
    expected = EXPECTED[path.stem]()
    found = reader.sql(path.read_text(encoding="utf-8")).rows
    assert expected, "nothing was compared"
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        close = [pytest.approx(v, rel=1e-6, abs=1e-6) if isinstance(v, float) else v for v in wanted]  # ns are whole
        assert row == tuple(close)


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_a_question_begins_with_its_explanation(path):
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith("-- ") and "?" in path.read_text(encoding="utf-8").split("select")[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["staleness", "records", "baselines", "coverage", "headroom_v1", "headroom_v2"])
def test_a_view_answers_in_half_a_second(reader, name):
    """The best of several: what the answer costs when nothing else runs."""
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        reader.sql(f"select count(columns(*)) from {name}")
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.5
