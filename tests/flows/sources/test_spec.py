"""What a person writes names a source."""

from __future__ import annotations

from flows.sources.kinds import SourceOptions
from flows.sources.spec import open_source
from tests.histories import GitHistory, timing_path, timings


def test_sample_is_upstream_and_a_path_may_hold_an_at_sign(home, tmp_path):
    assert open_source("sample", home).name == "ScalingIntelligence/KernelBench"
    history = GitHistory(tmp_path / "odd@name")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0)})
    source = open_source(f"git:{history.path}", home, SourceOptions(name="lab/x"))
    assert source.name == "lab/x"
    source.close()
