"""Figures of one's own, in a folder, from the file to the tables."""

from __future__ import annotations

import os

import pytest

from tests.histories import one_figure, query, timings


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def test_a_folder_of_ones_own_is_ranked_by_the_modules_of_a_source(kbw, home, tmp_path, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    host = tmp_path / "mine" / "MyBox"
    host.mkdir(parents=True)
    (host / "baseline_time_torch.json").write_text(timings(n19_ReLU=0.5))
    done = kbw("ingest", f"dir:{tmp_path / 'mine'}", "--problems", "lab/x", "--observed-at", "2026-10-01")
    assert done.returncode == 0, done.stderr
    rows = query(home, "select source, host, eligible, observed_at::date::varchar from runs where source = 'mine'")
    assert rows == [("mine", "MyBox", True, "2026-10-01")]


def test_a_folder_without_modules_is_kept_and_not_ranked(kbw, home, tmp_path):
    host = tmp_path / "mine" / "MyBox"
    host.mkdir(parents=True)
    (host / "baseline_time_torch.json").write_text(timings(n19_ReLU=0.5))
    assert kbw("ingest", f"dir:{tmp_path / 'mine'}").returncode == 0
    assert query(home, "select eligible, ineligible_reasons from runs") == [(False, ["module_missing"])]


def test_a_folder_that_changed_is_a_new_revision(kbw, home, tmp_path):
    host = tmp_path / "mine" / "MyBox"
    host.mkdir(parents=True)
    file = host / "baseline_time_torch.json"
    for mean, at in ((0.5, 1_700_000_000), (0.4, 1_700_100_000)):
        file.write_text(timings(n19_ReLU=mean))
        os.utime(file, (at, at))
        assert kbw("ingest", f"dir:{tmp_path / 'mine'}").returncode == 0
    assert query(home, "select mean_ns, present from runs order by observed_at") == [(500_000, False), (400_000, True)]
    assert kbw("ingest", f"dir:{tmp_path / 'mine'}").stdout.startswith("mine: nothing new")
