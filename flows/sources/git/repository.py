"""A git repository or bundle on this machine: whether it can be read, what its refs are, and what it is called."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from flows.sources.git.process import PATIENCE_TO_CLONE_S, Answer, Git
from flows.sources.interface import SourceError

_GITHUB_REMOTE = re.compile(r"(?:https?://|ssh://git@|git@)github\.com[/:](?P<name>[^/]+/[^/]+?)(?:\.git)?/?")
_BUNDLE = re.compile(rb"# v[23] git bundle\n")
_UNUSUAL = r"^(extensions\.(partialclone|objectformat)|remote\..*\.(promisor|partialclonefilter))$"
_NOT = frozenset({"false", "no", "off", "0"})


class Repository:
    """A repository that is whole; of a bundle, a bare clone of it in a temporary folder."""

    def __init__(self, path: Path) -> None:
        """Raises SourceError in one line where there is none, or where not all of its history is there."""
        self._path = path
        self._clone: tempfile.TemporaryDirectory[str] | None = None
        if not path.exists():
            raise SourceError(f"{path}: no such file or folder; name a git repository or a bundle")
        if path.is_dir():
            self.git = Git(path)
            self._refuse_unreadable()
            self._refuse_unusual()
        else:
            self.git = self._cloned()

    def close(self) -> None:
        """Remove the temporary clone of a bundle."""
        if self._clone is not None:
            self._clone.cleanup()

    def resolve(self, ref: str | None) -> tuple[str, str]:
        """The ref read and its commit. Without a ref: ``HEAD``, else ``main``, else ``master``."""
        for candidate in [ref] if ref else ["HEAD", "main", "master"]:
            if (commit := commit_of(self.git, candidate)) is not None:
                return candidate, commit
        if ref:
            branches = self.git.must("for-each-ref", "--format=%(refname:short)", "--count=5").text.split()
            there = ", ".join(branches) or "nothing"
            raise SourceError(f"{self._path}: no branch, tag or commit {ref!r}; there is: {there}")
        raise SourceError(f"{self._path}: the repository has no commit yet; there is nothing to ingest")

    def refuse_side_branch(self, name: str, ref: str, commit: str) -> None:
        """A name without ``@`` is that of the main line: what is not on it would overwrite its history."""
        main = self._main_line()
        if "@" in name or not main or ref in main or any(self._contains(branch, commit) for branch in main):
            return
        raise SourceError(
            f"{self._path}: {ref} is not the main line, whose name {name} is; its lineage is {name}@{ref}: give "
            f"--name {name}@{ref}, or --accept-rewritten where it is to stand in the main line's place"
        )

    def lineage_name(self, ref: str) -> str:
        """The name of the lineage at a ref, by where the repository was cloned from."""
        match = _GITHUB_REMOTE.fullmatch(self.git.ask("remote", "get-url", "origin").text)
        if match is None:
            raise SourceError(
                f"{self._path}: its origin is not a GitHub repository; give the lineage a name: --name owner/repo"
            )
        branch = self._branch_read(ref)
        main = self._main_line()
        return match["name"] if branch == "HEAD" or not main or branch in main else f"{match['name']}@{branch}"

    def _refuse_unreadable(self) -> None:
        told = self.git.ask("rev-parse", "--is-shallow-repository")
        if told.status:
            raise SourceError(_not_readable(self._path, told))
        if told.text == "true":
            raise SourceError(
                f"{self._path}: a shallow clone hides when figures first appeared; "
                "run `git fetch --unshallow` there first"
            )

    def _refuse_unusual(self) -> None:
        """What a partial clone lacks, git fetches as it is read: by whatever its configuration names for that."""
        told = self.git.ask("config", "-z", "--get-regexp", _UNUSUAL)
        if told.status > 1:  # 1: there is none
            raise SourceError(_not_readable(self._path, told))
        for setting in filter(None, told.text.split("\0")):
            name, _, value = setting.partition("\n")
            if name.endswith(".objectformat"):
                if value != "sha1":
                    raise SourceError(f"{self._path}: its objects are named by {value}; only sha1 is read")
            elif not name.endswith(".promisor") or value.lower() not in _NOT:
                raise SourceError(
                    f"{self._path}: a partial clone ({name}) lacks files that would be fetched while it is read; "
                    "clone anew without --filter"
                )

    def _cloned(self) -> Git:
        """`git cat-file` cannot read a bundle."""
        if not self._path.is_file() or not _is_bundle(self._path):
            raise SourceError(_no_repository(self._path))
        self._clone = tempfile.TemporaryDirectory(prefix="kbw-bundle-")
        bundle, folder = str(self._path.resolve()), self._clone.name
        try:
            git = Git(Path(folder), str(self._path))
            clone = ("clone", "--quiet", "--bare", "--template=", bundle, folder)
            git.must(*clone, protocols="file", patience_s=PATIENCE_TO_CLONE_S)
        except BaseException:
            self.close()
            raise
        return git

    def _main_line(self) -> list[str]:
        """The branch that is read where none is named, in the spellings that exist here: the origin's, else its own."""
        for symbolic in ("refs/remotes/origin/HEAD", "HEAD"):
            target = self.git.ask("symbolic-ref", "--quiet", "--short", symbolic).text
            names = (target, target.removeprefix("origin/"))
            if found := [name for name in names if name and commit_of(self.git, name)]:
                return found
        return []

    def _contains(self, branch: str, commit: str) -> bool:
        return self.git.ask("merge-base", "--is-ancestor", commit, branch).status == 0

    def _branch_read(self, ref: str) -> str:
        """The branch that a ref names: ``HEAD`` is the one that is checked out, if there is one."""
        if ref != "HEAD":
            return ref
        return self.git.ask("symbolic-ref", "--quiet", "--short", "HEAD").text or ref


def commit_of(git: Git, ref: str) -> str | None:
    """The commit that a ref names, or none."""
    found = git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return found.text if found.status == 0 else None


def path_and_ref(rest: str) -> tuple[str, str | None]:
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
    if path.is_dir():
        return commit_of(Git(path), ref) is not None
    if not path.is_file() or not _is_bundle(path):
        return False
    outside = Git(Path(path.resolve().anchor), str(path))
    listed = outside.ask("bundle", "list-heads", str(path.resolve())).text
    names = {line.partition(" ")[2] for line in listed.splitlines()}
    return not names.isdisjoint({ref, f"refs/{ref}", f"refs/heads/{ref}", f"refs/tags/{ref}"})


def _is_bundle(path: Path) -> bool:
    """By how it begins: of another file git could be led to a repository elsewhere, which the file names."""
    with path.open("rb") as file:
        return _BUNDLE.match(file.read(32)) is not None


def _no_repository(path: Path) -> str:
    return f"{path}: not a git repository or bundle; clone one, or read a plain folder with dir:{path}"


def _not_readable(path: Path, told: Answer) -> str:
    if "dubious ownership" in told.complaint or "unsafe repository" in told.complaint:
        return (
            f"{path}: belongs to another user, so git does not read it; where you trust it, run "
            f"`git config --global --add safe.directory {path.resolve()}`"
        )
    last = (told.complaint.splitlines() or [""])[-1]
    return _no_repository(path) if "not a git repository" in last else f"{path}: git cannot read it: {last}"
