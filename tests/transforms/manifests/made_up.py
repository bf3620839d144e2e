"""Facts of nothing real, small enough to write their manifests by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

import polars as pl

from transforms.manifests.facts import Pin, PinnedProblem, PinnedRun
from transforms.problems.reader import TensorInput

PIN = Pin("https://git.example/tiny/bench", "c0ffee", datetime(2024, 2, 29, 12, 0, 5))

PROBLEM = PinnedProblem(
    level="level1",
    file="7_Tiny_op_.py",
    path="KernelBench/level1/7_Tiny_op_.py",
    module_sha256="ab" * 32,
    module_size_bytes=321,
    inputs=(TensorInput("x", ("rows", 4, "cols"), "fp32"), TensorInput("input_2", ("rows",), "int64")),
    axes={"cols": 5, "rows": 3},
    scalars={"rows": 3, "alpha": 0.5, "beta": 2.0},
)

RUN = PinnedRun(
    host="H100_Modal",
    mode="torch",
    level="level1",
    file="7_Tiny_op_.py",
    path="results/timing/H100_Modal/baseline_time_torch.json",
    hardware="NVIDIA H100 80GB HBM3",
    mean=1.5,
    std=0.0625,
    min=1.25,
    max=2.0,
    num_trials=100,
)

FIGURES = ("mean", "std", "min", "max", "num_trials")


def problems(count: int) -> list[PinnedProblem]:
    """Problems that differ in number and size."""
    files = {size: f"{size}_Tiny_op_.py" for size in range(1, count + 1)}
    return [
        replace(PROBLEM, file=file, path=f"KernelBench/level1/{file}", module_size_bytes=size)
        for size, file in files.items()
    ]


def frame(runs: Iterable[PinnedRun]) -> pl.DataFrame:
    """Runs as the table of digests takes them; a run's id is its position."""
    rows: list[dict[str, Any]] = [
        {
            "run_id": f"{position:04}",
            "host": run.host,
            "mode": run.mode,
            "level": run.level,
            "problem": run.file,
            "hardware": run.hardware,
            "path": run.path,
            **{figure: getattr(run, figure) for figure in FIGURES},
        }
        for position, run in enumerate(runs)
    ]
    texts = ("run_id", "host", "mode", "level", "problem", "hardware", "path")
    figures = dict.fromkeys(("mean", "std", "min", "max"), pl.Float64)
    return pl.DataFrame(rows, schema={**dict.fromkeys(texts, pl.String), **figures, "num_trials": pl.Int64})
