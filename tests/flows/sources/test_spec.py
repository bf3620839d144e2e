"""What a person writes names a source."""

from __future__ import annotations

import pytest

from flows.sources.folder import FolderSource
from flows.sources.interface import SourceError, is_tracked
from flows.sources.kinds import SourceOptions
from flows.sources.sample import SampleSource
from flows.sources.spec import open_source
from tests.histories import GitHistory, timing_path, timings


@pytest.mark.parametrize(
    ("path", "tracked"),
    [
        ("results/timing/H100/baseline_time_torch.json", True),
        ("results/timing/baseline_time_matx3.json", True),
        ("results/timing/README.md", True),
        ("results/eval/H100/baseline_time_torch.json", False),
        ("KernelBench/level1/19_ReLU.py", True),
        ("KernelBench/level1/helper.py", False),
        ("KernelBench/level1/deeper/19_ReLU.py", False),
        ("requirements.txt", True),
        ("docs/requirements.txt", False),
        ("pyproject.toml", True),
        ("scripts/generate_baseline_time_modal.py", True),
        ("scripts/other.py", False),
        ("src/eval.py", True),
        ("src/kernelbench/timing.py", True),
        ("src/other/timing.py", False),
    ],
)
def test_only_what_section_2_names_is_tracked(path, tracked):
    assert is_tracked(path) is tracked


def test_sample_is_upstream_and_a_path_may_hold_an_at_sign(home, tmp_path):
    assert open_source("sample", home).name == "ScalingIntelligence/KernelBench"
    history = GitHistory(tmp_path / "odd@name")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0)})
    source = open_source(f"git:{history.path}", home, SourceOptions(name="lab/x"))
    assert source.name == "lab/x"
    source.close()


def test_a_branch_that_is_not_the_default_is_a_lineage_of_its_own(home, tmp_path):
    import subprocess

    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0)})
    history.branch("next")
    history.commit("2025-01-02", {timing_path(): timings(n19_ReLU=0.9)}, branch="next")
    origin = "https://github.com/lab/KernelBench.git"
    subprocess.run(["git", "-C", history.path, "remote", "add", "origin", origin], check=True)
    names = []
    for spec in (f"git:{history.path}", f"git:{history.path}@main", f"git:{history.path}@next"):
        source = open_source(spec, home)
        names.append(source.name)
        source.close()
    assert names == ["lab/KernelBench", "lab/KernelBench", "lab/KernelBench@next"]


def test_the_sample_says_when_its_facts_are_missing(tmp_path):
    with pytest.raises(SourceError, match="reinstall"):
        SampleSource(tmp_path).revisions([])


def test_a_folder_of_host_folders_stands_for_results_timing(tmp_path):
    host = tmp_path / "MyBox"
    host.mkdir()
    (host / "baseline_time_torch.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("not looked at")
    source = FolderSource(str(tmp_path))
    chain = source.revisions([])
    assert list(source.files(chain.head)) == ["results/timing/MyBox/baseline_time_torch.json"]
    assert source.revisions([chain.head.id]).new == ()


def test_a_folder_is_dated_by_its_newest_timing_file(tmp_path):
    import os

    for host, at in (("A", 1_700_000_000), ("B", 1_600_000_000)):
        (tmp_path / host).mkdir()
        file = tmp_path / host / "baseline_time_torch.json"
        file.write_text(host)
        os.utime(file, (at, at))
    assert FolderSource(str(tmp_path)).revisions([]).head.committed_at.timestamp() == 1_700_000_000
