"""A folder of simulated timing files, as many as a large user would bring, for benchmarks of the whole way."""

from __future__ import annotations

import json
import random
from pathlib import Path

HOSTS = 100
MODES = 40
PROBLEMS = 250

_MODULE = """import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x + {number}


SIZE = {size}


def get_inputs():
    return [torch.rand(SIZE)]


def get_init_inputs():
    return []
"""


def make(folder: Path, hosts: int = HOSTS) -> int:
    """Write ``hosts`` x 40 timing files of 250 problems each, and the problems, into ``folder``; how many runs."""
    chance = random.Random(20261130)
    problems = [f"{number}_Simulated.py" for number in range(1, PROBLEMS + 1)]
    modules = folder / "KernelBench" / "level1"
    modules.mkdir(parents=True)
    for number, problem in enumerate(problems, 1):
        (modules / problem).write_text(_MODULE.format(number=number, size=1024 * number), encoding="utf-8")
    for host in range(hosts):
        place = folder / "results" / "timing" / f"H100_lab{host}"
        place.mkdir(parents=True)
        for mode in range(MODES):
            document = {"level1": {problem: _figures(chance) for problem in problems}}
            text = json.dumps(document, indent=4)
            (place / f"baseline_time_simulated_{mode}.json").write_text(text, encoding="utf-8")
    return hosts * MODES * PROBLEMS


def _figures(chance: random.Random) -> dict[str, object]:
    mean = round(chance.lognormvariate(0, 1.5) + 0.01, 3)
    return {
        "mean": mean,
        "std": round(mean * chance.uniform(0.001, 0.05), 4),
        "min": round(mean * 0.95, 3),
        "max": round(mean * 1.2, 3),
        "num_trials": 100,
        "hardware": "NVIDIA H100 80GB HBM3",
        "device": "cuda:0",
    }
