"""The digests of everything that one revision shows, in one table (DESIGN.md section 8).

Operations, workloads and environments are few, and differ in shape: their documents are made one by one.
Implementations and runs differ only in facts: their digests are made as columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

import polars as pl

from transforms.contracts.frames import schema
from transforms.durations import durations, index_half_width
from transforms.identities import json_string
from transforms.manifests import documents, kinds, naming
from transforms.manifests.bodies import ImplementationFacts, RunFacts, implementation_body, run_body
from transforms.manifests.digests import digest, digest_column, marks
from transforms.manifests.facts import Pin, PinnedProblem
from transforms.numbers import json_number
from transforms.protocol import protocol_digest

_MODULE = ["level", "problem"]
_UNNAMED = kinds.Metadata(name="", title="")
"""For documents of which only the digest is wanted."""


def interop_table(
    source: str,
    pin: Pin,
    problems: Iterable[PinnedProblem],
    runs: pl.DataFrame,
) -> pl.DataFrame:
    """One row per run that the pinned revision shows, sorted by `external_id`, in the columns of its contract.

    `problems` are the modules that it shows and that can be read. `runs` has `run_id, host, mode, level,
    problem, hardware, path` (of the timing file, there), `mean, std, min, max` (reported milliseconds) and
    `num_trials`. A run of another problem has no operation, and so no digest of its own: nulls, never half an
    identity.
    """
    modules = _modules(problems, pin, runs)
    return (
        runs.join(modules, on=_MODULE, how="left", maintain_order="left")
        .join(_environments(runs), on="hardware", how="left", nulls_equal=True, maintain_order="left")
        .with_columns(
            source=pl.lit(source),
            revision=pl.lit(pin.commit),
            external_id=_external_id(runs),
            protocol_digest=pl.lit(protocol_digest()),
            implementation_digest=_implementation_digest(runs),
        )
        .with_columns(run_digest=_run_digest(pin))
        .select(schema("interop").names())
        .sort("external_id", "run_id")
    )


def _modules(problems: Iterable[PinnedProblem], pin: Pin, runs: pl.DataFrame) -> pl.DataFrame:
    """Grain: readable module that a run measured."""
    wanted = set(runs.select(_MODULE).unique().iter_rows())
    rows = []
    for problem in problems:
        if (problem.level, problem.file) in wanted:
            operation = digest(documents.operation(problem, pin))
            workload = digest(documents.workload(problem, operation))
            facts = (problem.module_digest, problem.module_size_bytes)
            rows.append((problem.level, problem.file, operation, workload, *facts))
    texts = [*_MODULE, "operation_digest", "workload_digest", "module_digest"]
    schema = {**dict.fromkeys(texts, pl.String), "module_size_bytes": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _environments(runs: pl.DataFrame) -> pl.DataFrame:
    """Grain: reported hardware, also none."""
    reported = runs["hardware"].unique().to_list()
    digests = [digest(documents.environment("", hardware)) for hardware in reported]
    schema = {"hardware": pl.String, "environment_digest": pl.String}
    return pl.DataFrame({"hardware": reported, "environment_digest": digests}, schema=schema)


def _external_id(runs: pl.DataFrame) -> pl.Expr:
    outside = {mode: naming.external_mode(mode) for mode in runs["mode"].unique()}
    mode = pl.col("mode").replace_strict(outside, return_dtype=pl.String)
    return pl.concat_str("host", mode, "level", "problem", separator="/")


def _implementation_digest(runs: pl.DataFrame) -> pl.Expr:
    interfaces = {mode: naming.interface(mode) for mode in runs["mode"].unique()}
    facts = {
        "operation_digest": _json_digest("operation_digest"),
        "interface": json_string(pl.col("mode").replace_strict(interfaces, return_dtype=pl.String)),
        "content_digest": _json_digest("module_digest"),
        "file_name": json_string(pl.col("problem")),
        "size_bytes": _json_integer("module_size_bytes"),
    }
    marked = ImplementationFacts(**marks(*(field.name for field in fields(ImplementationFacts))))
    spec = implementation_body(marked)
    return digest_column(kinds.ImplementationRevision(spec=spec, metadata=_UNNAMED), facts)


def _run_digest(pin: Pin) -> pl.Expr:
    facts = {
        "observed_at": json_string(pl.lit(pin.observed)),
        "benchmark": json_string(pl.col("path").str.strip_prefix(f"{pin.layout.timings}/")),
        "external_id": json_string(pl.col("external_id")),
        "samples": _json_integer("num_trials"),
        **{fact: json_number(figure) for fact, figure in durations(index_half_width()).items()},
        **{f"{figure}_ms": json_number(pl.col(figure)) for figure in ("mean", "std", "min", "max")},
        **{
            fact: _json_digest(fact)
            for fact in ("workload_digest", "implementation_digest", "environment_digest", "protocol_digest")
        },
    }
    marked = RunFacts(**marks(*(field.name for field in fields(RunFacts))))
    return digest_column(kinds.BenchmarkRun(spec=run_body(marked), metadata=_UNNAMED), facts)


def _json_digest(column: str) -> pl.Expr:
    """A digest needs no escaping; null stays null."""
    return pl.concat_str(pl.lit('"'), column, pl.lit('"'))


def _json_integer(column: str) -> pl.Expr:
    return json_number(pl.col(column).cast(pl.Float64))
