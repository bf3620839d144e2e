"""Many sources, unattended: each by its settings, none stopped by another."""

from __future__ import annotations

import json

import pytest

from tests.histories import GitHistory, one_figure, query, timing_path, timings


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = one_figure(tmp_path)
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=0.9)})
    return made


def test_one_failing_source_does_not_stop_the_others(kbw, home, history, tmp_path):
    home.root.mkdir()
    (home.root / "kbw.toml").write_text(
        '[[sources]]\nsource = "git:/no/such/place"\nname = "lost/x"\n'
        f'[[sources]]\nsource = "git:{history.path}"\nname = "lab/x"\n'
    )
    done = kbw("ingest", "--all")
    assert done.returncode == 1
    assert "/no/such/place: no such file or folder" in done.stderr
    assert query(home, "select source from sources") == [("lab/x",)]


def test_all_takes_its_sources_from_the_settings_alone(kbw):
    assert kbw("ingest", "sample", "--all").returncode == 2
    done = kbw("ingest", "--all")
    assert (done.returncode, "no source is listed" in done.stderr) == (1, True)


def test_thresholds_come_from_the_settings(kbw, home, history):
    home.root.mkdir()
    (home.root / "kbw.toml").write_text(
        f'[[sources]]\nsource = "git:{history.path}"\nname = "lab/x"\ndue_after_hours = 1\nstale_after_hours = 2\n'
    )
    assert kbw("ingest", "--all").returncode == 0
    (row,) = json.loads(kbw("sources", "--json").stdout)
    assert (row["due_after_hours"], row["stale_after_hours"]) == (1, 2)
