"""Step: what new revisions and the head show is landed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec.structs import replace

from flows.mended import say_found_again
from flows.sources.interface import Blob, RefusedBlob, Revision, Source, SourceError
from flows.sources.kinds import SOURCE_KINDS
from flows.steps.discover import Discovered, naive
from flows.steps.workspace import Started, Workspace
from transforms.timings.paths import timing_path
from warehouse.heartbeat import Heartbeat
from warehouse.landing import Fetched, FormerLineage, Lineage, Refused, Tree, fetched_line


@dataclass(frozen=True)
class Landed:
    """What was fetched; ``refused`` are the blobs that could not be had, with the reason in words."""

    blobs: tuple[str, ...]
    refused: dict[str, Refused]
    requests: int


@dataclass(frozen=True)
class LandedSource:
    """A source that was asked, and what of it landed since: null where it had nothing new."""

    discovered: Discovered
    landed: Landed | None
    started: Started

    @property
    def is_news(self) -> bool:
        """Whether there is anything to publish: not where only blobs were wanting, and could not be had again."""
        landed, found = self.landed, self.discovered
        return landed is not None and (not found.current or bool(found.wanting.keys() & set(landed.blobs)))

    @property
    def requests(self) -> int:
        """Sent to the source in all."""
        return self.discovered.requests if self.landed is None else self.landed.requests

    @property
    def still_refused(self) -> tuple[Refused, ...]:
        """What was wanting, was asked for again and could not be had, where that was all there was to do."""
        return () if self.landed is None or self.is_news else tuple(self.landed.refused.values())


def begins_anew(news: Sequence[LandedSource]) -> bool:
    """Whether the database is made from nothing, of all that landed: where one source needs it, or none is at hand."""
    return not news or any(one.discovered.fresh for one in news)


def fetch(workspace: Workspace, source: Source, discovered: Discovered, started: Started) -> Landed:
    """Land what the new revisions and the head show, and what was lost of others.

    The lineage is written last: from then on they count.
    """
    trees = [(revision, dict(source.files(revision))) for revision in _to_ask_for(workspace, source, discovered)]
    first_seen: dict[str, tuple[str, str]] = {}
    for revision, files in trees:
        for path, blob in files.items():
            if not source.layout.is_harness(path):  # known by its blob id alone; its bytes are never read
                first_seen.setdefault(blob, (revision.id, path))
    for blob, one in discovered.lost.items():
        first_seen.setdefault(blob, (one.revision, one.path))
    if not discovered.known and not any(timing_path(path, source.layout) for _, files in trees for path in files):
        timings = source.layout.timings
        raise SourceError(f"{source.name}: no revision shows a {timings}/<host>/baseline_time_<mode>.json")
    with workspace.landing.fetch_log(started.ingest_id) as log:
        fetched, refused = _land(workspace, source, discovered, first_seen, log)
    say_found_again(discovered.source, discovered.lost, (line.blob for line in fetched))
    if discovered.anew and workspace.is_real:
        Heartbeat.read(workspace.home.heartbeat).before_binding_anew().write(workspace.home.heartbeat)
    for revision, files in trees:
        workspace.landing.put_tree(discovered.source, Tree(revision.id, naive(revision.committed_at), files))
    dated = {revision.id: naive(revision.committed_at) for revision, _ in trees}
    workspace.landing.put_lineage(_lineage(workspace, discovered, refused, dated, started))
    requests = sum(source.requests_made.values())
    return Landed(tuple(line.blob for line in fetched), refused, requests)


def _lineage(
    workspace: Workspace,
    discovered: Discovered,
    refused: dict[str, Refused],
    dated: dict[str, datetime],
    started: Started,
) -> Lineage:
    """What the source shows from now on, with what it showed before. Of a rewritten branch that is kept whole."""
    before = discovered.held
    former = before.former if before else []
    unasked: dict[str, Refused] = {}
    if before is not None:
        out_of_reach = {blob: one for blob, one in before.refused.items() if blob not in discovered.wanting}
        unasked = {blob: out_of_reach[blob] for blob in workspace.landing.missing(out_of_reach)}
        if discovered.chain.unreachable:
            at = started.at.replace(tzinfo=None)
            former = [*former, FormerLineage(before.revisions, before.head, at)]
    now = Lineage(
        source=discovered.source,
        url=discovered.url,
        revisions=discovered.revisions,
        head=discovered.chain.head.id,
        refused={**unasked, **refused},
        former=former,
        root=discovered.layout.root,
        modules=discovered.layout.modules,
        told=discovered.told,
        problems=discovered.binding.problems,
        measured=dict(discovered.binding.measured),
    )
    dated = {**(before.dated if before else {}), **dated}
    return replace(now, dated={commit: dated[commit] for commit in now.commits if commit in dated})


def _to_ask_for(workspace: Workspace, source: Source, discovered: Discovered) -> list[Revision]:
    """The new revisions, the head, and those that show a blob which could not be had before or is lost; each once."""
    asked = {revision.id: revision for revision in (*discovered.chain.new, discovered.chain.head)}
    for refused in (*discovered.wanting.values(), *_still_shown(source, discovered).values()):
        if refused.revision not in asked:
            at = workspace.landing.tree(discovered.source, refused.revision).committed_at.replace(tzinfo=UTC)
            asked[refused.revision] = Revision(refused.revision, at)
    return list(asked.values())


def _still_shown(source: Source, discovered: Discovered) -> dict[str, Refused]:
    """The lost blobs that the source must have: commits show them which it contains."""
    if not SOURCE_KINDS[source.kind].has_commits:
        return {}
    reachable = {*discovered.revisions, discovered.chain.head.id}
    return {blob: one for blob, one in discovered.lost.items() if one.revision in reachable}


def _land(
    workspace: Workspace,
    source: Source,
    discovered: Discovered,
    first_seen: dict[str, tuple[str, str]],
    log: Callable[[Fetched], None],
) -> tuple[list[Fetched], dict[str, Refused]]:
    transport = SOURCE_KINDS[source.kind].transport
    missing = workspace.landing.missing(first_seen)
    doubtful = discovered.lost.keys() - _still_shown(source, discovered).keys()
    lines: list[Fetched] = []
    refused: dict[str, Refused] = {}
    for blob in _given(source, missing, doubtful):
        if isinstance(blob, RefusedBlob):
            refused[blob.id] = Refused(*first_seen[blob.id], blob.detail)
            continue
        lines.append(fetched_line(source.name, first_seen, blob.id, blob.data, datetime.now(UTC), transport))
        log(lines[-1])
        workspace.landing.put(blob.id, blob.data, blob.form)
    lacking = set(missing) - {line.blob for line in lines} - refused.keys()
    if lacking - discovered.lost.keys():
        absent = min(lacking - discovered.lost.keys())
        raise SourceError(f"{source.name}: did not give {first_seen[absent][1]} (blob {absent}); ingest it again")
    return lines, refused | {blob: discovered.lost[blob] for blob in lacking}


def _given(source: Source, missing: Sequence[str], doubtful: Set[str]) -> Iterator[Blob | RefusedBlob]:
    """What a source gives of what is missing. What it need not have any more is asked for one by one."""
    if certain := [blob for blob in missing if blob not in doubtful]:
        yield from source.read(certain)
    for blob in missing:
        if blob in doubtful:
            try:
                found = list(source.read([blob]))
            except SourceError as error:
                if error.may_pass:
                    raise
                continue
            yield from found
