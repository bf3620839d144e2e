"""Step: a source is asked what it has, and that is held beside what is known of it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flows.measured import Binding, Problems, bind
from flows.mended import lost_blobs, with_every_tree
from flows.sources.interface import Chain, Source, shared
from flows.sources.kinds import NOTHING_SAID, SOURCE_KINDS, Said
from flows.sources.roots import Surroundings, settle, surroundings
from flows.steps.workspace import Workspace
from flows.told import refuse_other_date, told_now
from transforms.layout import Layout
from transforms.version import rules_version
from warehouse.heartbeat import Beat, Heartbeat
from warehouse.landing import Landing, Lineage, Refused, Told
from warehouse.landing.names import refuse_wrong_name


@dataclass(frozen=True)
class Discovered:
    """What a source shows, beside what is known of it.

    ``held`` is its lineage as it landed; null where there is none, or where it is read elsewhere from now on and begins
    again. ``published`` is how many of its revisions, from the first on, the published database holds; ``unreachable``
    are those shown since that was published, or before, which the branch contains no more. ``anew``: what is known of
    it is bound to other code, read elsewhere or dated otherwise from now on; ``fresh``: the published database cannot
    be built upon (for that reason, or there is none, it was made by other rules, another program wrote to it).
    ``wanting`` are the blobs that could not be had before and can still be asked for, ``lost`` those that landed and
    are not there any more, or were set aside as damaged; ``current``: apart from both nothing is new. ``layout`` says
    which paths are read; ``surroundings``, what else the head's tree holds, is looked up where something is new.
    """

    source: str
    url: str | None
    held: Lineage | None
    chain: Chain
    layout: Layout
    told: Told
    binding: Binding
    published: int
    unreachable: frozenset[str]
    anew: bool
    fresh: bool
    wanting: dict[str, Refused]
    lost: dict[str, Refused]
    current: bool
    surroundings: Surroundings
    requests: int

    @property
    def known(self) -> tuple[str, ...]:
        """The revisions that landed before, oldest first."""
        return tuple(self.held.revisions) if self.held else ()

    @property
    def unchanged(self) -> bool:
        """Whether there is nothing to do."""
        return self.current and not self.wanting and not self.lost

    @property
    def revisions(self) -> list[str]:
        """All that the branch contains now, oldest first."""
        return _revisions(self.known, self.chain)


def discover(workspace: Workspace, source: Source, said: Said = NOTHING_SAID) -> Discovered:
    """Ask the source for its head and the revisions that are not known yet.

    What is lost of its lineage is asked for again. Raises SourceError where what is ``said`` of it contradicts what
    was said before.
    """
    landing = workspace.landing
    settle(landing, source, said.options.root, anew=said.options.change_settings)
    refuse_wrong_name(source.name)
    before, gone = _known(landing, source)
    told = told_now(landing, before, said, source.layout)
    problems = Problems.told(landing, told.problems, source.name) if told.problems else None
    held = before if before is not None and before.layout == source.layout else None
    chain, redated = _dated(landing, held, source, said)
    binding, chain = _bound(landing, held, source, problems, chain) if problems else (Binding(), chain)
    anew = before is not None and (held is None or redated or _is_bound_anew(held, binding))
    heartbeat = Heartbeat.read(workspace.base.heartbeat)
    beat = heartbeat.of(source.name)
    forgotten = bool(gone) or (before is None and beat.revisions > 0)
    fresh = anew or forgotten or not heartbeat.is_current(workspace.base, rules_version())
    now = _revisions(held.revisions if held else (), chain)
    published, unreachable = _beside_published(held, beat, now)
    published = 0 if fresh else published
    same = (beat.head, beat.revisions, published) == (chain.head.id, len(now), len(now))
    reachable = {*now, chain.head.id}
    current = not fresh and same and not unreachable and before is not None and before.told == told
    return Discovered(
        source=source.name,
        url=source.url,
        held=held,
        chain=chain,
        layout=source.layout,
        told=told,
        binding=binding,
        published=published,
        unreachable=unreachable,
        anew=anew,
        fresh=fresh,
        wanting=_wanting(landing, held, reachable) if held else {},
        lost=lost_blobs(landing, held, reachable) if held else {},
        current=current,
        surroundings=Surroundings() if current else surroundings(source),
        requests=sum(source.requests_made.values()),
    )


def _known(landing: Landing, source: Source) -> tuple[Lineage | None, tuple[str, ...]]:
    """The lineage as it landed, every tree of it there; and its commits that are lost for good."""
    before = landing.lineage(source.name)
    if before is None or before.layout != source.layout:
        return before, ()
    mended = with_every_tree(landing, source, before)
    return mended.lineage, mended.gone


def _revisions(known: Sequence[str], chain: Chain) -> list[str]:
    return [*known[: len(known) - len(chain.unreachable)], *(revision.id for revision in chain.new)]


def _dated(landing: Landing, held: Lineage | None, source: Source, said: Said) -> tuple[Chain, bool]:
    """The chain, and whether the state known last is dated otherwise now: commits never are."""
    chain = source.revisions(tuple(held.revisions) if held else ())
    if held is None or SOURCE_KINDS[source.kind].has_commits:
        return chain, False
    was = landing.tree(held.source, held.revisions[-1]).committed_at
    refuse_other_date(held, said.options, chain, was)
    dates_it = said.options.observed_at is not None or held.told.observed
    if said.options.change_settings and dates_it and not chain.new:
        return chain, naive(chain.head.committed_at) != was
    return (
        chain if chain.new else replace(chain, head=replace(chain.head, committed_at=was.replace(tzinfo=UTC)))
    ), False


def _bound(
    landing: Landing, held: Lineage | None, source: Source, problems: Problems, chain: Chain
) -> tuple[Binding, Chain]:
    """Whose modules were measured; the head of a folder is its state beside the modules of now."""
    dates = {one: landing.tree(held.source, one).committed_at for one in held.commits} if held else {}
    dates |= {one.id: naive(one.committed_at) for one in (*chain.new, chain.head)}
    before = held.measured if held and held.told.problems == problems.words else {}
    return bind(problems, dates, before, chain, has_commits=SOURCE_KINDS[source.kind].has_commits)


def _is_bound_anew(held: Lineage, binding: Binding) -> bool:
    return held.problems != binding.problems or any(
        held.measured.get(commit) != binding.measured.get(commit) for commit in held.commits
    )


def _beside_published(held: Lineage | None, beat: Beat, now: Sequence[str]) -> tuple[int, frozenset[str]]:
    """How many of the revisions of now are published, and which were shown since then, or before, and are no more."""
    histories = [*(former.revisions for former in held.former), held.revisions] if held else [[]]
    since = histories[beat.rewrites :]  # what was published shows the first of these
    published = shared(since[0][: beat.revisions], now) if since else 0
    return published, frozenset(one for history in since for one in history) - set(now)


def naive(moment: datetime) -> datetime:
    """A moment in UTC, as landing has it: without a time zone."""
    return moment.astimezone(UTC).replace(tzinfo=None)


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
