"""``kbw check``: what keeps its promises passes, what does not is told."""

from __future__ import annotations

import json

import pytest

from tests.histories import GitHistory, module, module_path, timing_path, timings

RELU = "19_ReLU.py"


@pytest.fixture
def history(tmp_path):
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")})
    return made


def test_check_passes_on_the_sample_and_ends_with_3_when_something_is_found(kbw, home, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert kbw("check").returncode == 0
    home.database.chmod(0o644)
    import duckdb

    with duckdb.connect(str(home.database)) as client:
        client.execute("delete from presence")
    done = kbw("check")
    assert done.returncode == 3
    assert "FAIL presence_is_whole: 1 bad rows" in done.stdout
    assert json.loads(kbw("check", "--json").stdout)["presence_is_whole"]
