"""Histories made for tests: real git repositories, small modules and timing files, and what an ingest of them gives.

A history is kept in memory and written by one ``git fast-import`` when it is first needed, so a test may make many.
Every commit has another author date than committer date: only the latter says when a branch began to show something.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import compress
from pathlib import Path
from typing import Any

from flows.sequence import Directly, Outcome, ingest
from flows.sources.git import GitSource
from transforms.contracts.objects import DERIVED, NOT_IN_SNAPSHOTS, OBJECTS, TABLES
from transforms.history.lineage import History, RevisionFiles
from transforms.history.normalise import Normalised, normalise
from transforms.history.reading import Read, needed
from transforms.history.series import Series, touched
from transforms.problems.reader import ModuleReading, read_module
from transforms.timings.reader import read_timings
from warehouse.database import Reader
from warehouse.home import Home
from warehouse.landing import Fetched, git_blob_id
from warehouse.landing.store import read_log

UPSTREAM = "ScalingIntelligence/KernelBench"
LAB = "lab/KernelBench"
H100 = "NVIDIA H100 80GB HBM3"
A100 = "NVIDIA A100-SXM4-80GB"
EAGER = "torch"
COMPILED = "torch_compile"
TUNED = "torch_compile_cudagraphs"

Changes = Mapping[str, str | bytes | None]
"""Path to text; None takes the file away."""


@dataclass(frozen=True)
class _Commit:
    branch: str
    at: int
    parents: tuple[int, ...]
    changes: dict[str, bytes | None]


@dataclass
class GitHistory:
    """A repository in the making. A commit is known by its mark, a number from 1; ``id`` gives git's name of it."""

    folder: Path
    _commits: list[_Commit] = field(default_factory=list)
    _trees: list[dict[str, bytes]] = field(default_factory=list)
    _tips: dict[str, int] = field(default_factory=dict)
    _forks: dict[str, int] = field(default_factory=dict)
    _written: int = 0
    _moved: bool = False

    def commit(self, date: str, changes: Changes, branch: str = "main") -> int:
        """Add a commit to a branch, committed at ``date`` (a day, or a moment in UTC); its mark."""
        parent = self._tips.get(branch)
        return self._add(branch, date, (parent,) if parent else (), {p: _bytes(text) for p, text in changes.items()})

    def branch(self, name: str, start: str | int = "main") -> None:
        """Let a branch begin at the tip of another, or at a commit; one that is there already is moved to it."""
        self._tips[name] = self._forks[name] = self._tips[start] if isinstance(start, str) else start
        self._moved = True

    def merge(self, date: str, branch: str, into: str = "main", changes: Changes | None = None) -> int:
        """Merge a side branch: what it changed since it began, and what the merge itself changes; the merge's mark."""
        side, fork = self._tips[branch], self._forks[branch]
        before, after = self._trees[fork - 1], self._trees[side - 1]
        brought: dict[str, bytes | None] = {
            path: after.get(path)
            for path in sorted(before.keys() | after.keys())
            if before.get(path) != after.get(path)
        }
        own = {path: _bytes(text) for path, text in (changes or {}).items()}
        return self._add(into, date, (self._tips[into], side), {**brought, **own})

    def id(self, mark: int) -> str:
        """Git's name of a commit."""
        return self._marks()[mark]

    @property
    def path(self) -> Path:
        """The repository, bare, with every commit so far."""
        if self._moved or self._written < len(self._commits):
            self._write()
        return self.folder

    def _add(self, branch: str, date: str, parents: tuple[int, ...], changes: dict[str, bytes | None]) -> int:
        tree = {**self._trees[parents[0] - 1]} if parents else {}
        for path, data in changes.items():
            if data is None:
                del tree[path]
            else:
                tree[path] = data
        self._commits.append(_Commit(branch, seconds(date), parents, changes))
        self._trees.append(tree)
        self._tips[branch] = len(self._commits)
        return len(self._commits)

    def _write(self) -> None:
        if not self._written:
            _git(self.folder.parent, "init", "--quiet", "--bare", "--initial-branch=main", str(self.folder))
        stream = b"".join(self._one(mark) for mark in range(self._written + 1, len(self._commits) + 1))
        stream += b"".join(b"reset refs/heads/%s\nfrom :%d\n\n" % (n.encode(), tip) for n, tip in self._tips.items())
        marks = f"--import-marks-if-exists={self._marks_file}", f"--export-marks={self._marks_file}"
        _git(self.folder, "fast-import", "--quiet", "--force", *marks, stdin=stream)
        self._written, self._moved = len(self._commits), False

    def _one(self, mark: int) -> bytes:
        commit = self._commits[mark - 1]
        lines = [
            b"commit refs/heads/%s\nmark :%d\n" % (commit.branch.encode(), mark),
            b"author A <a@example.org> %d +0000\n" % (commit.at - 86_400),
            b"committer C <c@example.org> %d +0000\ndata 0\n" % commit.at,
        ]
        lines += [b"%s :%d\n" % (b"merge" if n else b"from", parent) for n, parent in enumerate(commit.parents)]
        for path, data in commit.changes.items():
            name = json.dumps(path, ensure_ascii=False).encode("utf-8", "surrogateescape")
            body = b"D %s\n" % name if data is None else b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(data), data)
            lines.append(body)
        return b"".join([*lines, b"\n"])

    def _marks(self) -> dict[int, str]:
        assert self.path
        pairs = (line.split() for line in self._marks_file.read_text().splitlines())
        return {int(mark.removeprefix(":")): commit for mark, commit in pairs}

    @property
    def _marks_file(self) -> Path:
        return self.folder / "marks"


def seconds(date: str) -> int:
    """A day or moment in UTC as seconds since 1970."""
    return int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp())


def day(date: str) -> datetime:
    """A day or moment in UTC as tables hold it."""
    return datetime.fromisoformat(date)


def _bytes(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> None:
    settings = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, env=settings, check=False)
    assert done.returncode == 0, done.stderr.decode()


def timing_path(host: str = "H100_lab", mode: str = EAGER) -> str:
    """Where a host's figures in one mode stand."""
    return f"results/timing/{host}/baseline_time_{mode}.json"


def module_path(problem: str, level: str = "level1") -> str:
    """Where a problem's module stands."""
    return f"KernelBench/{level}/{problem}"


def one_figure(folder: Path) -> GitHistory:
    """A repository with one figure, 1.0 ms, and the module beside it."""
    made = GitHistory(folder / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path("19_ReLU.py"): module("ReLU")})
    return made


def figures(
    mean: float,
    std: float = 0.01,
    *,
    low: float | None = None,
    high: float | None = None,
    trials: int = 100,
    hardware: str | None = H100,
) -> dict[str, Any]:
    """One entry in milliseconds; its range is the mean less and plus a half of it where none is given."""
    entry: dict[str, Any] = {"mean": mean, "std": std, "min": low or mean / 2, "max": high or mean * 1.5}
    entry |= {"num_trials": trials, "device": "cuda:0"}
    return entry if hardware is None else {**entry, "hardware": hardware}


def timing_json(levels: Mapping[str, Mapping[str, Any]]) -> str:
    """A timing file: level, problem, entry."""
    return json.dumps(levels)


def timings(level: str = "level1", /, **entries: Any) -> str:
    """A timing file of one level; a problem ``n19_ReLU`` is 19_ReLU.py, a number its mean, anything else its entry."""
    named = {f"{name.removeprefix('n')}.py": entry for name, entry in entries.items()}
    return timing_json({level: {k: figures(v) if isinstance(v, int | float) else v for k, v in named.items()}})


def module(name: str, n: int = 16, body: str = "torch.relu(x)", draw: str = "rand", comment: str = "") -> str:
    """A problem module: ``body`` of an n x 8 tensor that is drawn by ``torch.<draw>``."""
    return f'''import torch
import torch.nn as nn


class Model(nn.Module):
    """{name}, made for a test."""

    def forward(self, x):
        return {body}  # {comment}


rows = {n}


def get_inputs():
    x = torch.{draw}(rows, 8)
    return [x]


def get_init_inputs():
    return []
'''


def ingest_git(
    home: Home,
    history: GitHistory,
    ref: str | int | None = None,
    name: str = LAB,
    *,
    dry_run: bool = False,
    accept_rewritten: bool = False,
) -> Outcome:
    """Ingest a history as it stands at a ref or a commit's mark."""
    named = history.id(ref) if isinstance(ref, int) else ref
    with closing(GitSource(str(history.path), named, name, accept_rewritten=accept_rewritten)) as source:
        return ingest(home, source, Directly(), dry_run=dry_run)


def query(home: Home, sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """The rows that the published database answers."""
    with closing(Reader(home.database)) as reader:
        return reader.sql(sql, **parameters).rows


def failed_checks(home: Home) -> dict[str, list[tuple[Any, ...]]]:
    """The checks of the published database that find bad rows."""
    with closing(Reader(home.database)) as reader:
        return {name: rows for name, rows in reader.checks().items() if rows}


CLOCK = frozenset({"age_days"})
"""Columns that differ from one day to the next."""


def all_tables(home: Home) -> dict[str, list[tuple[Any, ...]]]:
    """Every table and view in the order in which a snapshot holds it, without the log of ingests and without ages."""
    return _exported(home, OBJECTS.keys() - NOT_IN_SNAPSHOTS - {"ingests"})


def stored_tables(home: Home) -> dict[str, list[tuple[Any, ...]]]:
    """Likewise, without the views, which say nothing that is not in these."""
    return _exported(home, (TABLES | DERIVED).keys() - {"ingests"})


def in_order(name: str) -> str:
    """A query for the rows of a table or view in the order in which a snapshot holds it."""
    columns = ", ".join(f'"{column}"' for column in OBJECTS[name].order)
    return f"from {name} order by {columns}"


def _exported(home: Home, names: Collection[str]) -> dict[str, list[tuple[Any, ...]]]:
    with closing(Reader(home.database)) as reader:
        found = {name: reader.sql(in_order(name)) for name in sorted(names)}
    kept = {name: [column not in CLOCK for column in result.columns] for name, result in found.items()}
    return {name: [tuple(compress(row, kept[name])) for row in result.rows] for name, result in found.items()}


def shown(*trees: Changes, source: str = LAB, head: Changes | None = None) -> tuple[History, dict[str, bytes]]:
    """A history without git: whole trees, one a day from 2025-01-01; and its blobs by id."""
    blobs: dict[str, bytes] = {}
    revisions = []
    for position, tree in enumerate([*trees, *([head] if head else [])]):
        contents = {path: _bytes(text) or b"" for path, text in tree.items() if text is not None}
        files = {path: git_blob_id(data) for path, data in contents.items()}
        blobs |= {files[path]: data for path, data in contents.items()}
        revisions.append(RevisionFiles(f"{position:040x}", day("2025-01-01") + timedelta(days=position), files))
    return History(source, None, tuple(revisions[: len(trees)]), revisions[-1]), blobs


def normalised(history: History, blobs: Mapping[str, bytes], series: Collection[Series] | None = None) -> Normalised:
    """The rows of a history, of some of its series or of all, as reading and normalising give them."""
    wanted_series = touched(history, 0) if series is None else series
    wanted = needed(history, wanted_series)
    read = Read(
        timings=read_timings([(blob, blobs[blob]) for blob in wanted.timings]),
        modules={
            (path, blob): _read_module(blobs[blob], *(history.head.layout.module_path(path) or ("", path)))
            for path, blob in wanted.modules
        },
        texts={blob: blobs[blob] for blob in wanted.texts},
    )
    return normalise(history, wanted_series, wanted, read)


@cache
def _read_module(data: bytes, level: str, file: str) -> ModuleReading:
    return read_module(data, level, file)


def fetched(home: Home) -> list[Fetched]:
    """The lines of every fetch log of a home."""
    logs = sorted((home.landing / "fetches").glob("*.jsonl"))
    return [line for log in logs for line in read_log(log.stem, log.read_bytes())]


def whole_tree(folder: Path) -> dict[str, tuple[bytes | None, int]]:
    """Every path below a folder with its bytes (None for a folder) and the time of its last change."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes() if path.is_file() else None, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }
