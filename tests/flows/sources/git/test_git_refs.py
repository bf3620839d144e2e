"""What a clone is called, and which ref of it is read."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from flows.sources.git import GitSource
from flows.sources.interface import SourceError
from flows.sources.kinds import SourceOptions
from flows.sources.spec import open_source
from tests.histories import GitHistory, timing_path, timings


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)


def test_a_branch_that_is_not_the_default_is_a_lineage_of_its_own(home, tmp_path):
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


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0)})
    made.branch("side")
    made.commit("2025-01-02", {timing_path(): timings(n19_ReLU=0.9)}, branch="side")
    made.commit("2025-01-03", {timing_path(): timings(n19_ReLU=0.8)})
    return made


def test_a_side_branch_that_is_checked_out_is_not_called_by_the_main_line_s_name(history, home, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", history.path, clone], check=True)
    names = []
    for checked_out in ("main", "side", history.id(1)):
        git(clone, "remote", "set-url", "origin", str(history.path))
        git(clone, "checkout", "--quiet", checked_out)
        git(clone, "remote", "set-url", "origin", "git@github.com:lab/x.git")
        with closing(open_source(f"git:{clone}", home)) as source:
            names.append(source.name)
    assert names == ["lab/x", "lab/x@side", "lab/x"]


def test_a_clone_whose_main_line_is_ahead_of_its_origin_is_read_under_its_name(history, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", history.path, clone], check=True)
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(clone, *identity, "commit", "--quiet", "--allow-empty", "-m", "not pushed yet")
    for ref in ("main", "HEAD"):
        GitSource(str(clone), ref, "lab/x").close()
    with pytest.raises(SourceError, match=r"origin/side is not the main line.*--name lab/x@origin/side"):
        GitSource(str(clone), "origin/side", "lab/x")


def test_an_at_sign_splits_where_a_ref_stands_behind_it(history, home, tmp_path):
    history.branch("try@2", 1)
    assert history.path
    first, second, third = map(history.id, (1, 2, 3))
    history.path.rename(tmp_path / "repository@side")
    decoy = tmp_path / "repository"
    git(tmp_path, "clone", "--quiet", "--bare", str(tmp_path / "repository@side"), str(decoy))
    git(decoy, "branch", "side@try@2", second)
    bundle = tmp_path / "all@once.bundle"
    git(decoy, "bundle", "create", "--quiet", str(bundle), "--all")
    heads = {}
    for written in ("repository@side", "repository@side@try@2", "repository@try@2", "all@once.bundle@try@2"):
        with closing(open_source(f"git:{tmp_path / written}", home, SourceOptions(name="lab/x@y"))) as source:
            heads[written] = source.revisions(()).head.id
    assert heads == {
        "repository@side": third,  # a path that exists
        "repository@side@try@2": first,  # the last at sign behind which a ref of an existing path stands
        "repository@try@2": first,
        "all@once.bundle@try@2": first,
    }
