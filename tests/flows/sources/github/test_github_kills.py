"""Killed at any instant, an ingest from GitHub loses nothing, and what had landed is not fetched again."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flows.sources.github.transfers import FEW
from tests.github import GitHub
from tests.histories import (
    LAB,
    GitHistory,
    all_tables,
    fetched,
    module,
    module_path,
    stored_tables,
    timing_path,
    timings,
)
from tests.kills import ColdKbw, Kbw, Stage, Traces, landed, unfinished
from warehouse.heartbeat import Fingerprint, Heartbeat
from warehouse.home import Home

SPEC = f"github:{LAB}"
STAGES = (Stage.BEGUN, Stage.LANDING, Stage.LANDED, Stage.BUILDING)
"""What a home shows when looking, fetching, deriving and publishing begin."""


Moment = tuple[bool, Stage, float]
"""When to kill: whether something is published before it; in which stage; which part of that stage is over."""


class Trials:
    """One history, its GitHub, and a home that an undisturbed ingest filled; everything else is compared with that."""

    def __init__(
        self, folder: Path, github: GitHub, history: GitHistory, kbw, command: Kbw | ColdKbw, answers_after_s: float
    ) -> None:
        self.folder = folder
        self.github = github
        self.history = history
        self.kbw = kbw
        self.command = command
        self.answers_after_s = answers_after_s
        self.made = 0
        self.sound: list[bytes] = []
        self.hit: Counter[tuple[bool, Stage]] = Counter()
        self.before = self.new_home()  # the warehouse as it was before the newest commits
        assert self.ingest(self.before) == 0

    def new_home(self, of: Home | None = None) -> Home:
        """An empty home, or a copy of one that is as good as the original."""
        self.made += 1
        home = Home(self.folder / f"home-{self.made}")
        if of is not None:
            shutil.copytree(of.root, home.root, copy_function=shutil.copy2)
            beats = Heartbeat.read(home.heartbeat)
            Heartbeat(Fingerprint.of(home.database), beats.rules_version, beats.sources).write(home.heartbeat)
        return home

    def ingest(self, home: Home) -> int:
        return self.kbw("ingest", SPEC, "--json", "--home", home.root).returncode

    def undisturbed(self, home: Home) -> dict[Stage, float]:
        """Ingest into ``home``; the seconds after which each stage began."""
        traces = self.begin(home)
        begins = traces.watch(self.command)
        assert self.command.end() == 0
        assert unfinished(home) == []
        return begins

    def begin(self, home: Home) -> Traces:
        """Begin an ingest in a process of its own."""
        traces = Traces.of(home)
        self.github.delay = self.answers_after_s
        self.command.begin("ingest", SPEC, "--json", "--home", home.root)
        return traces

    def killed(self, home: Home, stage: Stage, later_s: float) -> bool:
        """Kill an ingest so many seconds after a stage began; whether it was killed before its end."""
        traces = self.begin(home)
        traces.wait_for(stage, self.command)
        time.sleep(later_s)
        status = self.command.kill()
        self.hit[bool(traces.database), traces.stage()] += 1
        return status == -signal.SIGKILL

    def goes_on(self, home: Home, expected: dict[str, list[tuple]]) -> None:
        """What was published opens and is sound; the next ingest completes, asking for nothing that it has."""
        self.is_sound(home)
        had, trees = landed(home), {path.stem for path in home.root.glob("github/*/trees/*.json")}
        knew_chain = bool(list(home.root.glob("github/*/head.json"))) and self.knows_head(home)
        self.github.forget()
        self.github.delay = 0
        assert self.ingest(home) == 0
        assert stored_tables(home) == expected
        assert not had & self.asked_for(), "what had landed was fetched again"
        assert not self.github.count("codeload") or len(landed(home) - had) > FEW
        asked = [request.target for request in self.github.requests if request.role == "api"]
        if knew_chain:
            assert not [target for target in asked if "/commits?" in target], "the chain was kept"
            assert not [target for target in asked if any(self.tree(commit) in target for commit in trees)]
        assert landed(home) == self.logged(home), "the fetch log does not say where every blob came from"
        assert unfinished(home) == []

    def is_sound(self, home: Home) -> None:
        """What is published passes its checks; the bytes that did before do again."""
        found = home.database.read_bytes() if home.database.exists() else None
        if found is not None and found not in self.sound:
            assert self.kbw("check", "--home", home.root).returncode == 0
            self.sound.append(found)

    def knows_head(self, home: Home) -> bool:
        (file,) = home.root.glob("github/*/head.json")
        return json.loads(file.read_bytes().splitlines()[0])["head"]["id"] == self.github.repository.resolve("HEAD")

    def tree(self, commit: str) -> str:
        return str(self.github.repository.commit(commit)["commit"]["tree"]["sha"])

    def asked_for(self) -> set[str]:
        """The blobs that single requests asked for."""
        found = set()
        for request in self.github.requests:
            if request.role == "raw":
                commit, _, path = request.path.removeprefix(f"/{LAB}/").partition("/")
                found.add(self.github.repository.files(commit)[path])
            elif "/git/blobs/" in request.path:
                found.add(request.path.rpartition("/")[2])
        return found

    def logged(self, home: Home) -> set[str]:
        return {line.blob for line in fetched(home)}


def add_revision(history: GitHistory, number: int, modules: int) -> None:
    """One more revision: new problems, and two hosts that measured them."""
    names = [f"{number}{n}_ReLU.py" for n in range(1, modules + 1)]
    hosts = [timing_path(f"H100_{host}") for host in range(2)]
    measured = {f"n{name.removesuffix('.py')}": 1 + n + number / 10 for n, name in enumerate(names)}
    changes = {module_path(name): module("ReLU", n=n + number + 1) for n, name in enumerate(names)}
    history.commit(f"2025-01-0{number + 1}", changes | {host: timings(**measured) for host in hosts})


@pytest.fixture
def trials(request, tmp_path, monkeypatch, kbw) -> Iterator[Trials]:
    """Trials of a history on a GitHub that takes its time; the parameter: how ``kbw`` runs, and how many modules."""
    run, modules = request.param
    history = GitHistory(tmp_path / "history")
    for number in range(3):
        add_revision(history, number, modules)
    with GitHub(history.path, LAB) as github, closing(run(github.environment)) as command:
        github.set_environment(monkeypatch)
        trials = Trials(tmp_path, github, history, kbw, command, answers_after_s=0.01 if run is Kbw else 0.05)
        for number in (3, 4):  # of the older one, the archive of the newer lacks the figures: landing takes its time
            add_revision(history, number, modules)
        assert history.path
        yield trials


def hold(trials: Trials, moments: list[Moment]) -> None:
    """Kill an ingest at each moment, and let it be ingested again.

    A moment is told by its stage, since a machine that is busy with other things is slow at one time, fast at another.
    """
    whole = trials.new_home(trials.before)
    begins = {True: trials.undisturbed(whole)}
    expected = stored_tables(whole)
    afresh = trials.new_home()
    begins[False] = trials.undisturbed(afresh)
    assert all_tables(afresh) == all_tables(whole)
    killed = 0
    for further, stage, part in moments:
        home = trials.new_home(trials.before if further else None)
        ends = min(at for later, at in begins[further].items() if later > stage)
        lasts_s = ends - begins[further].get(stage, ends)  # a short stage may pass between two glances
        killed += trials.killed(home, stage, part * lasts_s)
        trials.goes_on(home, expected)
        shutil.rmtree(home.root)
    print(f"{killed} of {len(moments)} killed before their end;", sorted(trials.hit.items()))
    assert killed > len(moments) * 2 / 3, "the ingests were over before they could be killed: nothing was tried"
    assert {stage for _, stage in trials.hit} >= {Stage.LANDING, Stage.LANDED, Stage.BUILDING}


@pytest.mark.parametrize("trials", [(Kbw, 6)], indirect=True, ids=["file by file"])
def test_twenty_kills_from_the_first_look_to_the_last_rename(trials):
    """Five in the time of each stage, at random within it: of first ingests, and of those that bring news."""
    chance = random.Random(20260305)
    kinds = (True, True, False, True, True)
    hold(trials, [(further, stage, chance.random()) for stage in STAGES for further in kinds])


@pytest.mark.slow
@pytest.mark.parametrize("trials", [(ColdKbw, 6), (ColdKbw, 40)], indirect=True, ids=["file by file", "by archive"])
def test_a_hundred_kills_at_any_moment(trials):
    """Two hundred in all, of the command as a person starts it: at any moment of all it does, and in each stage."""
    hold(trials, any_moments(trials, 100))


def any_moments(trials: Trials, count: int) -> list[Moment]:
    """Half of them at random over the whole of an ingest, half over its stages in turn; half of each with news only."""
    chance = random.Random(20260306)
    moments = []
    for further in (False, True):
        lasts = trials.undisturbed(trials.new_home(trials.before if further else None))
        begins = sorted((at, stage) for stage, at in lasts.items())
        for number in range(count // 4):
            at = chance.uniform(0, begins[-1][0])
            since, stage = max(begin for begin in begins if begin[0] <= at)
            until = min(begin for begin, _ in begins if begin > at)
            moments.append((further, stage, (at - since) / (until - since)))
            moments.append((further, STAGES[number % len(STAGES)], chance.random()))
    return moments
