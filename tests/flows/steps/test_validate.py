"""Rows that keep their contracts go on; of refused files the new ones are named."""

from __future__ import annotations

from flows.steps.discover import discover
from flows.steps.fetch import LandedSource, fetch
from flows.steps.normalise import normalise
from flows.steps.plan import plan, wanted
from flows.steps.read import read_beside, read_timing_part, timing_parts
from flows.steps.validate import validate
from tests.histories import LAB, timing_path, timings


def test_a_source_is_derived_with_its_pin_its_tables_and_its_refused_files(workspace, history, started):
    from flows.sources.git import GitSource

    history.commit("2025-01-04", {timing_path("B_lab"): "<html>", timing_path("C_lab"): timings(n19_ReLU=3.0)})
    source = GitSource(str(history.path), None, LAB)
    found = discover(workspace, source)
    (one,) = wanted(workspace, [LandedSource(found, fetch(workspace, source, found, started), started)])
    planned = plan(workspace, one)
    source.close()
    parts = [read_timing_part(workspace, part) for part in timing_parts(workspace, planned)]
    reading = read_beside(workspace, planned, parts)
    derived = validate(planned, reading, normalise(planned, reading))
    assert (derived.source, derived.pin.commit) == (LAB, history.id(4))
    assert (derived.tables["runs"].height, derived.tables["series"].height) == (3, 3)
    assert (derived.files_read, derived.refused_files) == (3, ((timing_path("B_lab"), "not_json"),))
    assert [problem.file for problem in derived.pinned] == ["19_ReLU.py"]
