"""``kbw export``: a snapshot, said in a line, and nothing foreign replaced."""

from __future__ import annotations

import json


def test_an_export_says_how_it_can_be_checked_and_lists_its_files(on_sample, tmp_path):
    done = on_sample("export", "--to", tmp_path / "snapshot")
    assert done.returncode == 0, done.stderr
    assert f"cd {tmp_path / 'snapshot'} && sha256sum -c SHA256SUMS" in done.stdout
    answer = json.loads(on_sample("export", "--to", tmp_path / "snapshot", "--json").stdout)
    assert sorted(answer["files"]) == sorted(path.name for path in (tmp_path / "snapshot").iterdir())


def test_a_folder_that_no_export_made_is_left_alone(on_sample, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = on_sample("export", "--to", tmp_path)
    assert (done.returncode, "is no export" in done.stderr) == (1, True)
    assert (tmp_path / "mine.txt").read_text() == "mine"
