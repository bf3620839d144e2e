"""A small history that tests of several commands ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.histories import A100, COMPILED, GitHistory, figures, ingest_git, module, module_path, timing_path, timings
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


ORIGINAL, FORK, OTHER = "lab/KernelBench", "fork/KernelBench", "other/bench"
"""Lineages: one, a fork of it with a machine of its own, and one with another problem of the same name."""


@pytest.fixture(scope="session")
def lineages(tmp_path_factory) -> Home:
    """A home with three lineages. To be read only.

    On 16 rows the first has eager 1.0 and compiled 2.0 ms on its H100, of which the fork carries both, and has 3.0 ms
    of its own on an A100. The third has 0.5 ms of 32 rows, and a figure without a module.
    """
    folder = tmp_path_factory.mktemp("lineages")
    home = Home(folder / "home")
    carried = {
        timing_path(): timings(n19_ReLU=1.0),
        timing_path(mode=COMPILED): timings(n19_ReLU=2.0),
        module_path(RELU): module("ReLU"),
    }
    original = GitHistory(folder / "original")
    original.commit("2025-01-01", carried)
    ingest_git(home, original, name=ORIGINAL)
    fork = GitHistory(folder / "fork")
    fork.commit("2025-02-01", {**carried, timing_path("A100_fork"): timings(n19_ReLU=figures(3.0, hardware=A100))})
    ingest_git(home, fork, name=FORK)
    other = GitHistory(folder / "other")
    other.commit(
        "2025-03-01",
        {timing_path("H100_other"): timings(n19_ReLU=0.5, n40_Lost=4.0), module_path(RELU): module("ReLU", n=32)},
    )
    ingest_git(home, other, name=OTHER)
    return home


@pytest.fixture
def on_lineages(lineages, kbw, monkeypatch):
    """Run a command on the home with three lineages."""
    monkeypatch.setenv("KBW_HOME", str(lineages.root))
    return kbw


@pytest.fixture
def history(ingested, kbw, monkeypatch) -> GitHistory:
    """The history; commands read the home into which it was ingested."""
    made, home = ingested
    monkeypatch.setenv("KBW_HOME", str(home.root))
    return made
