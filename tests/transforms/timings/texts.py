"""Small timing files, made by hand."""

import json
from typing import Any

from transforms.timings.reader import TimingReadings, read_timings

FIGURES: dict[str, Any] = {
    "mean": 1.37,
    "std": 0.238,
    "min": 1.28,
    "max": 3.1,
    "num_trials": 100,
    "hardware": "NVIDIA H100 80GB HBM3",
    "device": "cuda:0",
}


def entry(**changes: Any) -> dict[str, Any]:
    """An entry with some fields changed."""
    return FIGURES | changes


def without(*names: str) -> dict[str, Any]:
    """An entry without some of its fields."""
    return {name: value for name, value in FIGURES.items() if name not in names}


def level1(**problems: Any) -> str:
    """A file of one level; problem `ReLU` is file `19_ReLU.py`."""
    return json.dumps({"level1": {f"19_{name}.py": value for name, value in problems.items()}})


def read(text: str | bytes) -> TimingReadings:
    """Read one file."""
    return read_timings([("b1", text.encode() if isinstance(text, str) else text)])


def reasons(text: str | bytes) -> dict[str, str]:
    """Why each refused entry of a file is refused, by its key."""
    refusals = read(text).refusals
    return dict(zip(refusals["problem_key"], refusals["reason"], strict=True))


def reason(value: object) -> str | None:
    """Why one entry is refused, None when it is kept."""
    return reasons(level1(ReLU=value)).get("19_ReLU.py")


def flags(**changes: Any) -> list[str]:
    """The flags of one entry that is kept."""
    kept: list[str] = read(level1(ReLU=entry(**changes))).entries["flags"][0].to_list()
    return kept


def file_reason(data: str | bytes) -> str | None:
    """Why a file is refused, None when it is read."""
    found: str | None = read(data).files["reason"][0]
    return found
