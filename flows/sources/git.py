"""``git:PATH[@ref]``: a local clone, bare or not, or a bundle (DESIGN.md section 2).

Never a checkout: commits come from one ``git log``, trees and blobs from one ``git cat-file --batch``.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

from flows.sources.interface import (
    Blob,
    Chain,
    Revision,
    SourceError,
    github_url,
    shared,
)
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import TOP, Layout

_REQUESTS_AT_ONCE = 500
"""Object ids written before answers are read: 20 kB, less than a pipe holds, so neither side can block the other."""

_ANY_FIGURES = ":(glob)**/results/timing/**/baseline_time*.json"
"""Timing files of any root, as git's pathspec."""

_GITHUB_REMOTE = re.compile(r"(?:https?://|ssh://git@|git@)github\.com[/:](?P<name>[^/]+/[^/]+?)(?:\.git)?/?")


class GitSource:
    """A lineage read from a git repository on this machine."""

    kind = "git"
    requests_made: Mapping[str, int] = {}

    def __init__(
        self, path: str, ref: str | None = None, name: str | None = None, *, accept_rewritten: bool = False
    ) -> None:
        """Open ``path`` at ``ref``; raises SourceError in one line when there is nothing to read.

        ``name`` is the lineage's name; without it the name comes from the clone's ``origin``. ``accept_rewritten``
        believes the clone also where it looks like one that is behind, or like another repository, and reads a side
        branch under a name without ``@``, that of the main line.
        """
        self._accept_rewritten = accept_rewritten
        self._repository, self._bundle_clone = _open(Path(path))
        self._trees: dict[str, str] = {}
        self._batch: _Batch | None = None
        self.layout = TOP
        try:
            self._ref, self._commit = _resolve(self._repository, path, ref)
            _refuse_shallow(self._repository, path)
            if name and ref and not accept_rewritten:
                _refuse_side_branch(self._repository, path, name, ref, self._commit)
            self.name = name or _lineage_name(self._repository, path, self._ref)
        except BaseException:
            self.close()
            raise
        self.url = github_url(self.name)

    def listings(self) -> Iterator[Collection[str]]:
        """See Source. Figures were held by a commit that touched them, or by the one before it."""
        yield self._paths(self._commit)
        touched = _git(self._repository, "log", "--first-parent", "--format=%H %P", self._commit, "--", _ANY_FIGURES)
        for line in touched.splitlines():
            for commit in line.split()[:2]:
                yield self._paths(commit)

    def read_at(self, layout: Layout, name: str) -> None:
        """See Source."""
        self.layout, self.name = layout, name

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source. Side branches that were merged are not followed."""
        head = self._log("-1", self._commit)[0]
        chain = self._log("--reverse", self._commit, "--", self.layout.timings)
        if not chain:
            raise SourceError(f"{self.name}: no commit of {self._ref} holds anything under {self.layout.timings}")
        start = shared(known, [revision.id for revision in chain])
        unreachable = tuple(known[start:])
        if unreachable and not self._accept_rewritten:
            self._refuse_doubtful(start, len(chain), unreachable)
        return Chain(new=tuple(chain[start:]), head=head, unreachable=unreachable)

    def files(self, revision: Revision) -> Mapping[str, str]:
        """See Source."""
        return dict(self._walk(self._tree_of(revision.id), ""))

    def read(self, blobs: Sequence[str]) -> Iterator[Blob]:
        """See Source."""
        for blob, _, data in self._objects().get(blobs):
            yield Blob(blob, data)

    def close(self) -> None:
        """End the helper process and remove the temporary clone of a bundle."""
        if self._batch is not None:
            self._batch.close()
        if self._bundle_clone is not None:
            self._bundle_clone.cleanup()

    def _refuse_doubtful(self, start: int, length: int, unreachable: Sequence[str]) -> None:
        """A clone is a copy: where it lacks revisions, it may be the clone that is at fault and not the branch.

        One that goes another way from a revision in common was rewritten. ``start`` revisions are in common, of the
        clone's ``length``.
        """
        lacked = unreachable[0][:12]
        lacks = f"{self.name}: {self._ref} does not contain revision {lacked}, which the warehouse already holds"
        if not start:
            raise SourceError(
                f"{lacks}, nor any before it: perhaps another repository; give it another --name, or "
                "--accept-rewritten where its whole history was rewritten"
            )
        if start == length:
            raise SourceError(
                f"{lacks}, and nothing newer: perhaps it is behind; `git fetch` there first, or give "
                "--accept-rewritten where the branch was wound back"
            )

    def _log(self, *arguments: str) -> list[Revision]:
        lines = _git(self._repository, "log", "--first-parent", "--format=%H %T %ct", *arguments).splitlines()
        revisions = []
        for line in lines:
            commit, tree, seconds = line.split()
            self._trees[commit] = tree
            revisions.append(Revision(commit, datetime.fromtimestamp(int(seconds), UTC)))
        return revisions

    def _tree_of(self, commit: str) -> str:
        if commit not in self._trees:
            self._trees[commit] = _git(self._repository, "rev-parse", "--verify", f"{commit}^{{tree}}").strip()
        return self._trees[commit]

    def _walk(self, tree: str, prefix: str) -> Iterator[tuple[str, str]]:
        for mode, name, object_id in self._objects().tree(tree):
            path = prefix + name
            if mode == b"40000":
                if self.layout.leads_to_tracked(path):
                    yield from self._walk(object_id, path + "/")
            elif mode.startswith(b"100") and self.layout.is_tracked(path):
                yield path, object_id

    def _paths(self, commit: str) -> list[str]:
        """Of every file of a commit, links and submodules aside."""
        listed = _git(self._repository, "ls-tree", "-r", "-z", "--full-tree", commit).split("\0")
        return [line.partition("\t")[2] for line in listed if line.startswith("100")]

    def _objects(self) -> _Batch:
        if self._batch is None:
            self._batch = _Batch(self._repository)
        return self._batch


def from_spec(rest: str, options: SourceOptions, opening: Opening) -> GitSource:  # noqa: ARG001  (nothing to remember)
    """See flows.sources.kinds.Opener."""
    path, ref = _path_and_ref(rest)
    return GitSource(path, ref, options.name, accept_rewritten=options.accept_rewritten)


def _path_and_ref(rest: str) -> tuple[str, str | None]:
    """``PATH@ref``, split at the last ``@`` after which stands an existing ref; a path may hold one, a ref too."""
    if Path(rest).exists() or "@" not in rest:
        return rest, None
    ats = [position for position, letter in enumerate(rest) if letter == "@"]
    splits = [(rest[:at], rest[at + 1 :]) for at in reversed(ats) if Path(rest[:at]).exists()]
    if len(splits) > 1:
        splits = [(path, ref) for path, ref in splits if _has_ref(Path(path), ref)] or splits
    path, ref = splits[0] if splits else (rest[: ats[-1]], rest[ats[-1] + 1 :])
    return path, ref


def _has_ref(path: Path, ref: str) -> bool:
    if not path.is_dir():  # a bundle lists its refs itself
        listed = _run(Path.cwd(), "ls-remote", "--heads", "--tags", str(path.resolve()), ref)
        return listed.returncode == 0 and bool(listed.stdout)
    return _commit_of(path, ref) is not None


class _Batch:
    """One ``git cat-file --batch`` process; trees are kept, since revisions share most of them."""

    def __init__(self, repository: Path) -> None:
        self._process = subprocess.Popen(
            ["git", "-C", str(repository), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._in = cast(IO[bytes], self._process.stdin)
        self._out = cast(IO[bytes], self._process.stdout)
        self._known_trees: dict[str, list[tuple[bytes, str, str]]] = {}

    def get(self, ids: Sequence[str]) -> Iterator[tuple[str, bytes, bytes]]:
        for start in range(0, len(ids), _REQUESTS_AT_ONCE):
            part = ids[start : start + _REQUESTS_AT_ONCE]
            self._in.write("".join(f"{i}\n" for i in part).encode())
            self._in.flush()
            for object_id in part:
                yield self._answer(object_id)

    def tree(self, tree_id: str) -> list[tuple[bytes, str, str]]:
        """``(mode, name, id)`` of a tree's entries."""
        if tree_id not in self._known_trees:
            ((_, _, data),) = self.get([tree_id])
            self._known_trees[tree_id] = list(_tree_entries(data))
        return self._known_trees[tree_id]

    def close(self) -> None:
        self._in.close()
        self._out.close()
        self._process.wait()

    def _answer(self, object_id: str) -> tuple[str, bytes, bytes]:
        header = self._out.readline().split()
        if len(header) != 3:
            raise SourceError(f"git object {object_id} cannot be read: the repository is incomplete or damaged")
        size = int(header[2])
        data = self._out.read(size)
        self._out.read(1)
        if len(data) != size:
            raise SourceError(f"git object {object_id} was cut short: the repository is damaged")
        return object_id, header[1], data


def _tree_entries(data: bytes) -> Iterator[tuple[bytes, str, str]]:
    position = 0
    while position < len(data):
        end = data.index(b"\0", position)
        mode, name = data[position:end].split(b" ", 1)
        yield mode, name.decode("utf-8", "backslashreplace"), data[end + 1 : end + 21].hex()
        position = end + 21


def _open(path: Path) -> tuple[Path, tempfile.TemporaryDirectory[str] | None]:
    if not path.exists():
        raise SourceError(f"{path}: no such file or folder; name a git repository or a bundle")
    if path.is_dir():
        return path, None
    # `git cat-file` cannot read a bundle.
    folder = tempfile.TemporaryDirectory(prefix="kbw-bundle-")
    _git(Path.cwd(), "clone", "--quiet", "--bare", str(path.resolve()), folder.name, what=str(path))
    return Path(folder.name), folder


def _resolve(repository: Path, path: str, ref: str | None) -> tuple[str, str]:
    """The ref read and its commit. Without a ref: ``HEAD``, else ``main``, else ``master``."""
    if _run(repository, "rev-parse", "--git-dir").returncode:
        raise SourceError(f"{path}: not a git repository or bundle; clone one, or read a plain folder with dir:{path}")
    for candidate in [ref] if ref else ["HEAD", "main", "master"]:
        if (commit := _commit_of(repository, candidate)) is not None:
            return candidate, commit
    if ref:
        branches = _git(repository, "for-each-ref", "--format=%(refname:short)", "--count=5").split()
        raise SourceError(f"{path}: no branch, tag or commit {ref!r}; there is: {', '.join(branches) or 'nothing'}")
    raise SourceError(f"{path}: the repository has no commit yet; there is nothing to ingest")


def _commit_of(repository: Path, ref: str) -> str | None:
    found = _run(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return found.stdout.strip() if found.returncode == 0 else None


def _refuse_shallow(repository: Path, path: str) -> None:
    if _git(repository, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise SourceError(
            f"{path}: a shallow clone hides when figures first appeared; run `git fetch --unshallow` there first"
        )


def _refuse_side_branch(repository: Path, path: str, name: str, ref: str, commit: str) -> None:
    """A name without ``@`` is that of the main line: what is not on it would overwrite its history."""
    main = _main_line(repository)
    if "@" in name or not main or ref in main or any(_contains(repository, branch, commit) for branch in main):
        return
    raise SourceError(
        f"{path}: {ref} is not the main line, whose name {name} is; its lineage is {name}@{ref}: give "
        f"--name {name}@{ref}, or --accept-rewritten where it is to stand in the main line's place"
    )


def _lineage_name(repository: Path, path: str, ref: str) -> str:
    origin = _run(repository, "remote", "get-url", "origin").stdout.strip()
    match = _GITHUB_REMOTE.fullmatch(origin)
    if match is None:
        raise SourceError(f"{path}: its origin is not a GitHub repository; give the lineage a name: --name owner/repo")
    branch = _branch_read(repository, ref)
    main = _main_line(repository)
    return match["name"] if branch == "HEAD" or not main or branch in main else f"{match['name']}@{branch}"


def _main_line(repository: Path) -> list[str]:
    """The branch that is read where none is named, in the spellings that exist here: the origin's, else its own."""
    for symbolic in ("refs/remotes/origin/HEAD", "HEAD"):
        target = _run(repository, "symbolic-ref", "--quiet", "--short", symbolic).stdout.strip()
        found = [name for name in (target, target.removeprefix("origin/")) if name and _commit_of(repository, name)]
        if found:
            return found
    return []


def _contains(repository: Path, branch: str, commit: str) -> bool:
    return _run(repository, "merge-base", "--is-ancestor", commit, branch).returncode == 0


def _branch_read(repository: Path, ref: str) -> str:
    """The branch that a ref names: ``HEAD`` is the one that is checked out, if there is one."""
    if ref != "HEAD":
        return ref
    return _run(repository, "symbolic-ref", "--quiet", "--short", "HEAD").stdout.strip() or ref


def _environment() -> dict[str, str]:
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def _run(repository: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["git", "-C", str(repository), *arguments],
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",  # a path need not be text
            check=False,
            env=_environment(),
        )
    except FileNotFoundError:
        raise SourceError("git is not installed; install it, or ingest `sample` or a dir: source") from None


def _git(repository: Path, *arguments: str, what: str = "") -> str:
    done = _run(repository, *arguments)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SourceError(f"{what or repository}: git {arguments[0]} failed: {last}")
    return done.stdout
