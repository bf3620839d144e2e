"""What manifests are made of: a pinned revision, a problem module as it stands there, a run's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from transforms.layout import TOP, Layout
from transforms.manifests.kinds import ALGORITHM
from transforms.problems.reader import ModuleReading, TensorInput


@dataclass(frozen=True)
class Pin:
    """The revision that manifests point to.

    The index pins everything to its newest revision, so that old figures look new. Pinned to the revision
    where figures first appeared, the same manifests are truthful.
    """

    repository_url: str | None
    """Without an ending slash; None where nobody else can look at it (a folder)."""
    commit: str
    observed_at: datetime
    """The commit's committer date; UTC where no time zone is attached."""
    layout: Layout = TOP
    """What the paths of the revision are."""

    @property
    def observed(self) -> str:
        """The date as manifests write it: `2026-03-05T08:38:15.000Z`."""
        at = self.observed_at if self.observed_at.tzinfo is None else self.observed_at.astimezone(UTC)
        return f"{at.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


@dataclass(frozen=True)
class PinnedProblem:
    """A problem module as the pinned revision shows it."""

    level: str
    file: str
    path: str
    """In the repository: `KernelBench/level1/19_ReLU.py`."""
    module_sha256: str
    module_size_bytes: int
    inputs: tuple[TensorInput, ...]
    axes: Mapping[str, int]
    scalars: Mapping[str, int | float]

    @property
    def module_digest(self) -> str:
        """The module's bytes as manifests name them."""
        return f"{ALGORITHM}:{self.module_sha256}"

    @classmethod
    def of(cls, reading: ModuleReading, path: str) -> PinnedProblem | None:
        """The problem of a module that was read; None for one that could not be."""
        if reading.problem is None:
            return None
        return cls(
            level=reading.level,
            file=reading.file,
            path=path,
            module_sha256=reading.sha256,
            module_size_bytes=reading.size_bytes,
            inputs=reading.problem.inputs,
            axes=reading.problem.axes,
            scalars=reading.problem.scalars,
        )


@dataclass(frozen=True)
class PinnedRun:
    """A run as the pinned revision shows it; figures in milliseconds, as reported."""

    host: str
    mode: str
    level: str
    file: str
    path: str
    """Of the timing file: in the repository, or under `results/timing`."""
    hardware: str | None
    mean: float
    std: float
    min: float
    max: float
    num_trials: int
