"""Many sources, unattended: settings, one that fails, health (with a GitHub on loopback)."""

from __future__ import annotations

import json
import re
import time

import pytest

from flows.settings import Followed, Settings, read_settings
from tests.github import GitHub
from tests.histories import GitHistory, all_tables, ingest_git, module, module_path, query, timing_path, timings
from tests.kills import end, launch
from warehouse.heartbeat import Beat, Heartbeat
from warehouse.home import Home, WarehouseError
from warehouse.landing import git_blob_id

RELU = "19_ReLU.py"


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = GitHistory(tmp_path / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path(RELU): module("ReLU")})
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=0.9)})
    return made


@pytest.fixture
def github(history, monkeypatch):
    with GitHub(history.path) as served:
        served.set_environment(monkeypatch, token="secret-of-the-test")
        yield served


def test_a_repository_is_ingested_from_github_and_the_next_ingest_makes_one_request(
    kbw, home, history, github, tmp_path
):
    first = kbw("ingest", "github:lab/KernelBench")
    assert first.returncode == 0, first.stderr
    beside = Home(tmp_path / "beside")
    ingest_git(beside, history)
    assert all_tables(home) == all_tables(beside)
    assert query(home, "select requests > 0 from ingests") == [(True,)]
    github.forget()
    second = kbw("ingest", "github:lab/KernelBench")
    assert "nothing new" in second.stdout
    assert github.count("api") + github.count("raw") == 1
    assert Heartbeat.read(home.heartbeat).sources["lab/KernelBench"].requests == 1


def test_the_token_is_nowhere_but_in_requests_to_the_api(kbw, home, github):
    done = kbw("ingest", "github:lab/KernelBench")
    assert "secret-of-the-test" not in done.stdout + done.stderr
    for path in home.root.rglob("*"):
        if path.is_file():
            assert b"secret-of-the-test" not in path.read_bytes(), path


def test_wrong_bytes_are_refused_by_name_the_rest_is_published_and_asked_for_again(kbw, home, history, github):
    text = timings(n19_ReLU=3.0)
    history.commit("2025-03-01", {timing_path("H100_bad"): text})
    github.serve(history.path)
    blob = git_blob_id(text.encode())
    github.wrong.update({(role, blob): b"tampered with" for role in ("raw", "api", "codeload")})
    done = kbw("ingest", "github:lab/KernelBench")
    assert done.returncode == 3, done.stderr
    assert "refused results/timing/H100_bad/baseline_time_torch.json: not_fetched" in done.stderr
    assert query(home, "select count(*) from runs") == [(2,)]
    assert query(home, "select reason, present from quarantine") == [("not_fetched", True)]
    again = kbw("ingest", "github:lab/KernelBench")
    assert again.returncode == 3
    github.wrong.clear()
    mended = kbw("ingest", "github:lab/KernelBench")
    assert mended.returncode == 0, mended.stderr
    assert query(home, "select count(*) from runs") == [(3,)]
    assert query(home, "select count(*) from quarantine") == [(0,)]


def test_of_two_ingests_at_once_one_works_and_the_other_names_it(kbw, home, github):
    """Also where a process that was killed held the lock before: it is not the one that is named."""
    home.root.mkdir()
    home.lock.with_suffix(".pid").write_text("4711")
    github.delay = 0.2
    first = launch("-m", "flows", "ingest", "github:lab/KernelBench", "--home", home.root, env=github.environment)
    while not github.requests:
        assert first.poll() is None
        time.sleep(0.01)
    second = kbw("ingest", "github:lab/KernelBench")
    assert second.returncode == 1
    (line,) = second.stderr.splitlines()
    assert f"another ingest is at work (process {first.pid})" in line
    assert end(first) == 0
    github.delay = 0
    assert kbw("ingest", "github:lab/KernelBench").returncode == 0


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


def test_settings_may_stand_in_pyproject_and_a_mistake_in_them_is_told(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[[tool.kbw.sources]]\nsource = "sample"\nstale_after_hours = 9\n')
    assert read_settings(home).sources == [Followed("sample", stale_after_hours=9)]
    (tmp_path / "kbw.toml").write_text('[[sources]]\nsauce = "sample"\n')
    with pytest.raises(WarehouseError, match=r"kbw\.toml"):
        read_settings(home)
    monkeypatch.setenv("KBW_CONFIG", str(tmp_path / "absent.toml"))
    with pytest.raises(WarehouseError, match="no such file"):
        read_settings(home)
    monkeypatch.delenv("KBW_CONFIG")
    (tmp_path / "kbw.toml").unlink()
    (tmp_path / "pyproject.toml").unlink()
    assert read_settings(home) == Settings()


def age(home: Home, hours: float) -> None:
    """Let the last look at every source lie so many hours back."""
    from datetime import UTC, datetime, timedelta

    beats = Heartbeat.read(home.heartbeat)
    then = datetime.now(UTC) - timedelta(hours=hours)
    aged = {
        name: Beat(b.head, b.revisions, then, b.changed_at, b.requests, b.last_error, b.failed_at, 24, 72)
        for name, b in beats.sources.items()
    }
    Heartbeat(beats.published, beats.rules_version, aged).write(home.heartbeat)


@pytest.mark.parametrize(("hours", "health", "status"), [(1, "fresh", 0), (25, "due", 0), (73, "stale", 3)])
def test_a_source_that_was_not_looked_at_is_due_and_then_stale(kbw, home, history, hours, health, status):
    ingest_git(home, history)
    age(home, hours)
    assert json.loads(kbw("sources", "--json").stdout)[0]["status"] == health
    assert kbw("check", "--sources").returncode == status


def test_figures_of_a_source_that_was_not_looked_at_are_listed_with_the_reason(kbw, home, history):
    ingest_git(home, history)
    age(home, 71)
    assert json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout) == []
    age(home, 73)
    (row,) = json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout)
    assert (row["problem"], row["reasons"]) == (RELU, ["age", "source_unchecked"])
    words = "the source has not been looked at lately"
    assert words in " ".join(kbw("stale").stdout.split())
    assert words in kbw("show", "level1/19").stdout
    assert "after 72 hours a source counts as unchecked" in kbw("explain", row["run_id"]).stdout
    ingest_git(home, history)
    assert json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout) == []
    assert words not in kbw("show", "level1/19").stdout


def test_without_a_heartbeat_health_is_unknown_and_a_monitor_is_told(kbw, home, history):
    ingest_git(home, history)
    home.heartbeat.unlink()
    (row,) = json.loads(kbw("sources", "--json").stdout)
    assert (row["status"], row["checked_at"], row["files_present"]) == ("unknown", None, 1)
    assert kbw("check", "--sources").returncode == 3


def test_a_look_that_failed_is_told_until_one_succeeds(kbw, home, history, tmp_path):
    ingest_git(home, history)
    rewritten = GitHistory(tmp_path / "rewritten")
    rewritten.commit("2024-01-01", {timing_path(): timings(n19_ReLU=7.0)})
    assert kbw("ingest", f"git:{rewritten.path}", "--name", "lab/KernelBench").returncode == 1
    done = kbw("check", "--sources")
    assert done.returncode == 3
    assert re.search(r"perhaps another repository", " ".join(done.stdout.split()))
    ingest_git(home, history)
    assert kbw("check", "--sources").returncode == 0


def test_thresholds_come_from_the_settings(kbw, home, history):
    home.root.mkdir()
    (home.root / "kbw.toml").write_text(
        f'[[sources]]\nsource = "git:{history.path}"\nname = "lab/x"\ndue_after_hours = 1\nstale_after_hours = 2\n'
    )
    assert kbw("ingest", "--all").returncode == 0
    (row,) = json.loads(kbw("sources", "--json").stdout)
    assert (row["due_after_hours"], row["stale_after_hours"]) == (1, 2)
