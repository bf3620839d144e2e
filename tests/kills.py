"""Real processes that are really killed: what tests of crashes share."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from tests.conftest import ROOT
from warehouse.home import Home

_KBW = """
import json, os, sys
import transforms.batch, transforms.contracts.validate, transforms.history.normalise, warehouse.publish
import flows.following, flows.sources.git, flows.sources.github
from flows.cli.app import run
print("ready", flush=True)
for line in sys.stdin:
    process = os.fork()
    if process == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os._exit(run(json.loads(line)))
    print(process, flush=True)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    print("over", flush=True)
    sys.stdin.readline()
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


def start(program: str, *arguments: object, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a Python program and wait until it says that it is ready."""
    process = launch("-c", program, *arguments, env=env)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def launch(*arguments: object, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start Python, away from the caller's own settings of the warehouse and of Prefect."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("KBW_", "PREFECT_"))}
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**own, "PREFECT_HOME": os.devnull, **(env or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def end(process: subprocess.Popen[str]) -> int:
    status = process.wait(timeout=120)
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()
    return status


def kill(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGKILL)
    return end(process)


class Kbw:
    """``kbw`` without its start-up: each command is a process of its own, forked from one that has imported all.

    What is timed, and hit by a kill, is the work.
    """

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._parent = start(_KBW, env=env)
        self._process = 0

    def begin(self, *arguments: object) -> None:
        """Run a command."""
        self._tell(json.dumps([str(argument) for argument in arguments]))
        self._process = int(self._says())

    def is_over(self) -> bool:
        """Whether the command has ended."""
        return bool(select.select([self._parent.stdout], [], [], 0)[0])

    def end(self) -> int:
        """Wait for the command; its status."""
        assert self._says() == "over\n"
        self._tell("")
        return int(self._says())

    def kill(self) -> int:
        """Kill the command, unless it has ended; its status."""
        os.kill(self._process, signal.SIGKILL)  # the number is its own until ``end`` has asked for its status
        return self.end()

    def close(self) -> None:
        kill(self._parent)

    def _tell(self, line: str) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.write(f"{line}\n")

    def _says(self) -> str:
        assert self._parent.stdout is not None
        return self._parent.stdout.readline()


class ColdKbw:
    """``kbw`` as a person starts it."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._env = env

    def begin(self, *arguments: object) -> None:
        """Run a command."""
        self._process = launch("-m", "flows", *arguments, env=self._env)

    def is_over(self) -> bool:
        """Whether the command has ended."""
        return self._process.poll() is not None

    def end(self) -> int:
        """Wait for the command; its status."""
        return end(self._process)

    def kill(self) -> int:
        """Kill the command, unless it has ended; its status."""
        return kill(self._process)

    def close(self) -> None:
        """Nothing is left to close."""


_GLANCE_S = 0.002


class Stage(IntEnum):
    """How far an ingest has come, as far as its home tells."""

    BEGUN = 0
    DISCOVERED = 1  # the chain is known
    LANDING = 2  # a blob has landed
    LANDED = 3  # the lineage is written: the new revisions count
    BUILDING = 4  # a new database is being built
    PUBLISHED = 5  # it stands in the place of the old one
    OVER = 6  # and that is noted


States = frozenset[tuple[str, int]]
"""Which files there are, and when each was last written."""


@dataclass(frozen=True)
class Traces:
    """What an ingest leaves in its home one after the other; to be compared with what stood there before."""

    home: Home
    chains: States
    blobs: frozenset[str]
    lineages: States
    database: States
    heartbeat: States

    @classmethod
    def of(cls, home: Home) -> Traces:
        return cls(home, _chains(home), landed(home), _lineages(home), _databases(home), _heartbeats(home))

    def stage(self) -> Stage:
        """How far an ingest that began here has come by now."""
        if _heartbeats(self.home) != self.heartbeat:
            return Stage.OVER
        if _databases(self.home) != self.database:
            return Stage.PUBLISHED
        if self.home.building.exists():
            return Stage.BUILDING
        if _lineages(self.home) != self.lineages:
            return Stage.LANDED
        if landed(self.home) != self.blobs:
            return Stage.LANDING
        return Stage.DISCOVERED if _chains(self.home) != self.chains else Stage.BEGUN

    def wait_for(self, stage: Stage, command: Kbw | ColdKbw) -> None:
        """Return when an ingest has come so far, or has ended."""
        while self.stage() < stage and not command.is_over():
            time.sleep(_GLANCE_S)

    def watch(self, command: Kbw | ColdKbw) -> dict[Stage, float]:
        """Seconds from now to the beginning of each stage that could be seen, until the process ends."""
        began = time.monotonic()
        begins = {Stage.BEGUN: 0.0}
        while not command.is_over():
            begins.setdefault(self.stage(), time.monotonic() - began)
            time.sleep(_GLANCE_S)
        begins.setdefault(self.stage(), time.monotonic() - began)
        return begins


def landed(home: Home) -> frozenset[str]:
    """The blobs that are in landing."""
    return frozenset(path.parent.name + path.name for path in home.landing.glob("blobs/??/[!.]*"))


def unfinished(home: Home) -> list[Path]:
    """What must not be left in a home where no ingest is at work."""
    hidden = [path for path in home.root.rglob(".*") if path.is_file()]
    return [*hidden, *home.root.glob(f"{home.building.name}*"), *home.root.glob("*.wal"), *home.root.glob("*.pid")]


def _chains(home: Home) -> States:
    return _states(home.root / "github", "*/head.json")


def _lineages(home: Home) -> States:
    return _states(home.landing / "lineages", "[!.]*.json")


def _databases(home: Home) -> States:
    return _states(home.root, home.database.name)


def _heartbeats(home: Home) -> States:
    return _states(home.root, home.heartbeat.name)


def _states(folder: Path, pattern: str) -> States:
    found = set()
    for path in folder.glob(pattern):
        try:
            found.add((str(path), path.stat().st_mtime_ns))
        except FileNotFoundError:
            continue  # replaced at this moment: the next look sees it
    return frozenset(found)
