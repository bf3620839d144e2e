"""The project's forty small files with the expected outcome of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from transforms.registry import known_modes
from transforms.timings.paths import timing_path
from transforms.timings.reader import read_timings

CASES = Path(__file__).parents[4] / "shared" / "cases"
EXPECTED: list[dict[str, Any]] = (
    json.loads((CASES / "expected.json").read_text()) if (CASES / "expected.json").exists() else []
)


@pytest.mark.skipif(not EXPECTED, reason="the folder of cases is not beside the repository: none of them is tested")
def test_there_are_forty_cases():
    assert len(EXPECTED) == 40


@pytest.mark.parametrize("case", EXPECTED, ids=lambda case: case["case"])
def test_each_case_comes_out_as_expected(case):
    path = case["file"].removeprefix(f"{case['case']}/")
    named = timing_path(path)
    if named is None:
        assert case["runs_kept"] == 0 and case["file_refused"] is None
        return
    readings = read_timings([("blob", (CASES / case["file"]).read_bytes())])
    refusals = readings.refusals.select("level", "problem_key", "reason").rows()
    assert readings.files["reason"].to_list() == [case["file_refused"]]
    assert readings.entries.height == case["runs_kept"]
    assert refusals == [(r["level"], r["key"], r["reason"]) for r in case["entries_refused"]]
    of_the_path = [] if named.mode in known_modes() else ["unknown_mode"]
    flagged = {
        problem: sorted([*flags, *of_the_path])
        for problem, flags in readings.entries.select("problem", "flags").iter_rows()
        if flags or of_the_path
    }
    assert flagged == case["flags"]
