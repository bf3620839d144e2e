"""Which commits of a branch are revisions: first-parent commits that change ``results/timing``.

GitHub lists the commits that touched a path, as ``git log -- results/timing`` does: it follows a merge only to the
parent that has the same files, and does not show the merge. So the list decides about a commit with one parent, as
long as the walk came there along first parents.

About a merge it says nothing, but often nothing need be asked: a merge that the list does not have shows what one of
its parents shows, and where every way down from the other parents leads to the first one by commits that the list does
not have either, all of them show the same. That is a side branch that left the line where it was merged again. Else
something came onto the line meanwhile, the merge may have undone it, and then neither is listed: such a merge is
decided by comparing trees, one request each. A list from anywhere above cannot tell, since it would pass by in the same
way. Where a merge took another parent's files, and the list may not have come to its first parent from there, it is
asked for anew.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile

from flows.sources.github.answers import Commit, CommitAnswer
from flows.sources.github.client import Client
from flows.sources.github.trees import Trees
from flows.sources.interface import SourceError

_PER_PAGE = 100
_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Touching:
    """Commits that touched ``results/timing``, of those that come from one commit.

    The list is in the order of ``git log``: of the commits whose children were passed, always the youngest. So it is
    whole for a commit that is younger than ``since``, and so are all on a way to it.
    """

    commits: Set[str]
    since: datetime


@dataclass
class _Shown:
    """The object at ``results/timing`` along a stretch of the line, from ``top`` on where that is known before."""

    top: Commit | None = None
    known: bool = False
    object: str | None = None


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
        self._line = {commit.id for commit in self._chain}

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

    def tree(self, commit: str) -> str:
        """What to ask for a commit's tree by: its own id does where the commit was not listed."""
        known = self._commits.get(commit)
        return known.tree if known else commit

    def _walk(self) -> str | None:
        """Collect the chain; the known revision to which it comes, None where it begins anew."""
        at: str | None = self._head.id
        passed: set[str] = set()
        while at is not None and at not in self._known:
            if at in passed:
                raise self._client.distrust("/commits", f"{at[:12]}, which is its own ancestor")
            passed.add(at)
            commit = self._commit(at)
            self._chain.append(commit)
            at = commit.parents[0] if commit.parents else None
        return at

    def _shows_the_same(self, newest: str | None) -> bool:
        """Whether the head's figures are those of the newest revision, as they must be."""
        if newest == self._head.id:
            return True
        listed = self._trees.timing_of_listed(self._head.tree)
        return listed == (self._trees.timing_of_listed(self.tree(newest)) if newest else None)

    def _commit(self, commit: str) -> Commit:
        while commit not in self._commits:
            page = next(self._pages, None)
            if page is None:
                raise SourceError(f"{self._client.name}: GitHub's list of commits ends before {commit[:12]}; try again")
            self._commits |= {answer.sha: answer.read() for answer in page}
        return self._commits[commit]

    def _listed_revisions(self) -> list[Commit]:
        found = []
        listed: Touching | None = None
        shown = _Shown(self._head)
        for position, commit in enumerate(self._chain):
            if listed is None:
                listed = self._listed(self._chain[position:])
            if len(commit.parents) > 1:
                if self._merge_changes(commit, listed, shown):
                    found.append(commit)
                    passes = commit.id in listed.commits or self._all_lead_to_the_first(commit)
                    listed = listed if passes else None
            elif commit.id in listed.commits:
                found.append(commit)
                shown = _Shown()
        return found

    def _listed(self, chain: Sequence[Commit]) -> Touching:
        """What the list has from the first of ``chain`` on, at least as far as its last."""
        oldest = min(commit.at for commit in chain)
        found: set[str] = set()
        pages = self._client.pages(
            "/commits", list[CommitAnswer], sha=chain[0].id, path=self._trees.layout.timings, per_page=_PER_PAGE
        )
        for page in pages:
            found |= {answer.sha for answer in page}
            if page and page[-1].read().at < oldest:
                return Touching(found, page[-1].read().at)
        return Touching(found, _EVER)

    def _merge_changes(self, merge: Commit, listed: Touching, shown: _Shown) -> bool:
        """Whether a merge differs from its first parent; ``shown``, what it shows, becomes what its first parent does.

        What differs is compared once more, with the merge's own tree, which as a revision's is needed anyway:
        a list that lags behind may have passed over a change between where ``shown`` was asked for and here.
        """
        before = self.tree(merge.parents[0])
        is_listed = merge.id in listed.commits
        if merge.tree == before or (not is_listed and self._all_lead_to_the_first(merge, untouched_by=listed)):
            return False
        if not shown.known:
            shown.known, shown.object = True, self._shown_from(shown.top, merge)
        after, shown.object = shown.object, self._trees.timing(before)
        return after != shown.object and self._trees.timing_of_listed(merge.tree) != shown.object

    def _shown_from(self, top: Commit | None, merge: Commit) -> str | None:
        """The head's files are listed in any case: what they say is free."""
        return self._trees.timing_of_listed(top.tree) if top else self._trees.timing(merge.tree)

    def _all_lead_to_the_first(self, merge: Commit, untouched_by: Touching | None = None) -> bool:
        """Whether every way down from a merge's other parents comes to its first one.

        With a list, also whether it does so by commits that did not touch figures.
        """
        first, *waiting = merge.parents
        seen = {first}
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            commit = self._commits.get(at)
            if commit is None or at in self._line or not commit.parents:
                return False
            if untouched_by is not None and not _is_untouched(commit, untouched_by):
                return False
            waiting.extend(commit.parents)
        return True

    def _changes(self, commit: Commit) -> bool:
        """Whether a commit's tree differs from its first parent's under ``results/timing``."""
        if not commit.parents:
            return self._trees.timing(commit.tree) is not None
        before = self.tree(commit.parents[0])
        return commit.tree != before and self._trees.timing(commit.tree) != self._trees.timing(before)


def _is_untouched(commit: Commit, listed: Touching) -> bool:
    """Whether a list that passed a commit would have it, had it touched figures, and has it not."""
    return commit.id not in listed.commits and commit.at > listed.since
