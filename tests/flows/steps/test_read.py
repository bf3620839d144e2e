"""Landed files are read in parts, and what could not be had is refused by name."""

from __future__ import annotations

import pytest

from flows.sources.sample import SampleSource
from flows.steps import read
from flows.steps.discover import discover
from flows.steps.fetch import LandedSource, fetch
from flows.steps.plan import plan, wanted
from flows.steps.read import read_beside, read_landed, read_timing_part, timing_parts
from tests.histories import module, module_path
from warehouse.landing import Refused


@pytest.fixture
def planned(workspace, source, started):
    found = discover(workspace, source)
    (one,) = wanted(workspace, [LandedSource(found, fetch(workspace, source, found, started), started)])
    return plan(workspace, one)


def test_small_files_are_one_part_and_large_ones_several(workspace, planned, monkeypatch):
    assert timing_parts(workspace, planned) == [planned.needed.timings]
    monkeypatch.setattr(read, "_PART_BYTES", 1)
    assert timing_parts(workspace, planned) == [(blob,) for blob in planned.needed.timings]


def test_figures_modules_and_declarations_are_put_together(workspace, planned):
    parts = [read_timing_part(workspace, part) for part in timing_parts(workspace, planned)]
    found = read_beside(workspace, planned, parts)
    assert found.timings.entries.height == 2
    assert [path for path, _ in found.modules] == [module_path("19_ReLU.py")]
    assert list(found.texts.values()) == [b"torch==2.9.0\n"]


def test_a_blob_that_could_not_be_had_is_not_read_and_says_what_came_instead(workspace, planned):
    blob = planned.needed.timings[0]
    planned.refused[blob] = Refused("r1", "results/timing/x.json", "gave 7 bytes of another")
    parts = [read_timing_part(workspace, part) for part in timing_parts(workspace, planned)]
    assert blob not in timing_parts(workspace, planned)[0]
    files = read_beside(workspace, planned, parts).timings.files.drop_nulls("reason")
    assert files.select("blob", "reason", "detail").rows() == [(blob, "not_fetched", "gave 7 bytes of another")]


def test_a_module_is_read_from_its_bytes_or_from_what_was_stated_of_it():
    assert read_landed(module("ReLU").encode(), "bytes", "level1", "19_ReLU.py").problem is not None
    sample = SampleSource()
    files = sample.files(sample.revisions(()).head)
    (stated,) = sample.read([files[module_path("19_ReLU.py")]])
    assert stated.form == "stated"
    assert read_landed(stated.data, stated.form, "level1", "19_ReLU.py").problem is not None
