"""A small history that tests of several commands ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.histories import COMPILED, GitHistory, figures, ingest_git, module, module_path, timing_path, timings
from warehouse.home import Home

RELU, TANH = "19_ReLU.py", "22_Tanh.py"


def made_in(folder: Path) -> GitHistory:
    """ReLU is measured again and then redrawn, Tanh is taken away for a month, a compiled figure comes."""
    made = GitHistory(folder / "repository")
    modules = {module_path(RELU): module("ReLU"), module_path(TANH): module("Tanh", body="torch.tanh(x)")}
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0, n22_Tanh=2.0), **modules})
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.5)})
    made.commit(
        "2025-03-01",
        {
            timing_path(): timings(n19_ReLU=1.25, n22_Tanh=2.0),
            timing_path(mode=COMPILED): timings(n19_ReLU=figures(1.25, 0.2)),
            module_path(RELU): module("ReLU", draw="randn"),
        },
    )
    return made


@pytest.fixture(scope="session")
def ingested(tmp_path_factory) -> tuple[GitHistory, Home]:
    """The history, and a home into which it was ingested. To be read only."""
    folder = tmp_path_factory.mktemp("trust")
    made, home = made_in(folder), Home(folder / "home")
    ingest_git(home, made)
    return made, home


@pytest.fixture
def history(ingested, kbw, monkeypatch) -> GitHistory:
    """The history; commands read the home into which it was ingested."""
    made, home = ingested
    monkeypatch.setenv("KBW_HOME", str(home.root))
    return made
