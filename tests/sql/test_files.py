"""Each SQL file says truly what it reads, and is put in an order in which that exists."""

from __future__ import annotations

import re

import pytest
import sqlglot
from sqlglot import exp

from warehouse import sqlfiles

FOLDERS = ("functions", "tables", "derived", "macros", "views", "log", "checks", "view_checks", "queries")
FILES = [(folder, name) for folder in FOLDERS for name in sqlfiles.folder(folder)]

# What a file makes besides the object of its own name.
MAKES = {
    "touched": {"replaced_runs", "touched_cohorts", "touched_copies", "runs"},
    "quarantine": {"replaced_refusals"},
    "copies": {"decided_copies", "runs"},
    "binding_doubts": {"doubted_series"},
    "eligibility": {"decided_eligibility", "touched_cohorts", "runs"},
    "environments": {"told_environments"},
}


def read_by(text: str) -> set[str]:
    """The tables and views that a file's statements name, without those it makes itself."""
    named: set[str] = set()
    for statement in sqlglot.parse(text.replace(" by name", ""), read="duckdb"):
        assert statement is not None
        local = {cte.alias_or_name for cte in statement.find_all(exp.CTE)}
        named |= {table.name for table in statement.find_all(exp.Table) if table.name} - local
    return named


def test_there_are_files_in_every_folder():
    assert {folder for folder, _ in FILES} == set(FOLDERS)


@pytest.mark.parametrize(("folder", "name"), FILES, ids=lambda part: part)
def test_a_header_says_what_the_file_is(folder, name):
    text = sqlfiles.folder(folder)[name].text
    assert text.startswith(f"-- {name}: "), "the first line is `-- name: what it is`"
    for field in ("Grain", "Reads"):
        assert re.search(rf"^-- {field}: +\S", text, re.MULTILINE), f"no {field} in the header"


@pytest.mark.parametrize(("folder", "name"), [f for f in FILES if f[0] != "queries"], ids=lambda part: part)
def test_a_header_names_what_the_statements_read(folder, name):
    file = sqlfiles.folder(folder)[name]
    made = {made for maker in file.reads for made in MAKES.get(maker, ())}
    unsaid = read_by(file.text) - file.reads - made - MAKES.get(name, set()) - {name}
    assert unsaid == set()


def test_files_come_after_what_they_read():
    order = [file.name for file in sqlfiles.in_order("functions", "macros", "tables", "derived", "views")]
    seen: set[str] = set()
    for name in order:
        file = next(sqlfiles.folder(folder)[name] for folder in FOLDERS if name in sqlfiles.folder(folder))
        assert (file.reads & set(order)) <= seen | {name}, name
        seen.add(name)
