"""Problems, baselines and results made by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from transforms.score.baselines import Baseline, BaselineSet, Problem, SetName
from transforms.score.results import Sample
from transforms.score.speedup import Measured

L40S, A100 = "NVIDIA L40S", "NVIDIA A100-SXM4-80GB"
LEVEL = "level1"
MARCH = datetime(2026, 3, 1)


def problem(number: int, code: str | None = None, compute: str | None = None) -> Problem:
    """A problem whose code is named after its number."""
    return Problem(LEVEL, number, f"{number}_p.py", code or f"code{number}", compute or f"compute{number}")


def baseline(number: int, mean: float, **changes: Any) -> Baseline:
    """A figure of a problem that is known exactly, unless ``low`` and ``high`` say otherwise."""
    low, high = changes.pop("low", mean), changes.pop("high", mean)
    members: dict[str, Any] = {
        "run_id": f"run{number}",
        "number": number,
        "level": LEVEL,
        "problem": f"{number}_p.py",
        "code_digest": f"code{number}",
        "compute_digest": f"compute{number}",
        "precision": None,
        "measured": Measured(mean, low, high),
        "present": True,
        "observed_at": MARCH,
        "revision": "r1",
        "torch": None,
        "l2_cleared": True,
        "limit_ratio": None,
    }
    return Baseline(**members | changes)


def baselines(
    *figures: Baseline, host: str = "H", mode: str = "torch", gpu: str | None = L40S, **more: Any
) -> BaselineSet:
    """A set of figures."""
    return BaselineSet(SetName(more.get("source", "lab/x"), host, mode), gpu, more.get("precision"), figures)


def sample(number: int, runtime: float | None = None, **changes: Any) -> Sample:
    """A correct sample of a problem, timed where a runtime is given; its interval is that of rounding alone."""
    members: dict[str, Any] = {"compiled": True, "correct": True, "runtime_ms": runtime, "hardware": L40S}
    return Sample(LEVEL, number, changes.pop("sample_id", 0), **members | changes)


def by_problem(*samples: Sample) -> dict[tuple[str, int], Sample]:
    """Samples as a score takes them."""
    return {(LEVEL, one.number): one for one in samples}
