"""The facts of a module stand for its bytes: reading either gives the same."""

from __future__ import annotations

import json

import pytest

from tests.histories import module
from transforms.problems.reader import ModuleReading, read_module
from transforms.problems.stated import read_stated_module

MODULES = {
    "a module that is read": module("ReLU").encode(),
    "one outside the grammar": b"import torch\ndef get_inputs():\n    return [torch.load('x')]\n",
    "one that is no Python": b"def (",
    "one that is no text": b"\xff",
}


def facts(reading: ModuleReading) -> bytes:
    """What a source states that does not carry the module."""
    stated = {"sha256": reading.sha256, "size_bytes": reading.size_bytes, "code_digest": reading.code_digest}
    stated |= {"reason": reading.reason, "detail": reading.detail, "compute_digest": None}
    return json.dumps({**stated, **(reading.problem.as_json() if reading.problem else {})}).encode()


@pytest.mark.parametrize("data", MODULES.values(), ids=MODULES)
def test_stated_facts_are_read_as_the_module_would_be(data):
    reading = read_module(data, "level1", "19_ReLU.py")
    assert read_stated_module(facts(reading), "level1", "19_ReLU.py") == reading


def test_the_modules_tried_are_of_every_kind():
    readings = [read_module(data, "level1", "19_ReLU.py") for data in MODULES.values()]
    assert [reading.reason for reading in readings] == [None, "outside_grammar", "not_python", "not_text"]
