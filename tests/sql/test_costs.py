"""What the modules cost, as the registry tells it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tools import build_costs
from transforms.registry import costs
from warehouse.database import Reader

FACTS = Path(__file__).resolve().parents[2].parent / "shared" / "facts"
needs_facts = pytest.mark.skipif(not FACTS.exists(), reason=f"{FACTS} is not here: the costs were NOT compared with it")


def test_a_module_is_priced_whole_or_says_why_not():
    for cost in costs().values():
        figures = (cost.flops, cost.parameter_bytes, cost.input_bytes, cost.output_bytes)
        assert (None in figures) == (figures == (None,) * 4) == (cost.not_traced is not None)
    assert len(costs()) == 504


def test_the_data_stay_small_and_name_their_licence():
    assert build_costs.TARGET.stat().st_size < 60_000
    note = [line for line in build_costs.TARGET.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert "MIT licence" in " ".join(note)


@needs_facts
def test_the_data_are_what_the_facts_give():
    assert build_costs.TARGET.read_text(encoding="utf-8") == build_costs.costs_csv(FACTS)


def test_every_workload_of_the_sample_was_tried(sample_home):
    with closing(Reader(sample_home.database)) as reader:
        rows = reader.sql("select not_traced, count(*) from workloads group by all order by all").rows
    assert rows == [("AssertionError", 1), ("RuntimeError", 4), (None, 498)]
