"""Contracts say each thing once, and of every column what it means."""

from __future__ import annotations

from collections import defaultdict

import pytest

from transforms.contracts.columns import integer, text
from transforms.contracts.contract import contract
from transforms.contracts.fields import FIELDS
from transforms.contracts.objects import DERIVED, OBJECTS, TABLES, VIEWS


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_says_its_grain_and_has_a_key_and_an_order(name):
    one = OBJECTS[name]
    assert "Grain: " in one.meaning
    assert one.key and set(one.key) | set(one.order) <= set(one.columns)
    assert one.columns[one.key[0]].unique is (len(one.key) == 1)


@pytest.mark.parametrize("name", OBJECTS)
def test_every_column_says_what_it_means(name):
    for column in OBJECTS[name].columns.values():
        assert len(column.description) > 2 and column.description.endswith("."), column.name


def test_every_object_is_of_one_kind():
    assert sorted([*TABLES, *DERIVED, *VIEWS]) == sorted(OBJECTS)


def test_what_columns_of_one_name_share_is_described_once():
    """Two columns of one name and one meaning are one column, written down in one place."""
    described = defaultdict(list)
    for one in OBJECTS.values():
        for column in one.columns.values():
            described[column.name, column.type, column.meaning].append((id(column.checks), column.checks))
    twice = [named for named, found in described.items() if len({place for place, checks in found if checks}) > 1]
    assert twice == []


def test_a_shared_column_is_used_by_contracts_of_more_than_one_subject():
    users = defaultdict(set)
    for one in OBJECTS.values():
        for name in one.columns:
            users[name].add(one.name)
    assert [name for name in FIELDS if len(users[name]) < 2] == []


def test_a_column_that_may_be_null_says_when():
    column = text("host", "Host folder.", null="not told")
    assert (column.nullable, column.description) == (True, "Host folder; null: not told.")
    assert (column.but().nullable, column.but().description) == (False, "Host folder.")
    assert column.but("Its host", null="none").description == "Its host; null: none."


def test_a_key_of_one_column_is_unique_and_a_column_stands_once():
    made = contract("a", "table", "A. Grain: a.", text("a", "A."), integer("b", "B."), key=("a",))
    assert [made["a"].unique, made["b"].unique, made.order] == [True, False, ("a",)]
    with pytest.raises(ValueError, match="stands twice"):
        contract("a", "table", "A. Grain: a.", text("a", "A."), text("a", "B."), key=("a",))


def test_a_check_that_nobody_knows_is_no_check():
    with pytest.raises(KeyError, match="odd"):
        integer("a", "A.", odd=True)
