"""docs/lineages.md: every query of it answers on the sample what the table below it says."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from transforms.registry import lineages
from warehouse.database import Reader, Result

MANUAL = (Path(__file__).resolve().parent.parent / "docs" / "lineages.md").read_text(encoding="utf-8")
ANSWERED = re.findall(r"```sql\n(.*?)```\n\n(\|.*?)\n\n", MANUAL, re.DOTALL)


@pytest.fixture(scope="module")
def reader(field_home):
    with closing(Reader(field_home.database)) as opened:
        yield opened


def table(result: Result) -> str:
    """An answer as the manual shows it."""
    head = "| " + " | ".join(name.replace("_", " ") for name in result.columns) + " |"
    rows = ("| " + " | ".join(_cell(value) for value in row) + " |" for row in result.rows)
    return "\n".join([head, "|" + "---|" * len(result.columns), *rows])


def _cell(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(value)
        case int() | float():
            return f"{value:,}"
        case date():
            return value.isoformat()
        case _:
            return str(value)


def test_every_query_stands_above_its_answer():
    assert len(ANSWERED) == MANUAL.count("```sql") >= 12


@pytest.mark.parametrize(("query", "told"), ANSWERED, ids=[f"query {n}" for n in range(1, len(ANSWERED) + 1)])
def test_a_query_of_the_manual_answers_what_stands_below_it(reader, query, told):
    assert table(reader.sql(query)) == told


def test_every_lineage_that_ships_is_in_the_first_table_and_every_other_has_its_reason():
    ships = {source.partition("//")[0] for source, lineage in lineages().items() if lineage.ships_in_sample}
    first = {line.split("|")[1].strip() for line in ANSWERED[0][1].splitlines()[2:]}
    assert first == ships
    for source, lineage in lineages().items():
        if not lineage.ships_in_sample:
            assert re.search(rf"^\| {source} \| .+ \|$", MANUAL, re.MULTILINE), lineage.why_not


def test_own_figures_of_the_manual_are_those_of_the_registry():
    told = {line.split("|")[1].strip(): line.split("|")[2].strip() for line in ANSWERED[0][1].splitlines()[2:]}
    known = {source.partition("//")[0]: one.figures for source, one in lineages().items() if one.ships_in_sample}
    assert told == {source: f"{figures:,}" for source, figures in known.items()}
