"""A transport is not a source: what came as a sample is not told again by GitHub, and is the same."""

from __future__ import annotations

from contextlib import closing

import pytest

from flows.sequence import Directly, ingest
from flows.sources.sample import SampleSource
from tests.flows.sources.github.test_github_ingest import ingest_github
from tests.histories import (
    COMPILED,
    LAB,
    GitHistory,
    all_tables,
    failed_checks,
    ingest_git,
    module,
    module_path,
    timing_path,
    timings,
)
from tools.build_sample import build
from warehouse.home import Home

RELU, TANH = module_path("19_ReLU.py"), module_path("22_Tanh.py")


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """Figures measured again, withdrawn, left null; modules redrawn and gone; software and harness declared anew."""
    history = GitHistory(tmp_path / "history")
    history.commit(
        "2025-01-01",
        {
            timing_path(): timings(n19_ReLU=1.5, n22_Tanh=2.25),
            timing_path(mode=COMPILED): timings(n19_ReLU=1.25, n22_Tanh=None),
            RELU: module("ReLU"),
            TANH: module("Tanh", body="torch.tanh(x)"),
            "requirements.txt": "numpy\ntorch == 2.5.0 # pinned\n",
            "src/eval.py": "clear = False\n",
        },
    )
    history.commit("2025-01-02", {"README.md": "Nothing measured."})
    history.commit(
        "2025-01-03",
        {
            timing_path("L40S_lab"): timings(n19_ReLU=3.125),
            RELU: module("ReLU", draw="randn"),
            "results/timing/README.md": "# Timings\n\nWith PyTorch `2.5.0+cu124` and CUDA 12.4, on our machines.\n",
        },
    )
    history.commit("2025-01-04", {timing_path(mode=COMPILED): None, "src/eval.py": "clear = True\n"})
    history.commit("2025-01-05", {timing_path(): timings(n19_ReLU=1.0, n22_Tanh=2.25), TANH: None})
    return history


@pytest.fixture
def as_sample(history, tmp_path) -> Home:
    """A home that has the history as a sample built from its facts."""
    build({LAB: str(history.path)}, tmp_path / "sample")
    home = Home(tmp_path / "as-sample")
    with closing(SampleSource(tmp_path / "sample", LAB)) as source:
        ingest(home, source, Directly())
    return home


def test_a_sample_of_a_repository_gives_the_tables_that_the_repository_gives(history, as_sample, home):
    ingest_git(home, history)
    assert all_tables(as_sample) == all_tables(home)


def test_github_adds_no_row_to_a_sample_of_the_same_history(history, github, as_sample):
    before = all_tables(as_sample)
    assert ingest_github(as_sample).published is None
    assert all_tables(as_sample) == before
    assert github.count("raw") == github.count("codeload") == 0


def test_a_later_commit_without_news_adds_no_row_but_what_it_declares(history, github, as_sample, home):
    """Of a head that is no revision a sample knows nothing: what was last seen when now names it."""
    before = all_tables(as_sample)
    history.commit("2025-02-01", {"docs/notes.md": "Nothing measured."})
    assert history.path
    assert ingest_github(as_sample).published is not None
    after = all_tables(as_sample)
    more = {name: len(after[name]) - len(before[name]) for name in before if before[name] != after[name]}
    assert more == {"sources": 0, "files": 0, "declared_software": 1}
    ingest_git(home, history)
    assert after == all_tables(home)


def test_after_a_sample_github_tells_what_it_would_have_told_alone(history, github, as_sample, home):
    changes = {timing_path(): timings(n19_ReLU=0.5, n22_Tanh=2.0), RELU: module("ReLU", n=32), TANH: module("Tanh")}
    history.commit("2025-02-01", changes)
    history.commit("2025-02-02", {RELU: module("ReLU", n=64), "requirements.txt": "torch==2.6.0\n"})
    assert history.path
    ingest_github(as_sample)
    ingest_github(home)
    assert all_tables(as_sample) == all_tables(home)
    assert failed_checks(as_sample) == {}
