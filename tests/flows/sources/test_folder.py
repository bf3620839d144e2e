"""A folder as a source."""

from __future__ import annotations

import os
from contextlib import closing

from flows.sequence import Directly, ingest
from flows.sources.folder import FolderSource
from tests.histories import GitHistory, ingest_git, module, module_path, query, timing_path, timings
from transforms.timings.document import LARGEST_FILE
from warehouse.home import Home


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
    for host, at in (("A", 1_700_000_000), ("B", 1_600_000_000)):
        (tmp_path / host).mkdir()
        file = tmp_path / host / "baseline_time_torch.json"
        file.write_text(host)
        os.utime(file, (at, at))
    assert FolderSource(str(tmp_path)).revisions([]).head.committed_at.timestamp() == 1_700_000_000


NOT_TEXT = "\udcff"
"""The byte 0xFF, as Python has it in names."""
CONFUSABLE = {
    timing_path(NOT_TEXT): timings(n19_ReLU=1.0),
    timing_path(r"\xff"): timings(n19_ReLU=2.0),
    timing_path(rf"\{NOT_TEXT}"): timings(n19_ReLU=3.0),
    module_path(f"19_ReLU{NOT_TEXT}.py"): module("ReLU"),
}
HOSTS = [(r"\xff", 1e6), (r"\\xff", 2e6), (r"\\\xff", 3e6)]


def test_hosts_whose_names_are_no_text_are_the_same_from_a_folder_and_from_git(tmp_path):
    """A run was dropped in silence where the byte 0xFF and the four characters that stand for it were two hosts."""
    folder = tmp_path / f"folder{NOT_TEXT}"
    for path, text in CONFUSABLE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {f"a{NOT_TEXT}/{path}": text for path, text in CONFUSABLE.items()})
    from_git, from_folder = Home(tmp_path / "git"), Home(tmp_path / "dir")
    ingest_git(from_git, history)
    with closing(FolderSource(str(folder))) as source:
        assert source.name == r"folder\xff"
        ingest(from_folder, source, Directly())
    found = "select host, mean_ns from runs order by mean_ns"
    assert query(from_git, found) == query(from_folder, found) == HOSTS
    assert query(from_git, "select count(*) from quarantine") == [(0,)]


def test_a_folder_whose_own_name_is_no_text_can_be_ingested(kbw, home, tmp_path):
    path = tmp_path / NOT_TEXT / timing_path("H100")
    path.parent.mkdir(parents=True)
    path.write_text(timings(n19_ReLU=1.0))
    for times in range(2):
        done = kbw("ingest", f"dir:{tmp_path / NOT_TEXT}")
        assert done.returncode == 0, (times, done.stderr)
    assert query(home, "select source, count(*) from runs group by all") == [(r"\xff", 1)]


def test_a_file_that_no_reader_takes_is_refused_alike_from_a_folder_and_from_git(tmp_path):
    large = {timing_path("A"): timings(n19_ReLU=1.0) + " " * LARGEST_FILE, timing_path("B"): timings(n19_ReLU=2.0)}
    folder, history = tmp_path / "folder", GitHistory(tmp_path / "repository")
    for path, text in large.items():
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text(text)
    history.commit("2025-01-01", large)
    from_git, from_folder = Home(tmp_path / "git"), Home(tmp_path / "dir")
    ingest_git(from_git, history)
    with closing(FolderSource(str(folder), "lab/x")) as source:
        ingest(from_folder, source, Directly())
    found = "select host, reason, detail from quarantine"
    assert query(from_git, found) == query(from_folder, found)
    assert query(from_git, "select host, reason from quarantine") == [("A", "too_large")]
