"""A revision full of hostile files: the ingest goes through, nothing is lost, and the next good one repairs all."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import EXAMPLES, fuzzed, hostile
from tests.fuzz.test_files import FILE, MODULE, PROJECT, README, entries_of
from tests.histories import GitHistory, failed_checks, ingest_git, module, module_path, query, timing_path, timings
from warehouse.home import Home

TOGETHER = 40
"""Files of one example: a whole ingest costs as much for ten as for one."""

GOOD = {
    timing_path("Good"): timings(n19_ReLU=3.5, n20_LeakyReLU=1.25),
    module_path("19_ReLU.py"): module("ReLU"),
    module_path("20_LeakyReLU.py"): module("LeakyReLU", body="torch.relu(x) - x"),
    "pyproject.toml": PROJECT,
    "results/timing/README.md": README,
}
PRESENT = "select host, mode, problem, mean_ns, code_digest from baselines where present order by all"


@settings(fuzzed, max_examples=max(EXAMPLES // TOGETHER, 1))
@given(
    files=st.lists(hostile(FILE), min_size=TOGETHER - 3, max_size=TOGETHER - 3),
    beside=st.tuples(hostile(MODULE), hostile(PROJECT), hostile(README)),
)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_hostile_revision_stops_nothing_and_the_next_good_one_repairs_everything(files, beside):
    with tempfile.TemporaryDirectory() as folder:
        home, history = Home(Path(folder) / "home"), GitHistory(Path(folder) / "repository")
        history.commit("2025-01-01", GOOD)
        ingest_git(home, history)
        before = query(home, PRESENT)
        bad = {timing_path(f"Bad{number}"): data for number, data in enumerate(files)}
        texts = dict(
            zip((module_path("20_LeakyReLU.py"), "pyproject.toml", "results/timing/README.md"), beside, strict=True)
        )
        history.commit("2025-01-02", {**bad, **texts})
        ingest_git(home, history)
        assert failed_checks(home) == {}
        _nothing_is_lost(home, files)
        history.commit("2025-01-03", {**dict.fromkeys(bad), **{path: GOOD[path] for path in texts}})
        ingest_git(home, history)
        assert query(home, PRESENT) == before
        assert failed_checks(home) == {}


def _nothing_is_lost(home: Home, files: list[bytes]) -> None:
    """What each file holds is a run or in quarantine; a file that was refused is there as one row."""
    kept = dict(query(home, "select host, count(*) from runs where present group by host"))
    refused = dict(query(home, "select host, count(*) from quarantine where problem_key is not null group by host"))
    whole = dict(query(home, "select host, reason from quarantine where problem_key is null"))
    for number, data in enumerate(files):
        host = f"Bad{number}"
        held = kept.get(host, 0) + refused.get(host, 0)
        assert held == entries_of(data, whole.get(host)), (host, whole.get(host))
