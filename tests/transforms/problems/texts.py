"""Small problem modules, written for the tests."""

from __future__ import annotations

from transforms.problems.reader import ModuleReading, Problem, read_module

MODEL = '''\
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Doubles what it is given."""

    def __init__(self, *settings):
        super().__init__()
        self.settings = settings  # kept, not used

    def forward(self, x, *others):
        return 2 * x
'''


def module(constants: str = "", inputs: str = "return [torch.rand(3)]", init: str = "return []") -> str:
    """Return a module text: a model, the constants, and the bodies of the two functions."""
    return (
        f"{MODEL}\n\n{constants}\n\n\ndef get_inputs():\n{_indented(inputs)}\n\n\n"
        f"def get_init_inputs():\n{_indented(init)}\n"
    )


def read(text: str) -> ModuleReading:
    """Read a module text."""
    return read_module(text.encode(), "level1", "1_Double.py")


def problem(constants: str = "", inputs: str = "return [torch.rand(3)]", init: str = "return []") -> Problem:
    """Read a module that must be within the grammar."""
    reading = read(module(constants, inputs, init))
    assert reading.problem is not None, reading.detail
    return reading.problem


def shapes(constants: str, inputs: str) -> list[list[int | str]]:
    """Return the shapes of the inputs alone."""
    return [list(tensor.shape) for tensor in problem(constants, inputs).inputs]


def refusal(constants: str = "", inputs: str = "return [torch.rand(3)]", init: str = "return []") -> str:
    """Return why a module is outside the grammar."""
    reading = read(module(constants, inputs, init))
    assert reading.reason == "outside_grammar", reading.problem
    assert reading.code_digest is not None
    assert reading.detail is not None
    return reading.detail


def _indented(body: str) -> str:
    return "\n".join(f"    {line}" for line in body.splitlines())
