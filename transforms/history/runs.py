"""Runs, their presence, environments and workloads of some series of one source (DESIGN.md sections 5 and 7 to 9)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from transforms import identities
from transforms.history.binding import bind, presence, standing_frame, version_frame
from transforms.history.lineage import History, module_path, modules_of
from transforms.history.series import Standing
from transforms.measures import NORMAL_95, NS_PER_MS
from transforms.problems.names import family, title
from transforms.problems.reader import ModuleReading
from transforms.registry import costs, gpus, hosts, known_modes


@dataclass(frozen=True)
class RunTables:
    """Frames in the columns of their contracts, not yet validated."""

    runs: pl.DataFrame
    presence: pl.DataFrame
    environments: pl.DataFrame
    workloads: pl.DataFrame


def run_tables(
    history: History,
    entries: pl.DataFrame,
    standings: Iterable[Standing],
    modules: Mapping[tuple[str, str], ModuleReading],
    declared: pl.DataFrame,
    protocol_id: str,
) -> RunTables:
    """Bind every entry of every version that stood to its code, and say from when to when each run stood.

    ``entries`` are those kept by the timing reader, by blob; ``modules`` those read, by (path, blob); ``declared`` what
    these declare, as ``problem_codes`` says it.
    """
    standings = list(standings)
    versions = version_frame(standings)
    shown = versions.join(entries, on="blob", how="inner", maintain_order="left")
    codes = _codes(history, sorted(set(versions["position"])), modules)
    shown = bind(shown.join(codes, on=["position", "level", "problem"], how="left", maintain_order="left"))
    named = shown.with_columns(source=pl.lit(history.source), protocol_id=pl.lit(protocol_id))
    workloads = _workloads(declared.join(shown, on="code_digest", how="semi", maintain_order="left"))
    shown = _identified(named, workloads)
    first = shown.sort("position", "run_id").unique("run_id", keep="first", maintain_order=True)
    stood = _dated(history, presence(shown, standing_frame(standings)), history.source)
    runs = _runs(first, stood)
    return RunTables(
        runs=runs,
        presence=stood,
        environments=_environments(runs),
        workloads=workloads.join(runs, on="workload_id", how="semi"),
    )


def _codes(
    history: History, positions: Iterable[int], modules: Mapping[tuple[str, str], ModuleReading]
) -> pl.DataFrame:
    """Grain: problem module shown at one of ``positions``, with the digest of its code where it could be parsed."""
    rows = [
        (position, level, file, modules[pair].code_digest)
        for position in positions
        for (level, file), pair in modules_of(history.revisions[position]).items()
    ]
    schema = {"position": pl.Int64, "level": pl.String, "problem": pl.String, "code_digest": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def problem_codes(modules: Mapping[tuple[str, str], ModuleReading]) -> pl.DataFrame:
    """Grain: code of a readable module. What it declares, whether or not anybody measured it."""
    rows = {}
    for (path, _), module in modules.items():
        named = module_path(path)
        if named is None or module.problem is None:
            continue
        facts = module.problem.as_json()
        rows[*named, module.code_digest] = (
            *named,
            module.code_digest,
            facts["compute_digest"],
            *(_json_text(facts[member]) for member in _DECLARED_JSON),
            "+".join(dict.fromkeys(one["dtype"] for one in facts["inputs"])) or "none",
        )
    columns = ["level", "problem", "code_digest", "compute_digest", *_DECLARED_JSON, "dtype"]
    frame = pl.DataFrame(list(rows.values()), schema=dict.fromkeys(columns, pl.String), orient="row")
    return frame.select(identities.workload_id().alias("workload_id"), *columns).sort("workload_id")


def _workloads(measured: pl.DataFrame) -> pl.DataFrame:
    """Grain: as ``measured``, of which all columns are kept."""
    before = ["workload_id", "level", "problem", "title", "family"]
    names = measured.select("level", "problem").iter_rows()
    said = pl.DataFrame(
        [(title(file), family(level, file)) for level, file in names],
        schema={"title": pl.String, "family": pl.String},
        orient="row",
    )
    frame = pl.concat([measured, said], how="horizontal").select(*before, pl.exclude(before))
    frame = frame.with_columns(pl.lit(words).alias(name) for name, words in _OF_EVERY_WORKLOAD.items())
    return frame.join(_costs(frame["code_digest"]), on="code_digest", how="left", maintain_order="left")


def _json_text(value: Any) -> str:
    """Sorted and compact JSON in which a whole number is written as one, whatever source it came from.

    No identity rests on it, so the standard library does it, many times faster than canonical JSON is written.
    """
    return json.dumps(_whole(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_whole(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _costs(codes: Iterable[str]) -> pl.DataFrame:
    """What one forward pass of each code costs, as it was traced; null with the reason where it was not."""
    rows = [
        (code, cost.flops, cost.parameter_bytes, cost.input_bytes, cost.output_bytes, cost.not_traced)
        if (cost := costs().get(code))
        else (code, None, None, None, None, "never tried")
        for code in sorted(set(codes))
    ]
    figures = ("flops", "parameter_bytes", "input_bytes", "output_bytes")
    schema = {"code_digest": pl.String, **dict.fromkeys(figures, pl.Int64), "not_traced": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


_OF_EVERY_WORKLOAD = {
    "output": "out float [out]",
    "axis_kind": "variable",
    "determinism": "unspecified",
    "constraints": "No mutation or aliasing",
}
"""What the public index says of every problem of KernelBench: its modules do not say more."""

_DECLARED_JSON = ("inputs", "axes", "scalars", "init")


def _identified(shown: pl.DataFrame, workloads: pl.DataFrame) -> pl.DataFrame:
    named = shown.join(
        workloads.select("level", "problem", "code_digest", "workload_id"),
        on=["level", "problem", "code_digest"],
        how="left",
        maintain_order="left",
    )
    return named.with_columns(environment_id=_per_environment(named)).with_columns(run_id=identities.run_id())


def _per_environment(shown: pl.DataFrame) -> pl.Series:
    """``environment_id`` of each row, worked out once per environment."""
    keys = ["source", "host", "hardware"]
    distinct = shown.select(keys).unique().with_columns(environment_id=identities.environment_id())
    return shown.select(keys).join(distinct, on=keys, how="left", nulls_equal=True, maintain_order="left")[
        "environment_id"
    ]


def _runs(first: pl.DataFrame, stood: pl.DataFrame) -> pl.DataFrame:
    begun = stood.unique("run_id", keep="first", maintain_order=True).select(
        "run_id", first_revision="from_revision", observed_at="from_at"
    )
    standing = stood.filter(pl.col("until_position").is_null()).select("run_id", present=pl.lit(True))
    half = NORMAL_95 * pl.col("std") / pl.col("num_trials").sqrt()
    unresolved = pl.col("workload_id").is_null()
    flags = (
        pl.when(pl.col("mode").is_in(list(known_modes())))
        .then("flags")
        .otherwise(pl.concat_list("flags", pl.lit("unknown_mode")).list.sort())
    )
    cohort = pl.when(~unresolved).then(identities.cohort_id())
    return (
        first.drop("position")
        .join(begun, on="run_id", how="left")
        .join(standing, on="run_id", how="left")
        .with_columns(pl.col("present").fill_null(False))
        .select(
            "run_id",
            "source",
            "host",
            "mode",
            "level",
            "problem",
            cohort.alias("cohort_id"),
            "environment_id",
            "workload_id",
            "protocol_id",
            "code_digest",
            "observed_at",
            "first_revision",
            "path",
            "blob",
            _nanoseconds(pl.col("mean")).alias("mean_ns"),
            _nanoseconds(pl.col("std")).alias("std_ns"),
            _nanoseconds(pl.col("min")).alias("min_ns"),
            _nanoseconds(pl.col("max")).alias("max_ns"),
            _nanoseconds(pl.max_horizontal(pl.col("mean") - half, pl.col("min"))).alias("ci95_low_ns"),
            _nanoseconds(pl.col("mean") + half).alias("ci95_high_ns"),
            _nanoseconds(pl.col("rounding")).alias("rounding_ns"),
            "num_trials",
            "hardware",
            "device",
            "present",
            pl.lit(True).alias("reachable"),
            (~unresolved).alias("eligible"),
            pl.when(unresolved)
            .then(pl.lit(["workload_unresolved"], dtype=pl.List(pl.String)))
            .otherwise(pl.lit([], dtype=pl.List(pl.String)))
            .alias("ineligible_reasons"),
            flags.alias("flags"),
            pl.lit(None, dtype=pl.String).alias("copy_of"),
            identities.copy_key().alias("copy_key"),
            "source_metrics",
        )
        .sort("run_id")
    )


def _nanoseconds(milliseconds: pl.Expr) -> pl.Expr:
    """Whole nanoseconds, halves up, as the public index rounds; null beyond 64 bits, which the contract refuses."""
    return (milliseconds * NS_PER_MS + 0.5).floor().cast(pl.Int64, strict=False)


def _dated(history: History, intervals: pl.DataFrame, source: str) -> pl.DataFrame:
    dates = pl.DataFrame(
        [(position, shown.revision, shown.committed_at) for position, shown in enumerate(history.revisions)],
        schema={"position": pl.Int64, "revision": pl.String, "at": pl.Datetime("us")},
        orient="row",
    )
    began = dates.rename({"position": "since", "revision": "from_revision", "at": "from_at"})
    ended = dates.rename({"position": "until", "revision": "until_revision", "at": "until_at"})
    return (
        intervals.join(began, on="since", how="left")
        .join(ended, on="until", how="left")
        .select(
            "run_id",
            pl.lit(source).alias("source"),
            pl.col("since").alias("from_position"),
            "from_revision",
            "from_at",
            pl.col("until").alias("until_position"),
            "until_revision",
            "until_at",
        )
        .sort("run_id", "from_position")
    )


def _environments(runs: pl.DataFrame) -> pl.DataFrame:
    known = pl.DataFrame(
        [
            (gpu.hardware, True, gpu.vendor, gpu.product, gpu.form_factor, gpu.architecture, gpu.memory_gb)
            for gpu in gpus().values()
        ],
        schema={
            "hardware": pl.String,
            "known": pl.Boolean,
            "vendor": pl.String,
            "product": pl.String,
            "form_factor": pl.String,
            "architecture": pl.String,
            "memory_gb": pl.Int64,
        },
        orient="row",
    )
    return (
        runs.select("environment_id", "source", "host", "hardware")
        .unique()
        .join(known, on="hardware", how="left")
        .select(
            "environment_id",
            "source",
            "host",
            pl.col("host").replace(hosts()).alias("host_title"),
            "hardware",
            pl.col("known").fill_null(False),
            "vendor",
            "product",
            "form_factor",
            "architecture",
            "memory_gb",
        )
        .sort("environment_id")
    )
