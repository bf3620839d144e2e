"""A folder as a source."""

from __future__ import annotations

from flows.sources.folder import FolderSource


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
