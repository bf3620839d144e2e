"""From a GitHub on loopback to the tables, by the command: what comes, what is refused, who may work."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.github import GitHub, Request
from tests.github.server import Reply
from tests.histories import (
    GitHistory,
    all_tables,
    ingest_git,
    one_figure,
    query,
    timing_path,
    timings,
    whole_tree,
)
from tests.kills import end, launch
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home
from warehouse.landing import git_blob_id


@pytest.fixture
def history(tmp_path) -> GitHistory:
    made = one_figure(tmp_path)
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


def test_what_landing_lost_comes_again_from_github_though_its_head_has_not_moved(kbw, home, github):
    assert kbw("ingest", "github:lab/KernelBench").returncode == 0
    before = {name: data for name, (data, _) in whole_tree(home.landing).items() if not name.startswith("fetches")}
    for path in [*home.landing.glob("blobs/*/*"), *home.landing.glob("trees/*/*")]:
        path.unlink()
    done = kbw("ingest", "github:lab/KernelBench")
    assert done.returncode == 0, done.stderr
    after = {name: data for name, (data, _) in whole_tree(home.landing).items() if not name.startswith("fetches")}
    assert after == before
    github.forget()
    assert kbw("ingest", "github:lab/KernelBench").returncode == 0
    assert github.count("api") + github.count("raw") == 1


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


def test_a_fork_beside_upstream_costs_a_handful_and_gives_what_it_gives_alone(kbw, home, history, github, tmp_path):
    assert kbw("ingest", "github:lab/KernelBench").returncode == 0
    history.commit("2025-03-01", {timing_path("A100_fork"): timings(n19_ReLU=2.0)})
    github.serve(history.path)  # counts anew
    github.name = "fork/KernelBench"
    done = kbw("ingest", "github:fork/KernelBench")
    assert done.returncode == 0, done.stderr
    # The head, which names its parent; the list of commits that touched figures; the head's tree; the file.
    assert (github.count("api"), github.count("raw")) == (3, 1)
    alone = tmp_path / "alone"
    assert kbw("ingest", "github:fork/KernelBench", "--home", alone).returncode == 0
    runs = "select run_id, first_revision, present from runs where source = 'fork/KernelBench' order by all"
    assert query(home, runs) == query(Home(alone), runs)


def outside(folder: Path, home: Home) -> set[Path]:
    return {path for path in folder.rglob("*") if home.root != path and home.root not in path.parents}


@pytest.mark.parametrize("what", ["commit", "entry", "no id"])
def test_an_id_that_leads_out_of_the_home_is_refused_nothing_is_written_and_the_next_ingest_mends_all(
    kbw, home, github, tmp_path, what
):
    """Also where another source is ingested beside it: the home goes on."""
    no_id = "" if what == "no id" else "../../../written"

    def mangle(request: Request, reply: Reply) -> Reply:
        if request.role != "api" or reply.status != 200:
            return reply
        value = json.loads(reply.body)
        if what == "commit" and "/commits" in request.path:
            for commit in value if isinstance(value, list) else [value]:
                commit["sha"], commit["parents"] = no_id, []
        for entry in value["tree"] if what != "commit" and "/trees/" in request.path else []:
            if entry["path"].endswith(".json"):
                entry["sha"] = no_id
        return Reply(200, json.dumps(value).encode(), headers=reply.headers)

    home.root.mkdir()
    before = outside(tmp_path, home)
    github.mangle = mangle
    done = kbw("ingest", "github:lab/KernelBench")
    assert done.returncode == 1
    assert f"'{no_id}' is no id of git" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert outside(tmp_path, home) == before
    assert not list(home.root.rglob("written*"))
    assert kbw("ingest", "sample:ScalingIntelligence/KernelBench").returncode == 0
    github.mangle = lambda request, reply: reply
    mended = kbw("ingest", "github:lab/KernelBench")
    assert mended.returncode == 0, mended.stderr
    assert query(home, "select count(*) from runs where source = 'lab/KernelBench'") == [(2,)]
