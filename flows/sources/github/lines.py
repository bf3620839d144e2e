"""Lines of revisions that are known already: a commit's id names all that came before it.

Where the walk along first parents comes to a revision of any lineage of this home, or of one that ships with the
package, the revisions before it are that lineage's, whichever repository is asked. So it is among lineages of one root:
below another, other commits change figures. Where they keep modules makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from flows.sources.interface import SourceError
from warehouse.home import Home, WarehouseError
from warehouse.landing import Landing

Line = Mapping[str, datetime]
"""Revisions, oldest first, each with its committer's date in UTC."""

Lines = Callable[[str], Sequence[Line]]
"""The lines of a root."""


def lines_of(home: Home, root: str) -> list[Line]:
    """Those of the lineages of this root that landed in a home, and of those that ship."""
    return [*_landed(Landing(home.landing), root), *_shipped(root)]


def up_to(lines: Sequence[Line], revision: str) -> Line:
    """A line's revisions up to one that is in one of them; none where it is in no line."""
    line = next((line for line in lines if revision in line), {})
    known = list(line)[: list(line).index(revision) + 1] if line else []
    return {commit: line[commit] for commit in known}


def _landed(landing: Landing, root: str) -> Iterator[Line]:
    """What is damaged is no help here: its own next ingest says so."""
    for lineage in landing.lineages():
        if lineage.root != root:
            continue
        try:
            trees = [landing.tree(lineage.source, revision) for revision in lineage.revisions]
        except WarehouseError:
            continue
        yield {tree.revision: tree.committed_at.replace(tzinfo=UTC) for tree in trees}


def _shipped(root: str) -> Iterator[Line]:
    from flows.sources.sample import SampleSource, every_lineage

    try:
        shipped = [SampleSource(lineage=name) for name in every_lineage()]
        lines = [one.revisions(()).new for one in shipped if one.layout.root == root]
    except SourceError:
        return
    yield from ({revision.id: revision.committed_at for revision in line} for line in lines)
