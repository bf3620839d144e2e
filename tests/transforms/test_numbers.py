import polars as pl
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.numbers import json_number, json_numbers


def written(*figures: float | None) -> list[str | None]:
    return json_numbers(pl.Series(figures, dtype=pl.Float64)).to_list()


def test_whole_numbers_lose_their_point():
    assert written(1.0, 100.0, -3.0, 1e15) == ["1", "100", "-3", "1000000000000000"]


def test_exponents_begin_where_ecmascript_begins_them():
    assert written(1e-5, 9.5e-6, 1e-6, 1e-7) == ["0.00001", "0.0000095", "0.000001", "1e-7"]
    assert written(1e16, 1.5e20, 1e21) == ["10000000000000000", "150000000000000000000", "1e+21"]


def test_both_zeros_are_one_number():
    assert written(0.0, -0.0) == ["0", "0"]


def test_a_missing_number_has_no_text():
    assert written(None, 1.5) == [None, "1.5"]


def test_a_number_without_a_canonical_text_is_an_error():
    for figure in (float("nan"), float("inf")):
        with pytest.raises(rfc8785.FloatDomainError):
            written(figure)


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_every_double_is_written_as_rfc_8785_writes_it(figures):
    frame = pl.DataFrame({"x": pl.Series(figures, dtype=pl.Float64)})
    assert frame.select(json_number(pl.col("x")))["x"].to_list() == [rfc8785.dumps(x).decode() for x in figures]
