from decimal import Decimal

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from transforms.timings.rounding import half_width, half_widths


def slow_half_width(figure: float) -> float:
    """DESIGN section 4, digit by digit."""
    written = Decimal(repr(abs(figure))).normalize()
    if not written:
        return 0.0
    third_digit = written.adjusted() - 2
    last_digit = written.as_tuple().exponent
    return float(Decimal(5).scaleb(min(third_digit, last_digit) - 1))


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (0.0, 0.0),
        (1.37, 0.005),
        (1.0, 0.005),
        (9, 0.005),
        (100, 0.5),
        (101, 0.5),
        (866.0, 0.5),
        (1234, 0.5),
        (1230, 5.0),
        (12340, 5.0),
        (0.00988, 0.000005),
        (1.3712, 0.00005),
        (10.05, 0.005),
        (2.5e-5, 5e-8),
        (1e-7, 5e-10),
        (1e21, 5e18),
    ],
)
def test_a_figure_stands_for_half_its_last_unit_either_way(figure, expected):
    assert half_widths(pl.Series([figure], dtype=pl.Float64)).to_list() == [expected]


def test_a_column_of_figures_gives_a_column_of_half_widths():
    frame = pl.DataFrame({"mean": [1.37, 100.0], "std": [0.0, 2.0]})
    assert frame.select(half_width(pl.all())).rows() == [(0.005, 0.0), (0.5, 0.005)]


def test_no_figures_have_no_half_widths():
    assert half_widths(pl.Series([], dtype=pl.Float64)).to_list() == []


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.decimals(0, 10**6, places=4).map(float)


@settings(deadline=None)
@given(st.lists(numbers))
@example([5e-324, 1e-323, 2.2250738585072014e-308, 1.7976931348623157e308, 1e16, 9.999e22])
def test_half_widths_agree_with_counting_digits_by_hand(figures):
    assert half_widths(pl.Series(figures, dtype=pl.Float64)).to_list() == [slow_half_width(x) for x in figures]
