"""Tables that belong to no source: what the registry says, and facts about the database itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import rfc8785

from transforms.contracts.tables import TABLES
from transforms.history.normalise import protocol_id
from transforms.measures import STALE_AFTER_DAYS
from transforms.registry import FIGURES, gpus, harnesses, modes, protocol, upstream
from transforms.version import rules_version


def common_tables(stale_after_days: int = STALE_AFTER_DAYS) -> dict[str, pl.DataFrame]:
    """Implementations, protocols, GPUs, harnesses, meta: from the registry alone, in the columns of their contracts."""
    return {
        "implementations": _implementations(),
        "protocols": _protocols(),
        "gpus": _gpus(),
        "harnesses": _harnesses(),
        "meta": _meta(stale_after_days),
    }


_OF_EVERY_MODE = {
    "licence": "MIT",
    "availability": "source mirrored: vendor the module, no install recipe",
    "package": "no package",
    "trust": "reported",
    "trust_meaning": "Reported by source; not independently reproduced.",
}
"""A mode runs KernelBench's own module, under its licence, and its figures are the source's word."""


def _implementations() -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "mode": mode.mode,
                "known": True,
                "title": mode.title,
                "framework": mode.framework,
                "language": mode.language,
                "interface": mode.interface,
                "external_mode": mode.external,
                "is_baseline": mode.is_baseline,
                "what": mode.what,
                **_OF_EVERY_MODE,
            }
            for mode in modes().values()
        ]
    ).sort("mode")


def _protocols() -> pl.DataFrame:
    document = protocol()
    metadata, spec = document["metadata"], document["spec"]
    assert isinstance(metadata, dict) and isinstance(spec, dict)
    return pl.DataFrame(
        [
            {
                "protocol_id": protocol_id(),
                "name": metadata["name"],
                "title": metadata["title"],
                "timer": spec["measurement"]["timer"],
                "primary_statistic": spec["measurement"]["primaryStatistic"],
                "notes": spec["comparability"]["notes"],
                "document": rfc8785.dumps(document).decode(),  # type: ignore[arg-type]
            }
        ]
    )


_GPU_FIGURES = ("dram_gb_per_s", "l2_mb", "last_cache_mb", *(name for name in FIGURES if name.endswith("_tflops")))


def _gpus() -> pl.DataFrame:
    texts = ("hardware", "vendor", "product", "form_factor", "architecture")
    schema = {
        **dict.fromkeys(texts, pl.String),
        "memory_gb": pl.Int64,
        "memory_type": pl.String,
        **dict.fromkeys(_GPU_FIGURES, pl.Float64),
        "datasheet": pl.String,
    }
    rows = [
        (
            *(getattr(gpu, name) for name in (*texts, "memory_gb", "memory_type", *_GPU_FIGURES)),
            gpu.source,
        )
        for gpu in gpus().values()
    ]
    return pl.DataFrame(rows, schema=schema, orient="row").sort("hardware")


def _harnesses() -> pl.DataFrame:
    schema = {
        "harness_digest": pl.String,
        "first_seen": pl.String,
        "l2_cleared": pl.Boolean,
        "first_trial_discarded": pl.Boolean,
        "basis": pl.String,
    }
    rows = [tuple(getattr(one, name) for name in schema) for one in harnesses().values()]
    return pl.DataFrame(rows, schema=schema, orient="row").sort("harness_digest")


def _meta(stale_after_days: int) -> pl.DataFrame:
    facts = {
        "figures_licence": "MIT, KernelBench authors; see NOTICE",
        "schema_version": rules_version(),
        "stale_after_days": str(stale_after_days),
        "upstream": upstream(),
    }
    return pl.DataFrame({"key": list(facts), "value": list(facts.values())})


def empty_batches() -> dict[str, pl.DataFrame]:
    """Every table that a batch may bring, without a row, in the columns of its contract; and ``series``."""
    shapes = {name: contract.to_schema().columns for name, contract in TABLES.items()}
    empty = {
        name: pl.DataFrame(schema={column: told.dtype.type for column, told in shape.items()})
        for name, shape in shapes.items()
    }
    return {**empty, "series": pl.DataFrame(schema=SERIES)}


SERIES = {"source": pl.String, "host": pl.String, "mode": pl.String}
"""Columns of the batch that names the series which are derived anew."""


def ingest_rows(records: Sequence[Any]) -> pl.DataFrame:
    """The log of ingests in the columns of its contract; ``records`` have them as attributes."""
    columns = {name: column.dtype.type for name, column in TABLES["ingests"].to_schema().columns.items()}
    rows = [tuple(getattr(record, name) for name in columns) for record in records]
    return pl.DataFrame(rows, schema=columns, orient="row").sort("ingest_id")
