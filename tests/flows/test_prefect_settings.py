"""Whether a Prefect API is configured is known without Prefect; and what is said where it does not answer."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from flows.prefect_settings import prefect_at_work, prefect_is_configured
from tests.conftest import ROOT, run_kbw
from tests.histories import one_figure


def test_an_api_is_looked_for_where_prefect_keeps_it(monkeypatch, tmp_path):
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.delenv("PREFECT_PROFILE", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    assert not prefect_is_configured()
    (tmp_path / "profiles.toml").write_text(
        'active = "mine"\n[profiles.mine]\nPREFECT_API_URL = "http://127.0.0.1:4200/api"\n[profiles.other]\n'
    )
    assert prefect_is_configured()
    monkeypatch.setenv("PREFECT_PROFILE", "other")
    assert not prefect_is_configured()
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:4200/api")
    assert prefect_is_configured()


@pytest.fixture
def nobody(tmp_path) -> dict[str, str]:
    """An environment in which a Prefect API is configured on loopback, at a port where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    return {
        "KBW_HOME": str(tmp_path / "home"),
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": f"http://who:secret@127.0.0.1:{port}/api",
        "PREFECT_CLIENT_MAX_RETRIES": "0",
    }


@pytest.mark.parametrize("command", [("ingest", "sample", "--flow"), ("deploy",), ("serve",)])
def test_a_prefect_server_that_does_not_answer_is_said_in_one_line(nobody, command):
    done = run_kbw(*command, **nobody)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("kbw: no Prefect server answers at http://127.0.0.1:")
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr
    assert not (Path(nobody["KBW_HOME"]) / "warehouse.duckdb").exists()


def test_prefect_is_told_to_tell_nobody(monkeypatch):
    for name in ("PREFECT_SERVER_ANALYTICS_ENABLED", "DO_NOT_TRACK", "PREFECT_SERVER_LOGGING_LEVEL"):
        monkeypatch.setenv(name, "kept")  # so that it is put back
        monkeypatch.delenv(name)
    with prefect_at_work():
        assert os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
        assert os.environ["DO_NOT_TRACK"] == "1"
    monkeypatch.setenv("PREFECT_SERVER_ANALYTICS_ENABLED", "true")
    with prefect_at_work():
        assert os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] == "true", "who wants it says so"


@pytest.fixture
def no_prefect(monkeypatch):
    """A machine on which Prefect cannot be imported."""
    monkeypatch.setitem(sys.modules, "prefect", None)


@pytest.mark.parametrize(
    "command", [("serve",), ("deploy",), ("ingest", "sample:ScalingIntelligence/KernelBench", "--flow")]
)
def test_whoever_needs_a_prefect_that_is_not_installed_is_told_in_one_line_what_to_install(kbw, no_prefect, command):
    done = kbw(*command)
    assert done.returncode == 1
    assert done.stderr == 'kbw: Prefect is not installed; install it with `pip install "prefect>=3.9,<4"`\n'


def test_an_ingest_goes_on_without_the_prefect_that_is_configured_and_not_installed(
    kbw, home, no_prefect, monkeypatch, tmp_path
):
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:4200/api")
    done = kbw("ingest", f"git:{one_figure(tmp_path).path}", "--name", "lab/x")
    assert done.returncode == 0, done.stderr
    assert "a Prefect API is configured but Prefect is not installed, so this is no flow run; install it" in done.stderr
    assert home.database.exists()


def test_what_is_to_be_installed_is_what_the_project_asks_for():
    assert '"prefect>=3.9,<4"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_another_failure_is_not_taken_for_silence():
    with pytest.raises(ValueError, match="of its own"), prefect_at_work():
        raise ValueError("of its own")


def test_where_nobody_asked_for_a_flow_run_an_ingest_goes_on_without_the_server(nobody):
    done = run_kbw("ingest", "sample", **nobody)
    assert done.returncode == 0, done.stderr
    assert "no Prefect server answers at http://127.0.0.1:" in done.stderr
    assert "this ingest goes on without it" in done.stderr
    assert "secret" not in done.stderr
    silent = run_kbw("ingest", "sample", "--no-flow", **nobody)
    assert (silent.returncode, silent.stderr) == (0, "")
