"""Which commits of a branch are revisions: first-parent commits that change ``results/timing``.

GitHub lists the commits that touched a path, as ``git log -- results/timing`` does: it follows a merge only to the
parent that has the same files, and does not show the merge. So the list decides about a commit with one parent, as
long as the walk came there along first parents; a merge is decided by comparing trees, and where it took another
parent's files, the list is asked for anew from its first parent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile

from flows.sources.github.answers import Commit, CommitAnswer
from flows.sources.github.client import Client
from flows.sources.github.trees import Trees
from flows.sources.interface import SourceError

_PER_PAGE = 100


class Branch:
    """The first-parent chain of one commit, back to what is known."""

    def __init__(self, client: Client, trees: Trees, head: Commit, known: Collection[str]) -> None:
        """``known`` are revisions; the chain ends above the first that it comes to, which is ``reached``."""
        self._client = client
        self._trees = trees
        self._head = head
        self._known = known
        self._commits = {head.id: head}
        self._pages = client.pages("/commits", list[CommitAnswer], sha=head.id, per_page=_PER_PAGE)
        self._chain: list[Commit] = []
        self.reached = self._walk()

    def revisions(self) -> list[Commit]:
        """The revisions above the one that was reached, newest first."""
        if not self._chain:
            return []
        found = self._listed_revisions()
        newest = found[0].id if found else self.reached
        if self._shows_the_same(newest):
            return found
        # A list that lags behind the branch: the commits above the newest it has are compared one by one.
        above = takewhile(lambda commit: commit.id != newest, self._chain)
        return [*(commit for commit in above if self._changes(commit)), *found]

    def _walk(self) -> str | None:
        """Collect the chain; the known revision to which it comes, None where it begins anew."""
        at: str | None = self._head.id
        while at is not None and at not in self._known:
            commit = self._commit(at)
            self._chain.append(commit)
            at = commit.parents[0] if commit.parents else None
        return at

    def _shows_the_same(self, newest: str | None) -> bool:
        """Whether the head's figures are those of the newest revision, as they must be."""
        if newest == self._head.id:
            return True
        listed = self._trees.timing_of_listed(self._head.tree)
        return listed == (self._trees.timing_of_listed(self._tree(newest)) if newest else None)

    def _commit(self, commit: str) -> Commit:
        while commit not in self._commits:
            page = next(self._pages, None)
            if page is None:
                raise SourceError(f"{self._client.name}: GitHub's list of commits ends before {commit[:12]}; try again")
            self._commits |= {answer.sha: answer.read() for answer in page}
        return self._commits[commit]

    def _listed_revisions(self) -> list[Commit]:
        found = []
        listed: set[str] | None = None
        for position, commit in enumerate(self._chain):
            if len(commit.parents) > 1:
                if self._changes(commit):
                    found.append(commit)
                    if listed is not None and commit.id not in listed:
                        listed = None
                continue
            if listed is None:
                listed = self._listed(self._chain[position:])
            if commit.id in listed:
                found.append(commit)
        return found

    def _listed(self, chain: Sequence[Commit]) -> set[str]:
        """Commits that touched ``results/timing``, from the first of ``chain`` on, at least as far as its last.

        The list is in the order of ``git log``: of the commits whose children were listed, always the youngest. So
        nothing of the chain comes after a commit that is older than all of the chain.
        """
        oldest = min(commit.at for commit in chain)
        found: set[str] = set()
        pages = self._client.pages(
            "/commits", list[CommitAnswer], sha=chain[0].id, path=self._trees.layout.timings, per_page=_PER_PAGE
        )
        for page in pages:
            found |= {answer.sha for answer in page}
            if page and page[-1].read().at < oldest:
                break
        return found

    def _changes(self, commit: Commit) -> bool:
        """Whether a commit's tree differs from its first parent's under ``results/timing``."""
        if not commit.parents:
            return self._trees.timing(commit.tree) is not None
        before = self._tree(commit.parents[0])
        return commit.tree != before and self._trees.timing(commit.tree) != self._trees.timing(before)

    def _tree(self, commit: str) -> str:
        """What to ask for a commit's tree by: its own id does where the commit was not listed."""
        known = self._commits.get(commit)
        return known.tree if known else commit
