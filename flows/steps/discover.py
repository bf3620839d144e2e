"""Step: a source is asked what it has, and that is held beside what is known of it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from flows.sources.interface import Chain, Source, shared
from flows.steps.workspace import Workspace
from transforms.version import rules_version
from warehouse.heartbeat import Heartbeat
from warehouse.landing import Landing, Lineage, Refused


@dataclass(frozen=True)
class Discovered:
    """What a source shows, beside what is known of it.

    ``published`` is how many of its revisions, from the first on, the published database holds; ``unreachable`` are
    those shown since that was published, or before, which the branch contains no more. ``fresh``: that database
    cannot be built upon (there is none, it was made by other rules, or another program wrote to it). ``wanting`` are
    the blobs that could not be had before and can still be asked for; ``current``: apart from them nothing is new.
    """

    source: str
    url: str | None
    known: tuple[str, ...]
    chain: Chain
    published: int
    unreachable: frozenset[str]
    fresh: bool
    wanting: dict[str, Refused]
    current: bool
    requests: int

    @property
    def unchanged(self) -> bool:
        """Whether there is nothing to do."""
        return self.current and not self.wanting

    @property
    def revisions(self) -> list[str]:
        """All that the branch contains now, oldest first."""
        return _revisions(self.known, self.chain)


def discover(workspace: Workspace, source: Source) -> Discovered:
    """Ask the source for its head and the revisions that are not known yet."""
    lineage = workspace.landing.lineage(source.name)
    known = tuple(lineage.revisions) if lineage else ()
    chain = source.revisions(known)
    heartbeat = Heartbeat.read(workspace.base.heartbeat)
    fresh = not heartbeat.is_current(workspace.base, rules_version())
    beat = heartbeat.of(source.name)
    now = _revisions(known, chain)
    histories = [*(former.revisions for former in lineage.former), known] if lineage else [known]
    since = histories[beat.rewrites :]  # what was published shows the first of these
    held = shared(since[0][: beat.revisions], now) if since and not fresh else 0
    unreachable = frozenset(one for history in since for one in history) - set(now)
    same = (beat.head, beat.revisions, held) == (chain.head.id, len(now), len(now))
    return Discovered(
        source=source.name,
        url=source.url,
        known=known,
        chain=chain,
        published=held,
        unreachable=unreachable,
        fresh=fresh,
        wanting=_wanting(workspace.landing, lineage, {*now, chain.head.id}) if lineage else {},
        current=not fresh and same and not unreachable,
        requests=sum(source.requests_made.values()),
    )


def _revisions(known: Sequence[str], chain: Chain) -> list[str]:
    return [*known[: len(known) - len(chain.unreachable)], *(revision.id for revision in chain.new)]


def _wanting(landing: Landing, lineage: Lineage, reachable: Set[str]) -> dict[str, Refused]:
    """The blobs that could not be had before, each where a commit that can be reached shows it."""
    wanting = {blob: refused for blob, refused in lineage.refused.items() if refused.revision in reachable}
    elsewhere = lineage.refused.keys() - wanting.keys()
    for revision in [*lineage.revisions, lineage.head] if elsewhere else ():
        if revision in reachable:
            for path, blob in landing.tree(lineage.source, revision).files.items():
                if blob in elsewhere:
                    wanting.setdefault(blob, Refused(revision, path, lineage.refused[blob].detail))
    return wanting
