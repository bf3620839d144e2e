"""What an export holds of identities, and how each of its digests is made again from the other columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from transforms import identities
from transforms.contracts.frames import frame
from transforms.manifests.facts import Pin, PinnedProblem
from transforms.manifests.interop import interop_table
from transforms.problems.reader import TensorInput

_FIGURES = ("mean", "std", "min", "max")


@dataclass(frozen=True)
class Recomputed:
    """One kind of digest of an export: how many there are, and the rows whose digest is not what its facts give."""

    kind: str
    digests: int
    wrong: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether all of them are."""
        return not self.wrong


def pinned_rows(source: str, revision: str, problems: Iterable[PinnedProblem]) -> pl.DataFrame:
    """The table ``pinned_problems`` of one source. JSON keeps the order in which the module names things."""
    rows = [
        (
            source,
            revision,
            one.level,
            one.file,
            one.path,
            one.module_sha256,
            one.module_size_bytes,
            json.dumps([{"name": i.name, "dtype": i.dtype, "shape": list(i.shape)} for i in one.inputs]),
            json.dumps(dict(one.axes)),
            json.dumps(dict(one.scalars)),
        )
        for one in problems
    ]
    return frame("pinned_problems", rows).sort("level", "problem")


def pinned_problems(rows: pl.DataFrame) -> list[PinnedProblem]:
    """The problems that ``pinned_rows`` wrote down."""
    return [
        PinnedProblem(
            level=row["level"],
            file=row["problem"],
            path=row["path"],
            module_sha256=row["module_sha256"],
            module_size_bytes=row["module_size_bytes"],
            inputs=tuple(TensorInput(i["name"], tuple(i["shape"]), i["dtype"]) for i in json.loads(row["inputs"])),
            axes=json.loads(row["axes"]),
            scalars=json.loads(row["scalars"]),
        )
        for row in rows.iter_rows(named=True)
    ]


def with_figures(runs: pl.DataFrame) -> pl.DataFrame:
    """Add the reported figures in milliseconds, ``mean, std, min, max``, that ``source_metrics`` holds."""
    reported = pl.col("source_metrics").str.json_decode(pl.Struct(dict.fromkeys(_FIGURES, pl.Float64())))
    return runs.with_columns(reported.struct.field(*_FIGURES))


def recompute(tables: Mapping[str, pl.DataFrame]) -> list[Recomputed]:
    """Make every digest of an export again. ``tables`` are its tables by name, as the contracts describe them."""
    runs = with_figures(tables["runs"])
    return [
        _native("run_id", runs, identities.run_id()),
        _native("copy_key", runs, identities.copy_key()),
        _native("cohort_id", runs.filter(pl.col("cohort_id").is_not_null()), identities.cohort_id()),
        _native("environment_id", tables["environments"], identities.environment_id()),
        _native("workload_id", tables["workloads"], identities.workload_id()),
        *_interoperable(tables, runs),
    ]


def _native(kind: str, rows: pl.DataFrame, identity: pl.Expr) -> Recomputed:
    wrong = rows.filter(pl.col(kind) != identity)[kind]
    return Recomputed(kind, rows.height, tuple(wrong))


def _interoperable(tables: Mapping[str, pl.DataFrame], runs: pl.DataFrame) -> list[Recomputed]:
    claimed = tables["interop"]
    again = pl.concat(
        [claimed.clear(), *(_interop_of(source, tables, runs) for source in claimed["source"].unique().sort())]
    )
    both = claimed.join(again, on="run_id", how="left", suffix="_again")
    kinds = [column for column in claimed.columns if column.endswith("_digest")]
    return [
        Recomputed(
            kind,
            both[kind].drop_nulls().n_unique(),
            tuple(both.filter(pl.col(kind).ne_missing(pl.col(f"{kind}_again")))["external_id"]),
        )
        for kind in kinds
    ]


def _interop_of(source: str, tables: Mapping[str, pl.DataFrame], runs: pl.DataFrame) -> pl.DataFrame:
    ((url, commit, at),) = (
        tables["sources"]
        .filter(pl.col("source") == source)
        .select("url", "newest_revision", "newest_revision_at")
        .iter_rows()
    )
    own = pl.col("source") == source
    paths = tables["files"].filter(own & pl.col("present") & (pl.col("kind") == "timing"))
    present = (
        runs.filter(own & pl.col("present"))
        .drop("path")
        .join(paths.select("host", "mode", "path"), on=["host", "mode"], how="inner")
    )
    problems = pinned_problems(tables["pinned_problems"].filter(own))
    return interop_table(source, Pin(url, commit, at), problems, present)
