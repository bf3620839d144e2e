"""What tests of the GitHub source share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flows.sources.github import GitHubSource, Patience
from tests.github import Clock, GitHub
from tests.histories import COMPILED, LAB, GitHistory, module, module_path, timing_path, timings

OpenGitHub = Callable[..., GitHubSource]


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """A module, figures that change, a side branch that changes figures, a head that changes none."""
    history = GitHistory(tmp_path / "history")
    relu = module_path("19_ReLU.py")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), relu: module("ReLU")})
    history.commit("2025-01-02", {"README.md": "Nothing measured."})
    history.branch("side")
    history.commit("2025-01-03", {timing_path(mode=COMPILED): timings(n19_ReLU=1.25)}, branch="side")
    history.commit("2025-01-04", {"src/eval.py": "clear = True\n"})
    history.merge("2025-01-05", "side")
    history.commit("2025-01-06", {timing_path(): timings(n19_ReLU=1.0)})
    history.commit("2025-01-07", {relu: module("ReLU", draw="randn")})
    return history


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def github(history, clock, monkeypatch) -> Iterator[GitHub]:
    """A GitHub that serves ``history``, and the only one that the source can reach."""
    with GitHub(history.path, LAB, clock) as github:
        github.set_environment(monkeypatch)
        yield github


@pytest.fixture
def heard() -> list[str]:
    """What the source said to its listener."""
    return []


@pytest.fixture
def open_github(clock, heard, tmp_path) -> Iterator[OpenGitHub]:
    """Open the source; what it remembers is kept from one opening to the next."""
    opened: list[GitHubSource] = []

    def open_one(
        repository: str = LAB,
        ref: str | None = None,
        name: str | None = None,
        cache: Path | None = tmp_path / "cache",
        patience: Patience | None = None,
    ) -> GitHubSource:
        options = {"patience": patience, "clock": clock, "sleep": clock.sleep}
        opened.append(GitHubSource(repository, ref, name, cache, heard.append, **options))
        return opened[-1]

    yield open_one
    for source in opened:
        source.close()
