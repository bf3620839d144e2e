"""What a history declares of software and timing scripts, then and at head (DESIGN section 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.histories import (
    GitHistory,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)

RELU = "19_ReLU.py"
HERE = timing_path()
WITH_RELU = {module_path(RELU): module("ReLU")}


@pytest.fixture
def history(tmp_path: Path) -> GitHistory:
    return GitHistory(tmp_path / "repository")


def test_what_the_repository_declared_then_and_at_head_tells_what_changed_since(home, history):
    """Nobody knows what these scripts do: that another one stands there is held against no figure."""
    history.commit(
        "2025-01-01",
        {HERE: timings(n19_ReLU=1.5), **WITH_RELU, "requirements.txt": "torch==2.5.0\n", "src/eval.py": "old"},
    )
    history.commit("2025-02-01", {"requirements.txt": "torch==2.9.0\n"})
    ingest_git(home, history)
    reasons = "select list_filter(reasons, lambda r: r <> 'age') from staleness"
    assert query(home, reasons) == [(["toolchain_changed"],)]
    history.commit("2025-03-01", {"src/eval.py": "new", "requirements.txt": "torch==2.5.0\n"})
    ingest_git(home, history)
    assert query(home, reasons) == [([],)]


def test_a_requirement_that_names_no_version_any_more_is_no_change_of_toolchain(home, history):
    history.commit("2025-01-01", {HERE: timings(n19_ReLU=1.5), **WITH_RELU, "requirements.txt": "torch==2.5.0\n"})
    history.commit("2025-02-01", {"requirements.txt": "torch\n"})
    ingest_git(home, history)
    assert query(home, "select list_filter(reasons, lambda r: r <> 'age') from staleness") == [([],)]
