"""A lineage read from a git repository on this machine (DESIGN.md section 2).

Never a checkout: which commits are revisions comes from one ``git rev-list``, all else from ``git cat-file --batch``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from flows.sources.git.objects import Objects
from flows.sources.git.repository import Repository, path_and_ref
from flows.sources.interface import (
    Blob,
    Chain,
    RefusedBlob,
    Revision,
    SourceError,
    github_url,
    shared,
)
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import TOP, Layout, path_bytes, path_text

_ANY_FIGURES = ":(top,glob)**/results/timing/**/baseline_time*.json"
"""Timing files of any root, as git's pathspec."""

_MOST_FILES = 1_000_000
"""Files and folders of one revision that may be tracked: a few trees that name each other can stand for any number."""

_DEEPEST = 100
"""Folders within folders, as deep as JSON may be nested."""


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
        self._repository = Repository(Path(path))
        try:
            self._ref, self._commit = self._repository.resolve(ref)
            if name and ref and not accept_rewritten:
                self._repository.refuse_side_branch(name, ref, self._commit)
            self.name = name or self._repository.lineage_name(self._ref)
        except BaseException:
            self._repository.close()
            raise
        self._objects = Objects(self._repository.git)
        self._listed: dict[str, list[str]] = {}
        self.layout = TOP
        self.url = github_url(self.name)

    def listings(self) -> Iterator[Collection[str]]:
        """See Source. Figures were held by a commit that touched them, or by the one before it."""
        yield self._paths(self._commit)
        touched = self._touching(_ANY_FIGURES)
        for commit, read in zip(touched, self._objects.commits(touched), strict=True):
            for one in (commit, *read.parents[:1]):
                yield self._paths(one)

    def read_at(self, layout: Layout, name: str) -> None:
        """See Source."""
        self.layout, self.name = layout, name

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source. Side branches that were merged are not followed."""
        timings = os.fsdecode(path_bytes(self.layout.timings))
        chain = self._touching(f":(top,literal){timings}")[::-1]
        if not chain:
            raise SourceError(f"{self.name}: no commit of {self._ref} holds anything under {self.layout.timings}")
        start = shared(known, chain)
        unreachable = tuple(known[start:])
        if unreachable and not self._accept_rewritten:
            self._refuse_doubtful(start, len(chain), unreachable)
        *new, head = self._dated([*chain[start:], self._commit])
        return Chain(new=tuple(new), head=head, unreachable=unreachable)

    def files(self, revision: Revision) -> Mapping[str, str]:
        """See Source."""
        (commit,) = self._objects.commits([revision.id])
        files: dict[str, str] = {}
        for visited, (path, blob) in enumerate(self._walk(commit.tree, "")):
            if visited == _MOST_FILES:
                raise SourceError(f"{self.name}: commit {revision.id[:12]} shows more than {_MOST_FILES} files")
            if blob is not None:
                files[path] = blob
        return files

    def read(self, blobs: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        """See Source."""
        return self._objects.blobs(blobs)

    def close(self) -> None:
        """End the helper process and remove the temporary clone of a bundle."""
        self._objects.close()
        self._repository.close()

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

    def _touching(self, pathspec: str) -> list[str]:
        """The first-parent commits that differ from their first parent at a path, newest first."""
        listed = self._repository.git.must("rev-list", "--first-parent", self._commit, "--", pathspec)
        return listed.text.split()

    def _dated(self, commits: Sequence[str]) -> list[Revision]:
        """Commits with their dates; refuses all where one says none, since an order of runs cannot be guessed."""
        dated = []
        for commit, read in zip(commits, self._objects.commits(commits), strict=True):
            if read.committed_at is None:
                raise SourceError(
                    f"{self.name}: commit {commit[:12]} has no committer's date between 1970 and 9999, so nothing can "
                    "be dated by it; ingest another ref, or a repository without it"
                )
            dated.append(Revision(commit, read.committed_at))
        return dated

    def _walk(self, tree: str, prefix: str) -> Iterator[tuple[str, str | None]]:
        """The tracked files below a tree, each with its blob, and the folders on the way, with none."""
        if prefix.count("/") > _DEEPEST:
            raise SourceError(f"{self.name}: folders are nested deeper than {_DEEPEST} levels at {prefix[:40]}...")
        for entry in self._objects.tree(tree):
            path = prefix + entry.name
            if entry.mode == b"40000":
                if self.layout.leads_to_tracked(path):
                    yield path, None
                    yield from self._walk(entry.id, path + "/")
            elif entry.mode.startswith(b"100") and self.layout.is_tracked(path):
                yield path, entry.id

    def _paths(self, commit: str) -> list[str]:
        """Of every file of a commit, links and submodules aside."""
        if commit not in self._listed:
            listed = self._repository.git.must("ls-tree", "-r", "-z", "--full-tree", commit).out.split(b"\0")
            self._listed = {commit: [path_text(line.partition(b"\t")[2]) for line in listed if line.startswith(b"100")]}
        return self._listed[commit]


def from_spec(rest: str, options: SourceOptions, opening: Opening) -> GitSource:  # noqa: ARG001  (nothing to remember)
    """See flows.sources.kinds.Opener."""
    path, ref = path_and_ref(rest)
    return GitSource(path, ref, options.name, accept_rewritten=options.accept_rewritten)
