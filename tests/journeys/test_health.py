"""A source that is not checked for long, or in vain, is told as such (DESIGN.md section 10)."""

from __future__ import annotations

import errno
import json
import re
import subprocess

import pytest

from tests.histories import GitHistory, ingest_git, one_figure, timing_path, timings
from warehouse.heartbeat import Beat, Heartbeat
from warehouse.home import Home

RELU = "19_ReLU.py"


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = one_figure(tmp_path)
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=0.9)})
    return made


def age(home: Home, hours: float) -> None:
    """Let the last check of every source lie so many hours back."""
    from datetime import UTC, datetime, timedelta

    beats = Heartbeat.read(home.heartbeat)
    then = datetime.now(UTC) - timedelta(hours=hours)
    aged = {
        name: Beat(b.head, b.revisions, then, b.changed_at, b.requests, b.last_error, b.failed_at, 24, 72)
        for name, b in beats.sources.items()
    }
    Heartbeat(beats.published, beats.rules_version, aged).write(home.heartbeat)


@pytest.mark.parametrize(("hours", "health", "status"), [(1, "fresh", 0), (25, "due", 0), (73, "stale", 3)])
def test_a_source_that_was_not_checked_is_due_and_then_stale(kbw, home, history, hours, health, status):
    ingest_git(home, history)
    age(home, hours)
    assert json.loads(kbw("sources", "--json").stdout)[0]["status"] == health
    assert kbw("check", "--sources").returncode == status


def test_figures_of_a_source_that_was_not_checked_are_listed_with_the_reason(kbw, home, history):
    ingest_git(home, history)
    age(home, 71)
    assert json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout) == []
    age(home, 73)
    (row,) = json.loads(kbw("stale", "--reason", "source_unchecked", "--json").stdout)
    assert (row["problem"], row["reasons"]) == (RELU, ["age", "source_unchecked"])
    words = "the source has not been checked lately"
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


def test_a_check_that_failed_is_told_until_one_succeeds(kbw, home, history, tmp_path):
    ingest_git(home, history)
    rewritten = GitHistory(tmp_path / "rewritten")
    rewritten.commit("2024-01-01", {timing_path(): timings(n19_ReLU=7.0)})
    assert kbw("ingest", f"git:{rewritten.path}", "--name", "lab/KernelBench").returncode == 1
    done = kbw("check", "--sources")
    assert done.returncode == 3
    assert re.search(r"perhaps another repository", " ".join(done.stdout.split()))
    ingest_git(home, history)
    assert kbw("check", "--sources").returncode == 0


def settings(home: Home, *sources: str) -> None:
    """Let the settings list sources, each as the lines below ``[[sources]]``."""
    home.root.mkdir(exist_ok=True)
    (home.root / "kbw.toml").write_text("".join(f"[[sources]]\n{one}\n" for one in sources))


def health(kbw) -> dict[str, dict]:
    return {row["source"]: row for row in json.loads(kbw("sources", "--json").stdout)}


def make_empty(path):
    subprocess.run(["git", "init", "-q", "-b", "main", path], check=True)


def make_no_repository(path):
    path.mkdir()
    (path / "README").write_text("no repository")


WRONG = {
    "not there": ("", lambda path: None),
    "an empty repository": ("", make_empty),
    "no repository": ("", make_no_repository),
    "an unknown ref": ("@no-such-branch", lambda path: one_figure(path)),
    "an option that is for others": ('"\nobserved_at = "2025-01-01', lambda path: one_figure(path)),
}


@pytest.mark.parametrize(("rest", "make"), WRONG.values(), ids=WRONG)
def test_a_listed_source_that_never_succeeded_is_told_with_its_error_whatever_is_wrong(kbw, home, tmp_path, rest, make):
    """Also where no database was ever published."""
    make(tmp_path / "other")
    settings(home, f'source = "git:{tmp_path / "other"}{rest}"\nname = "lab/other"')
    assert kbw("ingest", "--all").returncode == 1
    row = health(kbw)["lab/other"]
    assert (row["status"], row["checked_at"]) == ("stale", None)
    assert row["last_error"]
    assert kbw("check", "--sources").returncode == 3


@pytest.mark.parametrize("named", [True, False])
def test_a_source_that_vanished_is_failing_until_it_is_back(kbw, home, history, named):
    subprocess.run(["git", "remote", "add", "origin", "https://github.com/lab/origin"], cwd=history.path, check=True)
    settings(home, f'source = "git:{history.path}"' + ('\nname = "lab/x"' if named else ""))
    kbw("ingest", "--all")
    (name,) = health(kbw)
    assert kbw("check", "--sources").returncode == 0
    moved = history.path.rename(history.path.with_name("moved"))
    assert kbw("ingest", "--all").returncode == 1
    assert {source: row["status"] for source, row in health(kbw).items()} == {name: "failing"}
    assert "no such file or folder" in health(kbw)[name]["last_error"]
    assert kbw("check", "--sources").returncode == 3
    moved.rename(history.path)
    assert kbw("ingest", "--all").returncode == 0
    assert {source: row["status"] for source, row in health(kbw).items()} == {name: "fresh"}


def test_a_listed_source_that_was_never_asked_is_told_too(kbw, home, history, tmp_path):
    settings(home, 'source = "github:someone/KernelBench"\nstale_after_hours = 100', f'source = "git:{tmp_path}/later"')
    assert {name: row["status"] for name, row in health(kbw).items()} == {
        "someone/KernelBench": "stale",
        f"git:{tmp_path}/later": "stale",
    }
    assert health(kbw)["someone/KernelBench"]["stale_after_hours"] == 100
    assert kbw("check", "--sources").returncode == 3
    ingest_git(home, history)
    assert health(kbw)["lab/KernelBench"]["status"] == "fresh"
    assert kbw("check", "--sources").returncode == 3


def test_a_listed_source_that_failed_before_it_could_say_its_name_goes_on_under_that(kbw, home, tmp_path):
    settings(home, f'source = "git:{tmp_path}/later"')
    kbw("ingest", "--all")
    assert health(kbw)[f"git:{tmp_path}/later"]["last_error"]
    made = one_figure(tmp_path)
    made.path.rename(tmp_path / "later")
    subprocess.run(["git", "remote", "add", "origin", "https://github.com/lab/later"], cwd=tmp_path / "later")
    done = kbw("ingest", "--all")
    assert done.returncode == 0, done.stderr
    assert {name: row["status"] for name, row in health(kbw).items()} == {"lab/later": "fresh"}


def test_a_source_that_only_failed_and_is_listed_no_more_is_forgotten(kbw, home, history, tmp_path):
    settings(home, f'source = "git:{tmp_path}/gone"\nname = "lab/gone"', f'source = "git:{history.path}"\nname = "a/b"')
    kbw("ingest", "--all")
    assert health(kbw).keys() == {"lab/gone", "a/b"}
    settings(home, f'source = "git:{history.path}"\nname = "a/b"')
    assert kbw("ingest", "--all").returncode == 0
    assert health(kbw).keys() == {"a/b"}


def test_a_slip_of_the_keyboard_spoils_no_monitoring(kbw, home, history, tmp_path):
    ingest_git(home, history)
    for slip in (f"git:{tmp_path}/typo", "gti:x", f"dir:{tmp_path}/typo"):
        assert kbw("ingest", slip).returncode == 1
    assert health(kbw).keys() == {"lab/KernelBench"}
    assert kbw("check", "--sources").returncode == 0


def test_a_rebuild_of_a_copied_landing_is_no_look_at_its_sources(kbw, home, history):
    ingest_git(home, history)
    home.heartbeat.unlink()
    assert kbw("rebuild").returncode == 0
    row = health(kbw)["lab/KernelBench"]
    assert (row["status"], row["checked_at"], row["changed_at"]) == ("stale", None, None)


def test_a_rebuild_forgets_no_error_of_a_source_that_never_succeeded(kbw, home, history, tmp_path):
    settings(home, f'source = "git:{tmp_path}/gone"\nname = "lab/gone"', f'source = "git:{history.path}"\nname = "a/b"')
    kbw("ingest", "--all")
    checked = health(kbw)["a/b"]["checked_at"]
    kbw("rebuild")
    assert health(kbw)["lab/gone"]["last_error"]
    assert health(kbw)["a/b"]["checked_at"] == checked


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["fetch", "publish"])
def test_a_full_disk_and_a_person_who_breaks_off_are_not_the_fault_of_the_source(
    home, history, monkeypatch, step, error
):
    from flows import sequence

    def broken(*_: object, **__: object) -> None:
        raise error

    ingest_git(home, history)
    history.commit("2025-03-01", {timing_path(): timings(n19_ReLU=0.8)})
    with monkeypatch.context() as patch, pytest.raises(type(error)):
        patch.setattr(sequence, step, broken)
        ingest_git(home, history)
    beat = Heartbeat.read(home.heartbeat).of("lab/KernelBench")
    assert (beat.last_error, beat.failed_at) == (None, None)


def test_checks_that_fail_before_publishing_are_not_the_fault_of_the_source(home, history, monkeypatch):
    from warehouse.publish import ChecksFailed

    def bad(_: object) -> None:
        raise ChecksFailed("not published")

    ingest_git(home, history)
    history.commit("2025-03-01", {timing_path(): timings(n19_ReLU=0.8)})
    with monkeypatch.context() as patch, pytest.raises(ChecksFailed):
        patch.setattr("warehouse.publish.Building.check", bad)
        ingest_git(home, history)
    assert Heartbeat.read(home.heartbeat).of("lab/KernelBench").last_error is None


def test_all_as_json_is_one_array_with_the_same_keys_of_each_source_failures_too(kbw, home, history, tmp_path):
    settings(home, f'source = "git:{tmp_path}/gone"\nname = "lab/gone"', f'source = "git:{history.path}"\nname = "a/b"')
    done = kbw("ingest", "--all", "--json")
    assert done.returncode == 1
    gone, there = json.loads(done.stdout)
    assert list(gone) == list(there)
    assert (gone["status"], gone["changed"], gone["counts"]) == ("failed", False, None)
    assert "no such file or folder" in gone["error"]
    assert (there["source"], there["status"], there["error"], there["counts"]["runs"]) == ("a/b", "changed", None, 2)
    _, again = json.loads(kbw("ingest", "--all", "--json").stdout)
    assert list(again) == list(there)
    assert (again["status"], again["counts"]) == ("unchanged", None)


def test_the_health_of_sources_is_written_for_prometheus(kbw, home, history, tmp_path):
    """Read by Prometheus' own reader of its format."""
    from prometheus_client.parser import text_string_to_metric_families

    strange = 'lab/"quoted"\\back'
    settings(home, f'source = "git:{history.path}"\nname = "a/b"', f"source = 'git:/no/where'\nname = '{strange}'")
    kbw("ingest", "--all")
    file = tmp_path / "kbw.prom"
    assert kbw("check", "--sources", "--metrics", file).returncode == 3
    found = {
        (family.name, sample.labels["source"]): sample.value
        for family in text_string_to_metric_families(file.read_text(encoding="utf-8"))
        for sample in family.samples
    }
    assert found["kbw_source_up", "a/b"] == 1
    assert found["kbw_source_up", strange] == 0
    checked = Heartbeat.read(home.heartbeat).of("a/b").checked_at
    assert found["kbw_source_last_check_timestamp_seconds", "a/b"] == pytest.approx(checked.timestamp(), abs=1e-3)
    assert ("kbw_source_last_check_timestamp_seconds", strange) not in found
    assert found["kbw_source_last_failure_timestamp_seconds", strange] > 1.7e9
    assert found["kbw_source_stale_after_seconds", "a/b"] == 72 * 3600
    assert found["kbw_source_files", "a/b"] == 1
    before = file.read_bytes()
    assert kbw("sources", "--metrics", file).returncode == 0
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".kbw")] == []
    assert kbw("check", "--metrics", file).returncode == 2


def test_without_any_source_a_monitor_is_told_and_a_person_too(kbw):
    done = kbw("check", "--sources")
    assert (done.returncode, "no source is followed" in done.stderr) == (3, True)
    assert json.loads(kbw("sources", "--json").stdout) == []
    assert "kbw ingest sample" in kbw("sources").stderr
