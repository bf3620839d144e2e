"""What landing has lost of a lineage is asked of its source again (DESIGN.md section 3).

Trees are had again before anything is made of them; blobs with the step that fetches what is new.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from msgspec.structs import replace

from flows.sources.interface import Chain, Revision, Source, SourceError
from flows.sources.kinds import SOURCE_KINDS
from warehouse.landing import FormerLineage, Landing, LandingDamaged, Lineage, Refused, Tree

LOST = "was lost from landing, and the source does not give it again"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Mended:
    """A lineage of which every tree is there; ``gone`` are the commits that it is without from now on."""

    lineage: Lineage | None
    gone: tuple[str, ...] = ()


def with_every_tree(landing: Landing, source: Source, held: Lineage) -> Mended:
    """Ask the source again for the trees of a lineage that are lost or damaged.

    Raises SourceError where it does not give what it says it still contains. What only former commits showed may be
    gone from it: the lineage goes on without them, null where none is left, and it is said which they are.
    """
    lost = [commit for commit in held.commits if not _is_there(landing, held.source, commit)]
    if not lost:
        return Mended(held)
    chain = source.revisions(tuple(held.revisions))
    dates = _dates(source, held, chain, lost)
    must = {*held.revisions, chain.head.id} - set(chain.unreachable)
    gone = []
    for commit in lost:
        if commit not in dates or not _asked_for(landing, source, held, Revision(commit, dates[commit]), must):
            gone.append(commit)
    if back := len(lost) - len(gone):
        _log.warning("%s: of its revisions %d were lost or damaged, and were listed anew", held.source, back)
    if gone:
        _log.warning("%s: lost, and not to be had again: what it showed at %s", held.source, ", ".join(gone))
    return Mended(_without(held, gone), tuple(gone))


def lost_blobs(landing: Landing, lineage: Lineage, reachable: Collection[str]) -> dict[str, Refused]:
    """The blobs of a lineage that are not there and did not fail to come before.

    Each with where a commit shows it: one that the source still contains, if there is one.
    """
    needed: dict[str, tuple[str, str]] = {}
    is_harness = cache(lineage.layout.is_harness)
    for commit in sorted(lineage.commits, key=lambda commit: commit not in reachable):
        for path, blob in landing.tree(lineage.source, commit).files.items():
            if blob not in needed and not is_harness(path):
                needed[blob] = (commit, path)
    absent = set(landing.missing(needed)) - lineage.refused.keys()
    return {blob: Refused(*needed[blob], LOST) for blob in sorted(absent)}


def say_found_again(source: str, lost: Mapping[str, Refused], found: Iterable[str]) -> None:
    """Say what became of the blobs that were lost."""
    back = lost.keys() & set(found)
    if back:
        _log.warning("%s: %d files were lost or damaged, and were fetched again", source, len(back))
    for blob in sorted(lost.keys() - back):
        _log.warning("%s: %s of %s %s", source, lost[blob].path, lost[blob].revision[:12], LOST)


def _is_there(landing: Landing, source: str, commit: str) -> bool:
    try:
        landing.tree(source, commit)
    except LandingDamaged:
        return False
    return True


def _dates(source: Source, held: Lineage, chain: Chain, lost: Collection[str]) -> dict[str, datetime]:
    """The dates of lost commits, in UTC, as far as they are known. Of a folder only what it shows now can be had."""
    known = {commit: at.replace(tzinfo=UTC) for commit, at in held.dated.items()}
    known = {chain.head.id: chain.head.committed_at} | known
    if not SOURCE_KINDS[source.kind].has_commits:
        known = {held.head: chain.head.committed_at} | known  # beside other modules a state is its own head
        now = () if chain.new else (held.revisions[-1], held.head)
        return {commit: known[commit] for commit in lost if commit in now}
    if not known.keys() >= set(lost):  # of a lineage that was upgraded after it had lost them
        known = {one.id: one.committed_at for one in source.revisions(()).new} | known
    return known


def _asked_for(landing: Landing, source: Source, held: Lineage, commit: Revision, must: Collection[str]) -> bool:
    """Whether the source gave a tree again; raises SourceError where it has to, or may do so another time."""
    try:
        files = dict(source.files(commit))
    except SourceError as error:
        if commit.id in must or error.may_pass:
            raise
        return False
    landing.put_tree(held.source, Tree(commit.id, commit.committed_at.astimezone(UTC).replace(tzinfo=None), files))
    return True


def _without(held: Lineage, gone: Collection[str]) -> Lineage | None:
    """A lineage without some of its commits. A former one of which nothing is left stays, to be counted."""
    if not gone:
        return held
    revisions = [one for one in held.revisions if one not in gone]
    if not revisions:
        return None
    head = revisions[-1] if held.head in gone else held.head
    return replace(held, revisions=revisions, head=head, former=list(_former_without(held, gone, head)))


def _former_without(held: Lineage, gone: Collection[str], head: str) -> Iterator[FormerLineage]:
    for one in held.former:
        left = [commit for commit in one.revisions if commit not in gone]
        stand_in = left[-1] if left else head
        yield FormerLineage(left, stand_in if one.head in gone else one.head, one.noticed_at)
