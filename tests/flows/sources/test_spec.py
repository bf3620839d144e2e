"""What a person writes names a source."""

from __future__ import annotations

from flows.sources.kinds import SourceOptions
from flows.sources.spec import open_source, written
from tests.histories import GitHistory, timing_path, timings


def test_sample_is_upstream_and_a_path_may_hold_an_at_sign(home, tmp_path):
    assert open_source("sample", home).name == "ScalingIntelligence/KernelBench"
    history = GitHistory(tmp_path / "odd@name")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0)})
    source = open_source(f"git:{history.path}", home, SourceOptions(name="lab/x"))
    assert source.name == "lab/x"
    source.close()


def test_a_path_below_the_user_s_home_may_be_written_with_a_tilde(home, tmp_path, monkeypatch):
    """A shell does not put the home in its place behind ``git:``."""
    monkeypatch.setenv("HOME", str(tmp_path))
    made = GitHistory(tmp_path / "clone")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5)})
    assert made.path.is_dir()
    source = open_source("git:~/clone", home, SourceOptions(name="lab/x"))
    source.close()
    assert source.name == "lab/x"
    assert written("git:~/clone") == f"git:{tmp_path}/clone"
    assert written("github:~/x") == "github:~/x"
