"""What tests of several rooms share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from flows.cli.app import run as run_in_process
from flows.following import follow
from flows.sequence import Directly, ingest
from flows.settings import Followed
from flows.sources.sample import SampleSource
from warehouse.home import Home

# A fifth of hypothesis' own number of examples keeps the whole suite within minutes; a test that wants more says so.
settings.register_profile("suite", max_examples=20, deadline=None)
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory) -> Home:
    """A home into which the sample was ingested. To be read only."""
    home = Home(tmp_path_factory.mktemp("sample"))
    with closing(SampleSource()) as source:
        ingest(home, source, Directly())
    return home


@pytest.fixture(scope="session")
def field_home(tmp_path_factory) -> Home:
    """A home into which every lineage of the sample was ingested, together. To be read only."""
    home = Home(tmp_path_factory.mktemp("field"))
    follow(home, Followed("sample"), Directly())
    return home


@pytest.fixture
def own_sample_home(sample_home, tmp_path) -> Home:
    """A home of the test's own into which the sample was ingested."""
    root = tmp_path / "home"
    shutil.copytree(sample_home.root, root, copy_function=shutil.copy2)
    return Home(root)


@pytest.fixture
def home(tmp_path) -> Home:
    """An empty home."""
    return Home(tmp_path / "home")


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def kbw(home, monkeypatch, capsys) -> Callable[..., Ended]:
    """Run ``kbw`` on ``home``, in this process: the same entry as the command's, without its start-up."""
    for name in [name for name in os.environ if name.startswith(("KBW_", "PREFECT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("KBW_HOME", str(home.root))
    monkeypatch.setenv("PREFECT_HOME", str(home.root / "no-prefect"))

    def run(*arguments: object) -> Ended:
        monkeypatch.setenv("KBW_DEBUG", "")
        capsys.readouterr()
        status = run_in_process([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ended(status, said.out, said.err)

    return run


@pytest.fixture
def on_sample(kbw, sample_home, monkeypatch) -> Callable[..., Ended]:
    """Run ``kbw`` on a home into which the sample was ingested. To be read only."""
    monkeypatch.setenv("KBW_HOME", str(sample_home.root))
    return kbw


def run_kbw(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``kbw`` in a process of its own, without the caller's Prefect settings."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("KBW_", "PREFECT_"))}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "flows", *map(str, arguments)],
        cwd=ROOT,
        env={**own, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
