"""Which paths of a revision are tracked."""

from __future__ import annotations

import pytest

from flows.sources.interface import is_tracked


@pytest.mark.parametrize(
    ("path", "tracked"),
    [
        ("results/timing/H100/baseline_time_torch.json", True),
        ("results/timing/baseline_time_matx3.json", True),
        ("results/timing/README.md", True),
        ("results/eval/H100/baseline_time_torch.json", False),
        ("KernelBench/level1/19_ReLU.py", True),
        ("KernelBench/level1/helper.py", False),
        ("KernelBench/level1/deeper/19_ReLU.py", False),
        ("requirements.txt", True),
        ("docs/requirements.txt", False),
        ("pyproject.toml", True),
        ("scripts/generate_baseline_time_modal.py", True),
        ("scripts/other.py", False),
        ("src/eval.py", True),
        ("src/kernelbench/timing.py", True),
        ("src/other/timing.py", False),
    ],
)
def test_only_what_section_2_names_is_tracked(path, tracked):
    assert is_tracked(path) is tracked
