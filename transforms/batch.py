"""Tables that belong to no source: what the registry says, and facts about the database itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import polars as pl
import rfc8785

from transforms.contracts.frames import frame, schema
from transforms.contracts.objects import TABLES
from transforms.history.normalise import series_frame
from transforms.manifests import naming
from transforms.measures import STALE_AFTER_DAYS
from transforms.protocol import protocol, protocol_id
from transforms.registry import gpus, modes, told_gpus, twins, upstream
from transforms.version import rules_version


def common_tables(
    stale_after_days: int = STALE_AFTER_DAYS, of_hosts: Mapping[str, str] | None = None
) -> dict[str, pl.DataFrame]:
    """Implementations, protocols, GPUs, hosts, meta: from registry and settings, in the columns of their contracts.

    ``of_hosts`` are the GPUs that the settings tell of host folders, by their names, whatever the source.
    """
    return {
        "implementations": _implementations(),
        "protocols": _protocols(),
        "gpus": _table("gpus", gpus().values(), datasheet="source").sort("hardware"),
        "host_gpus": _host_gpus(of_hosts or {}),
        "twin_hosts": _twin_hosts(),
        "meta": _meta(stale_after_days),
    }


def ingest_rows(records: Iterable[Any]) -> pl.DataFrame:
    """The log of ingests in the columns of its contract; ``records`` have them as attributes."""
    return _table("ingests", records).sort("ingest_id")


def _table(name: str, records: Iterable[Any], **otherwise: str) -> pl.DataFrame:
    """A table from records that have its columns as attributes, some (``column=attribute``) under another name."""
    attributes = [otherwise.get(column, column) for column in schema(name).names()]
    return frame(name, (tuple(getattr(record, one) for one in attributes) for record in records))


_OF_EVERY_MODE = {
    "licence": "MIT",
    "availability": "source mirrored: vendor the module, no install recipe",
    "package": "no package",
    "trust": "reported",
    "trust_meaning": "Reported by source; not independently reproduced.",
}
"""A mode runs KernelBench's own module, under its licence, and its figures are the source's word."""


def _implementations() -> pl.DataFrame:
    rows = [
        {
            "mode": mode.mode,
            "known": True,
            "title": mode.title,
            "framework": mode.framework,
            "language": mode.language,
            "interface": naming.interface(mode.mode),
            "external_mode": naming.external_mode(mode.mode),
            "is_baseline": mode.is_baseline,
            "what": mode.what,
            **_OF_EVERY_MODE,
        }
        for mode in modes().values()
    ]
    return _from_members("implementations", rows).sort("mode")


def _host_gpus(told: Mapping[str, str]) -> pl.DataFrame:
    """What the settings say of a host goes before what the registry says of it."""
    rows: list[tuple[str | None, ...]] = [
        (None, *one, "The settings of this warehouse say so.") for one in told.items()
    ]
    rows += [(one.source, one.host, one.hardware, one.basis) for one in told_gpus().values()]
    return frame("host_gpus", rows).sort("source", "host")


def _twin_hosts() -> pl.DataFrame:
    """Every two hosts of one machine, in the order in which they were measured."""
    rows = [(one.source, *pair, one.basis) for one in twins() for pair in combinations(one.hosts, 2)]
    return frame("twin_hosts", rows)


def _protocols() -> pl.DataFrame:
    document = protocol()
    metadata, spec = document["metadata"], document["spec"]
    row = {
        "protocol_id": protocol_id(),
        "name": metadata["name"],
        "title": metadata["title"],
        "timer": spec["measurement"]["timer"],
        "primary_statistic": spec["measurement"]["primaryStatistic"],
        "notes": spec["comparability"]["notes"],
        "document": rfc8785.dumps(document).decode(),
    }
    return _from_members("protocols", [row])


def _meta(stale_after_days: int) -> pl.DataFrame:
    facts = {
        "figures_licence": "MIT, KernelBench authors; see NOTICE",
        "schema_version": rules_version(),
        "stale_after_days": str(stale_after_days),
        "upstream": upstream(),
    }
    return frame("meta", facts.items())


def empty_batches() -> dict[str, pl.DataFrame]:
    """Every table that a batch may bring, without a row; and ``series``."""
    return {**{name: schema(name).to_frame() for name in TABLES}, "series": series_frame("", [])}


def _from_members(name: str, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    """A table from rows that name their columns."""
    return frame(name, ([row[column] for column in schema(name).names()] for row in rows))
