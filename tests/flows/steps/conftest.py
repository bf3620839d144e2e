"""A history in git, the workspace of an empty home, and the source between them: one step is taken at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from flows.sources.git import GitSource
from flows.steps.workspace import Started, Workspace
from tests.histories import LAB, GitHistory, module, module_path, timing_path, timings
from warehouse.home import Home


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """One figure, then another one in its place; and a head that is no revision."""
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), module_path("19_ReLU.py"): module("ReLU")})
    made.commit("2025-01-02", {timing_path(): timings(n19_ReLU=1.0)})
    made.commit("2025-01-03", {"requirements.txt": "torch==2.9.0\n"})
    return made


@pytest.fixture
def source(history) -> Iterator[GitSource]:
    opened = GitSource(str(history.path), None, LAB)
    yield opened
    opened.close()


@pytest.fixture
def workspace(tmp_path) -> Workspace:
    return Workspace.real(Home(tmp_path / "home"))


@pytest.fixture
def started() -> Started:
    return Started.now()
