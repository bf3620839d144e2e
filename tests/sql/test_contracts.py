"""A published database is what the contracts say, and says so itself."""

from __future__ import annotations

from contextlib import closing

import polars as pl
import pytest

from tools import build_docs
from transforms.contracts.columns import Type
from transforms.contracts.contract import Contract
from transforms.contracts.objects import DERIVED, MACROS, OBJECTS, TABLES
from transforms.contracts.pandera_schemas import pandera_schema
from transforms.contracts.references import REFERENCES, references
from warehouse import sqlfiles
from warehouse.database import Reader, open_published

TYPES: dict[Type, str] = {
    "String": "VARCHAR",
    "Int64": "BIGINT",
    "Float64": "DOUBLE",
    "Boolean": "BOOLEAN",
    "Time": "TIMESTAMP",
    "Texts": "VARCHAR[]",
}


def stated(contract: Contract) -> list[tuple[str, str]]:
    """Names and DuckDB's types of a contract's columns, in its order."""
    return [(name, TYPES[column.type]) for name, column in contract.columns.items()]


def hold(contract: Contract, rows: pl.DataFrame) -> None:
    """Hold rows as DuckDB gives them to a contract, with Pandera's words where they break it."""
    pandera_schema(contract).validate(rows.with_columns(pl.selectors.datetime().cast(pl.Datetime("us"))), lazy=True)


@pytest.fixture(scope="module")
def reader(sample_home):
    with closing(Reader(sample_home.database)) as opened:
        yield opened


@pytest.fixture(scope="module")
def of_all_lineages(field_home):
    with closing(Reader(field_home.database)) as opened:
        yield opened


def test_the_database_holds_the_objects_of_the_contracts_and_no_other(reader):
    assert {row["name"] for row in reader.query("objects").records()} == set(OBJECTS)


@pytest.mark.parametrize("name", OBJECTS)
def test_columns_are_those_of_the_contract_in_its_order(reader, name):
    found = reader.sql(
        "select column_name, data_type from duckdb_columns() where table_name = $name order by column_index", name=name
    ).rows
    assert found == stated(OBJECTS[name])


@pytest.mark.parametrize("name", MACROS)
def test_a_macro_answers_in_the_columns_of_its_contract(reader, name):
    found = reader.sql(f"select column_name, column_type from (describe from {name}('2025-07-10'))").rows
    assert found == stated(MACROS[name])


@pytest.mark.parametrize("name", MACROS)
def test_what_a_macro_answers_of_the_sample_keeps_the_contract(sample_home, name):
    with open_published(sample_home.database) as connection:
        rows = connection.sql(f"from {name}('2025-07-10')").pl()
    hold(MACROS[name], rows)
    assert rows.height


def test_every_macro_is_in_the_database_and_described(reader):
    found = dict(
        reader.sql(
            "select function_name, comment from duckdb_functions() where function_type = 'table_macro' and not internal"
        ).rows
    )
    assert set(found) == set(sqlfiles.folder("macros"))
    assert all(comment and "Grain:" in comment for comment in found.values())
    assert set(MACROS) <= set(found)


@pytest.mark.parametrize("name", OBJECTS)
def test_the_rows_of_the_sample_keep_the_contract(sample_home, name):
    with open_published(sample_home.database) as connection:
        rows = connection.table(name).pl()
    hold(OBJECTS[name], rows)
    assert name == "ingests" or rows.height, f"{name} is empty: nothing was tried"


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_and_column_is_described(reader, name):
    comments = reader.sql("select comment from duckdb_columns() where table_name = $name", name=name).rows
    assert all(comment for (comment,) in comments)
    described = {row["name"]: row["meaning"] for row in reader.query("objects").records()}
    assert "Grain:" in described[name]


def test_the_data_dictionary_is_that_of_the_contracts():
    assert build_docs.DICTIONARY.read_text(encoding="utf-8") == build_docs.dictionary_markdown(), "run `make docs`"


def test_the_schema_is_that_of_the_contracts():
    assert build_docs.SCHEMA.read_text(encoding="utf-8") == build_docs.schema_sql(), "run `make docs`"


@pytest.mark.parametrize("name", TABLES | DERIVED)
def test_what_a_contract_says_is_never_null_is_so_by_the_schema(reader, name):
    found = dict(
        reader.sql("select column_name, is_nullable from duckdb_columns() where table_name = $name", name=name).rows
    )
    assert found == {column.name: column.nullable for column in OBJECTS[name].columns.values()}


@pytest.mark.parametrize("name", REFERENCES)
def test_what_a_row_refers_to_is_there(of_all_lineages, name):
    """In the home of all lineages, where copies lead from one to another."""
    for here, table, there in references(name):
        assert len(here) == len(there)
        filled = " and ".join(f"{column} is not null" for column in here)
        missing = of_all_lineages.sql(
            f"select {', '.join(here)} from {name} where {filled} except select {', '.join(there)} from {table}"
        )
        assert missing.rows == [], (here, table)


def test_the_comments_are_those_of_the_contracts():
    assert build_docs.COMMENTS.read_text(encoding="utf-8") == build_docs.comments_sql(), "run `make docs`"
