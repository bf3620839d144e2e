"""What a clone is called."""

from __future__ import annotations

from flows.sources.spec import open_source
from tests.histories import GitHistory, timing_path, timings


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
