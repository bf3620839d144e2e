"""Of a former history the runs are kept that the history of now does not show, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from tests.histories import COMPILED, figures, module, module_path, normalised, shown, timing_path, timings
from transforms.eligibility import MODULE_MISSING, UNREACHABLE
from transforms.history.lineage import FormerHistory

RELU = "19_ReLU.py"
HERE, TUNED = timing_path(), timing_path(mode=COMPILED)
MODULES = {module_path(RELU): module("ReLU")}


def tables(now, *former):
    """The tables of a history of whole trees, with others that it had before, in the order of the rewrites."""
    history, blobs = shown(*now)
    gone = []
    for number, trees in enumerate(former):
        one, more = shown(*trees)
        blobs |= more
        revisions = tuple(replace(r, revision=f"{number + 1}{r.revision[1:]}") for r in one.revisions)
        one = replace(one, revisions=revisions, head=revisions[-1])
        gone.append(FormerHistory(one, datetime(2025, 3, number + 1)))
    return normalised(replace(history, former=tuple(gone)), blobs).tables


def test_a_run_that_only_a_former_history_shows_is_kept_and_takes_no_part():
    found = tables([{HERE: timings(n19_ReLU=1.0), **MODULES}], [{HERE: timings(n19_ReLU=2.0), **MODULES}])
    now, gone = found["runs"].sort("mean_ns").to_dicts()
    assert (now["reachable"], now["eligible"], now["ineligible_reasons"]) == (True, True, [])
    assert (gone["reachable"], gone["present"], gone["eligible"]) == (False, False, False)
    assert gone["ineligible_reasons"] == [UNREACHABLE]
    assert found["presence"]["run_id"].to_list() == [now["run_id"]]


def test_a_run_that_both_show_is_that_of_now():
    tree = {HERE: timings(n19_ReLU=1.0), **MODULES}
    (run,) = tables([tree], [tree])["runs"].to_dicts()
    assert run["reachable"] and run["eligible"]


def test_environments_and_workloads_of_kept_runs_are_kept_with_them():
    other = figures(2.0, hardware="NVIDIA L40S")
    before = {HERE: timings(n19_ReLU=other, n20_Odd=2.0), module_path(RELU): module("ReLU", n=32)}
    found = tables([{HERE: timings(n19_ReLU=1.0), **MODULES}], [before])
    assert set(found["environments"]["hardware"]) == {"NVIDIA H100 80GB HBM3", "NVIDIA L40S"}
    assert found["workloads"].height == 2
    (odd,) = found["runs"].filter(problem="20_Odd.py").to_dicts()
    assert odd["ineligible_reasons"] == [UNREACHABLE, MODULE_MISSING]


def test_a_run_of_two_former_histories_is_described_by_the_last():
    now = {HERE: timings(n19_ReLU=1.0), **MODULES}
    moved = "results/timing/old/H100_lab/baseline_time_torch.json"
    first, last = {HERE: timings(n19_ReLU=2.0), **MODULES}, {moved: timings(n19_ReLU=2.0), **MODULES}
    (gone,) = tables([now], [first], [last])["runs"].filter(reachable=False).to_dicts()
    assert gone["path"] == moved


def test_a_mode_that_only_a_former_history_had_is_derived_too():
    both = {HERE: timings(n19_ReLU=1.0), TUNED: timings(n19_ReLU=0.5), **MODULES}
    found = tables([{HERE: timings(n19_ReLU=1.0), **MODULES}], [both])["runs"]
    assert dict(found.select("mode", "reachable").iter_rows()) == {"torch": True, COMPILED: False}
