"""The schedule on a real Prefect server on loopback, with a home of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.conftest import ROOT
from tests.histories import query
from warehouse.home import Home


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[dict[str, str]]:
    """A Prefect server, up for this file; the environment in which commands find it."""
    home = tmp_path_factory.mktemp("prefect")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {key: value for key, value in os.environ.items() if not key.startswith(("KBW_", "PREFECT_"))}
    environment = {
        **own,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PREFECT_HOME": str(home),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [
                shutil.which("prefect", path=environment["PATH"]) or "prefect",
                *("server", "start", "--host", "127.0.0.1", "--port", str(port)),
            ],
            env=environment,
            cwd=home,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(lambda: requests.get(f"{environment['PREFECT_API_URL']}/health", timeout=5).ok, 90)
            yield environment
        finally:
            process.terminate()
            process.wait(timeout=30)


def wait_until(true, seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            if true():
                return
        except requests.ConnectionError:
            pass
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.3)


def ask(environment: dict[str, str], path: str, **body: object) -> list[dict[str, object]]:
    answer = requests.post(f"{environment['PREFECT_API_URL']}/{path}/filter", json=body, timeout=30)
    answer.raise_for_status()
    found: list[dict[str, object]] = answer.json()
    return found


@pytest.fixture
def followed(home) -> Home:
    """A home whose settings follow the sample."""
    home.root.mkdir()
    (home.root / "kbw.toml").write_text('[[sources]]\nsource = "sample"\ndue_after_hours = 2\nstale_after_hours = 5\n')
    return home


def test_a_deployment_is_registered_and_a_worker_runs_it_and_leaves_its_artifact(server, followed):
    done = subprocess.run(
        [sys.executable, "-m", "flows", "deploy", "--home", followed.root, "--cron", "0 0 1 1 *"],
        env=server, cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (deployment,) = ask(server, "deployments")
    assert deployment["name"] == "scheduled"
    assert deployment["concurrency_limit"] == 1 or deployment["global_concurrency_limit"]
    assert {"kernelbench", "warehouse"} <= set(deployment["tags"])  # type: ignore[call-overload]
    assert deployment["schedules"][0]["schedule"]["cron"] == "0 0 1 1 *"  # type: ignore[index]
    run = requests.post(
        f"{server['PREFECT_API_URL']}/deployments/{deployment['id']}/create_flow_run",
        json={"state": {"type": "SCHEDULED"}},
        timeout=30,
    )
    run.raise_for_status()
    worker = subprocess.run(
        [shutil.which("prefect", path=server["PATH"]) or "prefect", "worker", "start", "--pool", "kbw", "--run-once"],
        env=server, cwd=followed.root, capture_output=True, text=True, timeout=180,
    )  # fmt: skip
    finished = requests.get(f"{server['PREFECT_API_URL']}/flow_runs/{run.json()['id']}", timeout=30).json()
    assert finished["state"]["type"] == "COMPLETED", (finished["state"], worker.stdout, worker.stderr)
    assert query(followed, "select count(*) from runs") == [(10105,)]
    (artifact,) = ask(server, "artifacts")
    assert artifact["key"] == "ingest"
    assert '"kept": 10105' in str(artifact["data"])


@pytest.mark.slow
def test_serve_runs_the_schedule_unattended_without_an_error_in_its_log(server, followed, tmp_path):
    log = tmp_path / "serve.log"
    with log.open("wb") as out:
        served = subprocess.Popen(
            [sys.executable, "-m", "flows", "serve", "--home", followed.root, "--cron", "* * * * *"],
            env=server, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            wait_until(followed.database.exists, 150)
            time.sleep(3)
        finally:
            served.terminate()
            served.wait(timeout=60)
    assert query(followed, "select count(*) from runs") == [(10105,)]
    text = log.read_text()
    assert "ERROR" not in text, text
    assert "Traceback" not in text, text


def test_without_an_api_the_schedule_is_refused_with_a_way_on(kbw):
    for command in ("serve", "deploy"):
        done = kbw(command)
        assert done.returncode == 1
        assert "prefect server start" in done.stderr
