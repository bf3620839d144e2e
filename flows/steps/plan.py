"""Step: which sources are derived, which of their series anew, and what must be read for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from flows.steps.discover import Discovered
from flows.steps.fetch import Landed, LandedSource, begins_anew
from flows.steps.workspace import Workspace
from warehouse.landing import Landing, Refused

if TYPE_CHECKING:
    from transforms.history.lineage import History
    from transforms.history.reading import Needed
    from transforms.history.series import Series


@dataclass(frozen=True)
class Plan:
    """One source to be derived: its history, the series that differ, what must be read for them, what cannot be.

    The first ``published`` revisions are in the database already, and so is what they show.
    """

    history: History
    series: frozenset[Series]
    needed: Needed
    refused: dict[str, Refused]
    published: int


@dataclass(frozen=True)
class Wanted:
    """A source whose rows are to be made. The first ``published`` of its revisions are in the database as they are.

    ``whole``: all series are derived anew all the same, since what is marked as unreachable may be of any of them.
    """

    source: str
    published: int = 0
    whole: bool = False


def wanted(workspace: Workspace, news: Sequence[LandedSource]) -> list[Wanted]:
    """The sources to derive: those at hand, or, where the database must be made anew, all that landed."""
    if begins_anew(news):
        return [Wanted(lineage.source) for lineage in workspace.landing.lineages()]
    return [_wanted_of(one.discovered, one.landed) for one in news]


def _wanted_of(discovered: Discovered, landed: Landed | None) -> Wanted:
    """A blob that came late may be shown by any series of any revision."""
    recovered = landed is not None and discovered.wanting.keys() & set(landed.blobs)
    published = 0 if recovered else discovered.published
    return Wanted(discovered.source, published, whole=bool(discovered.unreachable))


def plan(workspace: Workspace, one: Wanted) -> Plan:
    """Which series of a source are derived anew, and what must be read for them."""
    from transforms.history.reading import needed
    from transforms.history.series import touched

    landing = workspace.landing
    history = _history(landing, one.source)
    series = frozenset(touched(history, 0 if one.whole else one.published))
    return Plan(history, series, needed(history, series), _refused(landing, one.source), one.published)


def _refused(landing: Landing, source: str) -> dict[str, Refused]:
    """The blobs that could not be had, of a source and of the one whose modules it measured."""
    lineage = landing.lineage(source)
    other = landing.lineage(lineage.problems) if lineage and lineage.problems else None
    return {**(other.refused if other else {}), **(lineage.refused if lineage else {})}


def _history(landing: Landing, source: str) -> History:
    from flows.measured import revision_files
    from transforms.history.lineage import FormerHistory, History, RevisionFiles

    lineage = landing.lineage(source)
    assert lineage is not None, source

    @cache
    def files(revision: str) -> RevisionFiles:
        return revision_files(landing, lineage, revision)

    former = tuple(
        FormerHistory(History(source, lineage.url, tuple(map(files, one.revisions)), files(one.head)), one.noticed_at)
        for one in lineage.former
        if not set(one.revisions) <= set(lineage.revisions)
    )
    return History(source, lineage.url, tuple(map(files, lineage.revisions)), files(lineage.head), former)
