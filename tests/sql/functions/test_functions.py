"""Functions of values: what each says at its edges."""

from __future__ import annotations

import pytest

from tests.sql.rows import Rows, as_json

VALUES = {
    "low_ns(100, 5)": 95,
    "high_ns(100, 5)": 105,
    "intervals_apart(1, 2, 3, 4)": True,
    "intervals_apart(3, 4, 1, 2)": True,
    "intervals_apart(1, 3, 3, 4)": False,
    "intervals_apart(1, 9, 3, 4)": False,
    "intervals_apart(null, null, 3, 4)": None,
    "precedence(1, 0, 'b', 'x') < precedence(2, 0, 'a', 'x')": True,
    "precedence(1, 0, 'b', 'x') < precedence(1, 1, 'a', 'x')": True,
    "precedence(1, 0, 'a', 'x') < precedence(1, 0, 'b', 'a')": True,
    "precedence(1, 0, 'a', 'a') < precedence(1, 0, 'a', 'b')": True,
    "problem_number('19_ReLU.py')": 19,
    "problem_number('ReLU.py')": None,
    "gpu_name('NVIDIA H100', 'NVIDIA H100 80GB HBM3')": "NVIDIA H100",
    "gpu_name(null, 'a card')": "a card",
    "gpu_name(null, null)": "GPU not reported",
    "short_gpu('NVIDIA H100', 'NVIDIA H100 80GB HBM3')": "H100",
    "short_gpu('NVIDIA GeForce RTX 4090 D', 'x')": "RTX 4090 D",
    "short_gpu('AMD Instinct MI300X', null)": "MI300X",
    "short_gpu('NVIDIA Quadro RTX 6000', null)": "Quadro RTX 6000",
    "short_gpu(null, 'Tesla K80')": "K80",
    "short_gpu(null, 'a card')": "a card",
    "short_gpu(null, null)": None,
    "names_gpu('NVIDIA H100', 'NVIDIA H100 PCIe', 'h100')": True,
    "names_gpu(null, 'NVIDIA H100 PCIe', 'pcie')": True,
    "names_gpu('NVIDIA H100', null, 'A100')": False,
    "names_gpu(null, null, null)": True,
    "change_reason('one', 'one', 'inputs_changed')": "measured_again",
    "change_reason('one', 'two', 'inputs_changed')": "inputs_changed",
    "change_reason('one', null, null)": None,
}


@pytest.mark.parametrize("call", VALUES)
def test_a_function_gives(rows: Rows, call):
    assert rows.one(f"select {call}") == VALUES[call]


def test_sizes_of_inputs_are_numbers_with_axes_replaced(rows: Rows):
    inputs = as_json(
        [{"name": "x", "dtype": "fp32", "shape": ["n", "8"]}, {"name": "y", "dtype": "int64", "shape": []}]
    )
    found = rows.one("select input_sizes($inputs, $axes)", inputs=inputs, axes=as_json({"n": 16}))
    assert found == [{"dtype": "fp32", "sizes": [16, 8]}, {"dtype": "int64", "sizes": []}]
