"""A published database is what the contracts say, and says so itself."""

from __future__ import annotations

from contextlib import closing

import polars as pl
import pytest

from tools import build_docs
from transforms.contracts.tables import TABLES
from transforms.contracts.views import MACROS, OBJECTS
from warehouse import sqlfiles
from warehouse.database import Reader, open_published

TYPES = {
    "String": "VARCHAR",
    "Int64": "BIGINT",
    "Float64": "DOUBLE",
    "Boolean": "BOOLEAN",
    "Datetime(time_unit='us', time_zone=None)": "TIMESTAMP",
    "List(String)": "VARCHAR[]",
}


@pytest.fixture(scope="module")
def reader(sample_home):
    with closing(Reader(sample_home.database)) as opened:
        yield opened


def test_the_database_holds_the_objects_of_the_contracts_and_no_other(reader):
    assert {row["name"] for row in reader.query("objects").records()} == set(OBJECTS)


@pytest.mark.parametrize("name", OBJECTS)
def test_columns_are_those_of_the_contract_in_its_order(reader, name):
    found = reader.sql(
        "select column_name, data_type from duckdb_columns() where table_name = $name order by column_index", name=name
    ).rows
    columns = OBJECTS[name].to_schema().columns
    assert found == [(column, TYPES[str(about.dtype)]) for column, about in columns.items()]


@pytest.mark.parametrize("name", MACROS)
def test_a_macro_answers_in_the_columns_of_its_contract(reader, name):
    found = reader.sql(f"select column_name, column_type from (describe from {name}('2025-07-10'))").rows
    columns = MACROS[name].to_schema().columns
    assert found == [(column, TYPES[str(about.dtype)]) for column, about in columns.items()]


@pytest.mark.parametrize("name", MACROS)
def test_what_a_macro_answers_of_the_sample_keeps_the_contract(sample_home, name):
    with open_published(sample_home.database) as connection:
        rows = connection.sql(f"from {name}('2025-07-10')").pl()
    MACROS[name].validate(rows.with_columns(pl.selectors.datetime().cast(pl.Datetime("us"))), lazy=True)
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
    OBJECTS[name].validate(rows.with_columns(pl.selectors.datetime().cast(pl.Datetime("us"))), lazy=True)
    assert name == "ingests" or rows.height, f"{name} is empty: nothing was tried"


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_and_column_is_described(reader, name):
    comments = reader.sql("select comment from duckdb_columns() where table_name = $name", name=name).rows
    assert all(comment for (comment,) in comments)
    described = {row["name"]: row["meaning"] for row in reader.query("objects").records()}
    assert "Grain:" in described[name]


@pytest.mark.parametrize("name", TABLES)
def test_every_table_has_a_key(name):
    schema = TABLES[name].to_schema()
    assert schema.unique or any(column.unique for column in schema.columns.values())


def test_the_data_dictionary_is_that_of_the_contracts():
    assert build_docs.DICTIONARY.read_text(encoding="utf-8") == build_docs.dictionary_markdown(), "run `make docs`"


def test_the_comments_are_those_of_the_contracts():
    assert build_docs.COMMENTS.read_text(encoding="utf-8") == build_docs.comments_sql(), "run `make docs`"
