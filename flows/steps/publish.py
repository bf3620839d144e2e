"""Step: the new database is built beside the published one, checked, and moved into its place."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from flows.settings import read_settings
from flows.steps.fetch import LandedSource
from flows.steps.validate import Derived
from flows.steps.workspace import Started, Workspace
from transforms.version import rules_version
from warehouse.heartbeat import Heartbeat
from warehouse.landing import IngestRecord

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from warehouse.publish import Changes

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Published:
    """What publishing changed, by source."""

    changes: dict[str, Changes]


def publish(
    workspace: Workspace,
    derived: Sequence[Derived],
    news: Sequence[LandedSource],
    started: Started,
    seconds: Mapping[str, float],
    *,
    anew: bool,
) -> Published:
    """Build the new database beside the published one, or ``anew`` from nothing, check it, and move it into place.

    What of ``news`` was derived goes into the log of ingests, which is written when the database is known to be good.
    In a rehearsal everything but that and the last move is done.
    """
    import pyarrow as pa

    from transforms.batch import ingest_rows
    from transforms.contracts.validate import check, check_batch_of
    from warehouse.publish import open_for_building

    settings = read_settings(workspace.base)
    common = _common_tables(settings.stale_after_days, tuple(sorted(settings.gpu_of_hosts.items())))
    with open_for_building(workspace.home, None if anew else workspace.base.database) as building:
        building.load(_batch(derived), {name: rows.to_arrow() for name, rows in common.items()})
        changes = building.changes(one.source for one in derived)
        building.load_pinned(pa.concat_tables([_interop(one, building.pinned_runs(one.source)) for one in derived]))
        held = {one.source: one for one in derived}
        news = [one for one in news if one.discovered.source in held]
        new = [_record(one, held[one.discovered.source], changes[one.discovered.source], seconds) for one in news]
        check_batch_of({"ingests": ingest_rows(new)})
        records = check("ingests", ingest_rows([*workspace.landing.ingests(), *new]))
        for wrong in records.refused.iter_rows(named=True):
            _log.warning("the record of ingest %s is set aside: %s", wrong["ingest_id"], wrong["broken"])
            workspace.landing.set_ingest_aside(wrong["ingest_id"])
        building.log(records.kept.to_arrow())
        building.check()
        if workspace.is_real:
            for record in new:
                workspace.landing.log_ingest(record)
            building.publish()
            _note_published(workspace, derived, news, started, anew=anew)
    return Published(changes)


def _batch(derived: Sequence[Derived]) -> dict[str, pa.Table]:
    """The rows of all sources that are published together. What several of them carry, such as a code, is one row."""
    import polars as pl

    from transforms.contracts.objects import TABLES

    together = {}
    for name in _shapes():
        parts = [one.tables[name] for one in derived if name in one.tables]
        if len(parts) > 1:
            rows = pl.concat(parts)
            key = TABLES[name].key if name in TABLES else rows.columns
            parts = [rows.unique(key, keep="first", maintain_order=True)]
        if parts:
            together[name] = parts[0].to_arrow()
    return together


@cache
def _shapes() -> Mapping[str, pa.Schema]:
    """The columns of every batch, as the contracts say."""
    from transforms.batch import empty_batches

    return {name: rows.to_arrow().schema for name, rows in empty_batches().items()}


def _note_published(
    workspace: Workspace,
    derived: Sequence[Derived],
    news: Sequence[LandedSource],
    started: Started,
    *,
    anew: bool,
) -> None:
    lineages = [found for one in derived if (found := workspace.landing.lineage(one.source))]
    now = Heartbeat.read(workspace.home.heartbeat).after_publishing(
        workspace.home, rules_version(), lineages, started.at, anew=anew
    )
    for one in news:
        now = now.after_check(one.discovered.source, one.started.at, one.requests)
    now.write(workspace.home.heartbeat)


@cache
def _common_tables(stale_after_days: int, of_hosts: tuple[tuple[str, str], ...]) -> Mapping[str, pl.DataFrame]:
    """The tables that belong to no source, held to their contracts once for each state of the settings."""
    from transforms.batch import common_tables
    from transforms.contracts.validate import check_batch_of

    return check_batch_of(common_tables(stale_after_days, dict(of_hosts)))


def _interop(one: Derived, pinned_runs: pa.Table) -> pa.Table:
    """The interoperable digests of a source, pinned to its newest revision."""
    import polars as pl

    from transforms.contracts.validate import check_batch_of
    from transforms.manifests.exported import with_figures
    from transforms.manifests.interop import interop_table

    runs = with_figures(pl.DataFrame(pinned_runs))
    return check_batch_of({"interop": interop_table(one.source, one.pin, one.pinned, runs)})["interop"].to_arrow()


def _record(news: LandedSource, own: Derived, changes: Changes, seconds: Mapping[str, float]) -> IngestRecord:
    discovered, started = news.discovered, news.started
    counts, spent = changes.counts, started.seconds
    return IngestRecord(
        ingest_id=started.ingest_id,
        source=discovered.source,
        started_at=started.at.replace(tzinfo=None),
        finished_at=(started.at + timedelta(seconds=spent)).replace(tzinfo=None),
        seconds=spent,
        head=discovered.chain.head.id,
        rebuilt=discovered.fresh,
        revisions_new=len(discovered.chain.new),
        requests=news.requests,
        blobs_fetched=len(news.landed.blobs) if news.landed else 0,
        files_read=own.files_read,
        files_refused=len(own.refused_files),
        runs=counts["runs"],
        runs_present=counts["present"],
        runs_new=counts["runs_new"],
        runs_withdrawn=counts["runs_withdrawn"],
        runs_stale=counts["runs_stale"],
        entries_refused=counts["entries_refused"],
        step_seconds=msgspec.json.encode({step: round(spent, 3) for step, spent in seconds.items()}).decode(),
        revisions_unreachable=len(discovered.unreachable),
        runs_unreachable=counts["runs_unreachable"],
    )
