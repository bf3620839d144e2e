"""Whose modules a source measured, where they are those of another lineage: ``--problems OWNER/REPO[@REV]``.

Landing keeps what each commit showed, and beside it, for each commit, the commit of the other lineage whose modules
were measured (DESIGN.md section 2). Here the one is found, and the two are put together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from flows.sources.interface import Chain, SourceError
from transforms.history.lineage import RevisionFiles
from transforms.layout import Layout
from warehouse.home import WarehouseError
from warehouse.landing import Landing, Lineage


@dataclass(frozen=True)
class Problems:
    """The lineage whose modules were measured, and its revision where one was named, as ``words`` say.

    ``dated`` are its commits in the order of its line, the head last, each with its date (UTC, without a time zone).
    """

    landing: Landing
    words: str
    lineage: Lineage
    revision: str | None
    dated: Mapping[str, datetime]

    @classmethod
    def told(cls, landing: Landing, problems: str, measured: str) -> Problems:
        """What ``--problems`` names for the lineage ``measured``; raises SourceError where the home has no such thing.

        A name may hold an ``@`` itself: what a lineage is called goes before a revision.
        """
        lineage, wanted = landing.lineage(problems), ""
        if lineage is None and "@" in problems:
            name, _, wanted = problems.rpartition("@")
            lineage = landing.lineage(name)
        if lineage is None:
            known = ", ".join(one.source for one in landing.lineages()) or "none yet"
            raise SourceError(
                f"--problems {problems}: no such source in the warehouse; ingest it first, or name one of: {known}"
            )
        if lineage.source == measured or lineage.problems:
            whose = lineage.problems or "those beside the figures already"
            raise SourceError(f"--problems {problems}: its modules are {whose}; name who has modules of its own")
        dated = {one: landing.tree(lineage.source, one).committed_at for one in (*lineage.revisions, lineage.head)}
        revision = _only(problems, lineage.source, wanted, dated) if wanted else None
        return cls(landing, problems, lineage, revision, dated)

    @property
    def now(self) -> str:
        """The commit that is measured where nothing but the present says which: the one named, else the head."""
        return self.revision or self.lineage.head

    def at(self, moment: datetime, held: str | None) -> str:
        """The commit that stood at a moment (UTC, without a time zone), by position; before its first, its first.

        ``held`` is what was found before. A head that has moved on may be the only commit between two revisions that
        shows what was measured: it is given up only for one that stood later.
        """
        if self.revision:
            return self.revision
        by_then = [commit for commit, at in self.dated.items() if at <= moment]
        found = by_then[-1] if by_then else next(iter(self.dated))
        if held is None or held in self.lineage.commits:
            return found
        stood_at = self.landing.tree(self.lineage.source, held).committed_at
        return held if self.dated[found] < stood_at <= moment else found

    def modules(self, commit: str) -> dict[str, str]:
        """``path -> blob`` of the modules that one of its commits shows."""
        return _modules(self.landing, self.lineage, commit)


def _only(problems: str, source: str, wanted: str, commits: Iterable[str]) -> str:
    matching = [one for one in commits if one.startswith(wanted)]
    if len(matching) != 1:
        raise SourceError(f"--problems {problems}: {len(matching)} known revisions of {source} begin with {wanted}")
    return matching[0]


@dataclass(frozen=True)
class Binding:
    """For each commit of a lineage the commit of ``problems`` whose modules it measured; null: it has its own."""

    problems: str | None = None
    measured: Mapping[str, str] = field(default_factory=dict)


def bind(
    problems: Problems, dates: Mapping[str, datetime], before: Mapping[str, str], chain: Chain, *, has_commits: bool
) -> tuple[Binding, Chain]:
    """Bind the commits of a lineage, each with its date (UTC, without a time zone); the chain, with its head so bound.

    ``before`` is what was found so far. A state of a folder keeps what it was first bound to, whatever its date; where
    the modules have moved on, its head is the state beside the modules of now, so that a problem that has changed since
    is seen to.
    """
    source = problems.lineage.source
    if has_commits:
        return Binding(source, {one: problems.at(date, before.get(one)) for one, date in dates.items()}), chain
    measured = {state: before.get(state, problems.now) for state in dates}
    state = chain.head
    if problems.modules(problems.now) != problems.modules(measured[state.id]):
        beside = hashlib.sha256(f"{state.id} beside {source} {problems.now}".encode()).hexdigest()[:40]
        chain = replace(chain, head=replace(state, id=beside))
        measured[beside] = problems.now
    return Binding(source, measured), chain


def revision_files(landing: Landing, lineage: Lineage, revision: str) -> RevisionFiles:
    """What a commit of a lineage shows, with the modules that were measured.

    Raises WarehouseError where the lineage of the modules is not in landing any more.
    """
    tree = landing.tree(lineage.source, revision)
    if lineage.problems is None:
        return RevisionFiles(tree.revision, tree.committed_at, tree.files, lineage.layout)
    other = landing.lineage(lineage.problems)
    if other is None:
        raise WarehouseError(f"{lineage.source}: measured the modules of {lineage.problems}, which is gone; ingest it")
    own = {path: blob for path, blob in tree.files.items() if lineage.layout.module_path(path) is None}
    theirs = _modules(landing, other, lineage.measured[revision])
    return RevisionFiles(tree.revision, tree.committed_at, own | theirs, Layout(lineage.root, other.modules))


def _modules(landing: Landing, lineage: Lineage, revision: str) -> dict[str, str]:
    """``path -> blob`` of the problem modules that a commit of a lineage shows."""
    files = landing.tree(lineage.source, revision).files
    return {path: blob for path, blob in files.items() if lineage.layout.module_path(path) is not None}
