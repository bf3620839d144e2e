"""Flows and their schedule on a real Prefect server on loopback, with a home of its own (DESIGN.md section 13)."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
import requests

from flows import sequence
from flows.sequence import Directly
from flows.sources.interface import SourceError
from flows.steps.discover import discover
from flows.steps.fetch import fetch
from flows.steps.plan import plan
from flows.steps.publish import publish
from flows.steps.read import read_beside
from flows.steps.tidy import tidy
from flows.steps.validate import validate
from tests.conftest import ROOT
from tests.github import GitHub
from tests.histories import GitHistory, all_tables, one_figure, query, timing_path, timings
from warehouse.home import Home, WarehouseError

TOKEN = "ghp_Secret0123456789"


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[dict[str, str]]:
    """A Prefect server on loopback, up once for this file; the environment in which commands find it."""
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


@pytest.fixture(scope="module")
def prefect(server) -> Iterator[None]:
    """Flows that run in this process know the server."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # third-party modules that Prefect imports
        from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

        found = {PREFECT_API_URL: server["PREFECT_API_URL"], PREFECT_HOME: server["PREFECT_HOME"]}
        with temporary_settings(updates=found):
            yield


@pytest.fixture
def history(tmp_path):
    made = one_figure(tmp_path)
    made.commit("2025-02-01", {timing_path(): timings(n19_ReLU=0.9), timing_path("H100_bad"): "<html>"})
    return made


@pytest.mark.filterwarnings("ignore")
def test_the_flow_takes_the_same_steps_and_makes_the_same_tables(prefect, tmp_path, history):
    from prefect.client.orchestration import get_client

    from flows.ingest import ingest_flow

    taken: list[str] = []
    plain = Home(tmp_path / "plain")
    with sequence_of(history) as source:
        sequence.ingest(plain, source, Directly(taken.append))
    flowing = Home(tmp_path / "flowing")
    (outcome,) = ingest_flow(f"git:{history.path}", name="lab/KernelBench", home=flowing.root).outcomes
    assert outcome.refused_files == [("results/timing/H100_bad/baseline_time_torch.json", "not_json")]
    assert all_tables(flowing) == all_tables(plain)
    with get_client(sync_client=True) as client:
        runs = sorted(client.read_task_runs(), key=lambda run: run.start_time)
        (artifact,) = client.read_artifacts()
    assert [run.name.rsplit("-", 1)[0] for run in runs] == taken
    assert {run.state_name for run in runs} == {"Completed"}
    (row,) = json.loads(artifact.data)
    said = {"kept": 2, "present": 1, "new": 2, "withdrawn": 0, "files refused": 1, "entries refused": 0}
    assert said | {"stale": 1, "requests": 0} == {name: row[name] for name in [*said, "stale", "requests"]}
    assert [name for name in row if name.endswith(" (s)")] == [f"{step} (s)" for step in taken if step != "tidy"]
    assert all(row[f"{step} (s)"] >= 0 for step in ("discover", "fetch", "publish"))
    columns = "runs, runs_present, runs_new, runs_withdrawn, runs_stale, files_refused, entries_refused, requests"
    assert query(flowing, f"select {columns} from ingests") == [(2, 1, 2, 0, 1, 1, 0, 0)]


@pytest.mark.filterwarnings("ignore")
def test_only_what_meets_the_network_is_retried_and_nothing_is_cached():
    from prefect.cache_policies import NO_CACHE

    from flows.ingest import _as_task

    all_steps = (tidy, discover, fetch, plan, read_beside, validate, publish)
    tasks = {step.__name__: _as_task(step) for step in all_steps}
    assert {name for name, task in tasks.items() if task.retries} == {"discover", "fetch"}
    assert all(task.cache_policy is NO_CACHE and task.persist_result is False for task in tasks.values())


@pytest.mark.filterwarnings("ignore")
def test_a_token_is_in_no_artifact_log_parameter_or_state_of_a_flow_run(prefect, home, history, monkeypatch):
    """Neither where it does its work nor where GitHub does not accept it."""
    from prefect.client.orchestration import get_client

    from flows.ingest import ingest_flow

    with GitHub(history.path) as github:
        for accepted in (TOKEN, "another"):
            github.token = accepted
            github.set_environment(monkeypatch, token=TOKEN)
            with nullcontext() if accepted == TOKEN else pytest.raises(SourceError, match="does not accept"):
                ingest_flow("github:lab/KernelBench", home=home.root)
        assert any(TOKEN in value for request in github.requests for value in request.headers.values())
    with get_client(sync_client=True) as client:
        held = [*client.read_artifacts(), *client.read_flow_runs(), *client.read_task_runs(), *client.read_logs()]
    assert not [one for one in held if TOKEN in one.model_dump_json()]
    assert [one for one in held if "does not accept the GITHUB_TOKEN" in one.model_dump_json()], "a failure was kept"


@pytest.mark.filterwarnings("ignore")
def test_a_source_that_a_person_must_correct_fails_at_once(prefect, home):
    from flows.ingest import ingest_flow

    with pytest.raises(SourceError, match="no such file or folder"):
        ingest_flow("git:/no/such/place", home=home.root)


@pytest.fixture
def followed(home) -> Home:
    """A home whose settings follow the sample."""
    home.root.mkdir()
    (home.root / "kbw.toml").write_text('[[sources]]\nsource = "sample"\ndue_after_hours = 2\nstale_after_hours = 5\n')
    return home


@pytest.mark.slow
def test_a_deployment_is_registered_and_a_worker_runs_it_and_leaves_its_artifact(server, followed):
    before = {artifact["id"] for artifact in ask(server, "artifacts")}
    done = subprocess.run(
        [sys.executable, "-m", "flows", "deploy", "--home", followed.root.name, "--cron", "0 0 1 1 *"],
        env=server, cwd=followed.root.parent, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (deployment,) = ask(server, "deployments")
    assert deployment["name"] == "scheduled"
    settings = str(followed.root / "kbw.toml")
    assert deployment["parameters"] == {"home": str(followed.root), "settings": settings}, "from wherever it runs"
    assert settings in done.stderr
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
    assert query(followed, "select count(*) from runs where source like 'ScalingIntelligence/%'") == [(10105,)]
    (artifact,) = (one for one in ask(server, "artifacts") if one["id"] not in before)
    assert artifact["key"] == "ingest"
    assert '"kept": 10105' in str(artifact["data"])


@pytest.mark.filterwarnings("ignore")
def test_a_run_whose_settings_are_gone_fails_and_follows_nothing_else(prefect, followed, monkeypatch):
    from flows.ingest import ingest_all_flow

    monkeypatch.setenv("KBW_CONFIG", "")
    (followed.root / "kbw.toml").rename(followed.root / "away.toml")
    with pytest.raises(WarehouseError, match=r"kbw\.toml: no such file"):
        ingest_all_flow(home=followed.root, settings=followed.root / "kbw.toml")
    assert not followed.database.exists()


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
    assert query(followed, "select count(*) from runs where source like 'ScalingIntelligence/%'") == [(10105,)]
    text = log.read_text()
    assert "ERROR" not in text, text
    assert "Traceback" not in text, text


def sequence_of(history: GitHistory):
    from contextlib import closing

    from flows.sources.git import GitSource

    return closing(GitSource(str(history.path), None, "lab/KernelBench"))
