"""Runs, their presence, environments and workloads of some series of one source (DESIGN.md sections 5 and 7 to 9)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from transforms import eligibility, identities
from transforms.contracts.frames import part, schema
from transforms.durations import durations, half_width, nanoseconds_of
from transforms.history.binding import bind, interval_frame, presence
from transforms.history.lineage import History, modules_of
from transforms.history.reasons import NOT_FETCHED
from transforms.history.series import VersionInterval
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
    intervals: Iterable[VersionInterval],
    modules: Mapping[tuple[str, str], ModuleReading],
    declared: pl.DataFrame,
    protocol_id: str,
) -> RunTables:
    """Bind every entry of every version that was present to its code, and say from when to when each run was.

    ``entries`` are those that a version kept (``entries.version_entries``); ``modules`` those read, by (path, blob);
    ``declared`` what these declare, as ``problem_codes`` says it.
    """
    codes = _codes(history, sorted(set(entries["position"])), modules)
    bound = bind(entries.join(codes, on=["position", "level", "problem"], how="left", maintain_order="left"))
    named = bound.with_columns(source=pl.lit(history.source), protocol_id=pl.lit(protocol_id))
    workloads = _workloads(declared.join(bound, on="code_digest", how="semi", maintain_order="left"))
    bound = _identified(named, workloads)
    first = bound.sort("position", "run_id").unique("run_id", keep="first", maintain_order=True)
    present = _dated(history, presence(bound, interval_frame(intervals)))
    runs = _runs(first, present)
    return RunTables(
        runs=runs,
        presence=present,
        environments=_environments(runs),
        workloads=workloads.join(runs, on="workload_id", how="semi"),
    )


def _codes(
    history: History, positions: Iterable[int], modules: Mapping[tuple[str, str], ModuleReading]
) -> pl.DataFrame:
    """Grain: problem module shown at one of ``positions``, with the digest of its code where it could be parsed."""
    rows = [
        (position, level, file, modules[pair].code_digest, modules[pair].reason != NOT_FETCHED)
        for position in positions
        for (level, file), pair in modules_of(history.revisions[position]).items()
    ]
    texts = dict.fromkeys(("level", "problem", "code_digest"), pl.String)
    schema = {"position": pl.Int64, **texts, "has_module": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row")


def problem_codes(modules: Mapping[tuple[str, str], ModuleReading]) -> pl.DataFrame:
    """Grain: code of a module that is Python. What it declares, whether or not anybody measured it.

    Where the reader cannot tell, what it declares is null and ``not_read`` says why.
    """
    rows = {}
    for module in modules.values():
        if module.code_digest is not None:
            code = (module.level, module.file, module.code_digest)
            rows[code] = (*code, *_declared_by(module))
    columns = ("level", "problem", "code_digest", "compute_digest", *_DECLARED_JSON, "dtype", "not_read")
    named = part("problem_codes", columns, rows.values()).with_columns(workload_id=identities.workload_id())
    return named.select(schema("problem_codes").names()).sort("workload_id")


def _declared_by(module: ModuleReading) -> tuple[str | None, ...]:
    if module.problem is None:
        return (None,) * (len(_DECLARED_JSON) + 2) + (f"{module.reason}: {module.detail}",)
    facts = module.problem.as_json()
    dtypes = dict.fromkeys(one["dtype"] for one in facts["inputs"])
    return (
        facts["compute_digest"],
        *(_json_text(facts[member]) for member in _DECLARED_JSON),
        "+".join(dtypes) or "none",
        None,
    )


def _workloads(measured: pl.DataFrame) -> pl.DataFrame:
    """Grain: as ``measured``."""
    names = measured.select("level", "problem").iter_rows()
    said = part("workloads", ("title", "family"), [(title(file), family(level, file)) for level, file in names])
    named = measured.hstack(said).with_columns(pl.lit(words).alias(name) for name, words in _OF_EVERY_WORKLOAD.items())
    costed = named.join(_costs(named["code_digest"]), on="code_digest", how="left", maintain_order="left")
    return costed.select(schema("workloads").names())


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
    columns = ("code_digest", "flops", "parameter_bytes", "input_bytes", "output_bytes", "not_traced")
    never_tried = dict.fromkeys(columns) | {"not_traced": "never tried"}
    rows = [
        (code, *(getattr(cost, name) if (cost := costs().get(code)) else never_tried[name] for name in columns[1:]))
        for code in sorted(set(codes))
    ]
    return part("workloads", columns, rows)


_OF_EVERY_WORKLOAD = {
    "output": "out float [out]",
    "axis_kind": "variable",
    "determinism": "unspecified",
    "constraints": "No mutation or aliasing",
}
"""What the public index says of every problem of KernelBench: its modules do not say more."""

_DECLARED_JSON = ("inputs", "axes", "scalars", "init")


def _identified(bound: pl.DataFrame, workloads: pl.DataFrame) -> pl.DataFrame:
    named = bound.join(
        workloads.select("level", "problem", "code_digest", "workload_id", "dtype"),
        on=["level", "problem", "code_digest"],
        how="left",
        maintain_order="left",
    )
    # What the module says anyway is not told: an entry that repeats it is of the same cohort as one that is silent.
    told = pl.col("precision").ne_missing(pl.col("dtype"))
    named = named.with_columns(precision=pl.when(told).then("precision"))
    return named.with_columns(environment_id=_per_environment(named)).with_columns(run_id=identities.run_id())


def _per_environment(bound: pl.DataFrame) -> pl.Series:
    """``environment_id`` of each row, worked out once per environment."""
    keys = ["source", "host", "hardware"]
    distinct = bound.select(keys).unique().with_columns(environment_id=identities.environment_id())
    return bound.select(keys).join(distinct, on=keys, how="left", nulls_equal=True, maintain_order="left")[
        "environment_id"
    ]


def _runs(first: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    begun = intervals.unique("run_id", keep="first", maintain_order=True).select(
        "run_id", first_revision="from_revision", observed_at="from_at"
    )
    still = intervals.filter(pl.col("until_position").is_null()).select("run_id", present=pl.lit(True))
    flags = (
        pl.when(_stem(pl.col("mode")).is_in(list(known_modes())))
        .then("flags")
        .otherwise(pl.concat_list("flags", pl.lit("unknown_mode")).list.sort())
    )
    in_ns = {**durations(half_width()), "rounding_ns": nanoseconds_of(pl.col("rounding"))}
    # Null beyond 64 bits, which the contract refuses.
    whole = {name: figure.cast(pl.Int64, strict=False) for name, figure in in_ns.items()}
    return (
        first.join(begun, on="run_id", how="left")
        .join(still, on="run_id", how="left")
        .with_columns(
            **whole,
            **eligibility.of_binding(),
            cohort_id=pl.when(pl.col("workload_id").is_not_null()).then(identities.cohort_id()),
            present=pl.col("present").fill_null(False),
            reachable=pl.lit(True),
            flags=flags,
            copy_of=pl.lit(None, dtype=pl.String),
            copy_key=identities.copy_key(),
            problem_number=pl.col("problem").str.extract(r"^([0-9]+)").cast(pl.Int64, strict=False),
            host_title=_host_title(),
            gpu=pl.lit(None, dtype=pl.String),
            median_ns=nanoseconds_of(pl.col("median")).cast(pl.Int64, strict=False),
        )
        .select(schema("runs").names())
        .sort("run_id")
    )


def _stem(mode: pl.Expr) -> pl.Expr:
    """A mode without the precision in which it ends."""
    told = pl.col("precision").is_not_null() & ~mode.is_in(list(known_modes()))
    return pl.when(told).then(mode.str.replace(r"_[^_]+$", "")).otherwise(mode)


def _dated(history: History, intervals: pl.DataFrame) -> pl.DataFrame:
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
        .with_columns(source=pl.lit(history.source), from_position="since", until_position="until")
        .select(schema("presence").names())
        .sort("run_id", "from_position")
    )


def _host_title() -> pl.Expr:
    return pl.col("host").replace(hosts())


_OF_THE_GPU = ("hardware", "known", "vendor", "product", "form_factor", "architecture", "memory_gb")


def _environments(runs: pl.DataFrame) -> pl.DataFrame:
    rows = [(gpu.hardware, True, *(getattr(gpu, name) for name in _OF_THE_GPU[2:])) for gpu in gpus().values()]
    return (
        runs.select("environment_id", "source", "host", "hardware")
        .unique()
        .join(part("environments", _OF_THE_GPU, rows), on="hardware", how="left")
        .with_columns(
            host_title=_host_title(),
            known=pl.col("known").fill_null(False),
            known_as=pl.when(pl.col("known")).then("hardware"),
            told_by=pl.lit(None, dtype=pl.String),
        )
        .select(schema("environments").names())
        .sort("environment_id")
    )
