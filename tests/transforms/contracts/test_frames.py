"""Frames in the columns of their contracts."""

from __future__ import annotations

from datetime import datetime

import polars as pl
import pytest

from transforms.contracts.frames import frame, part, schema
from transforms.contracts.objects import OBJECTS


@pytest.mark.parametrize("name", OBJECTS)
def test_a_table_of_no_rows_has_the_columns_of_its_contract(name):
    assert frame(name, []).columns == list(OBJECTS[name].columns)
    assert frame(name, []).schema == schema(name)


def test_rows_have_their_values_in_the_order_of_the_columns():
    assert frame("meta", [("upstream", "a/b")]).to_dicts() == [{"key": "upstream", "value": "a/b"}]


def test_a_row_too_short_is_refused():
    with pytest.raises(pl.exceptions.ShapeError):
        frame("meta", [("upstream",), ("upstream",)])


def test_a_part_of_a_table_is_typed_as_the_whole():
    found = part("presence", ("run_id", "until_at"), [("a", None), ("b", datetime(2025, 1, 1))])
    assert found.schema == {"run_id": pl.String(), "until_at": pl.Datetime("us")}
