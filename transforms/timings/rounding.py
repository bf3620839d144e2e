"""What a reported figure stands for: an interval around it (DESIGN section 4)."""

import polars as pl

__all__ = ["half_width", "half_widths"]

_KEPT_DIGITS = 3
"""Significant digits that upstream keeps."""
_LOWEST, _HIGHEST = -323, 308
_POWERS = pl.Series([float(f"1e{e}") for e in range(_LOWEST, _HIGHEST + 1)], dtype=pl.Float64)
_LOWEST_UNIT = _LOWEST - 18
"""Below the last of the 17 digits that any double needs, even of the smallest double."""
_HALF_UNITS = pl.Series([float(f"5e{u - 1}") for u in range(_LOWEST_UNIT, _HIGHEST + 1)], dtype=pl.Float64)


def half_width(figure: pl.Expr) -> pl.Expr:
    """The half-width of a Float64 expression, in the figure's own unit, see `half_widths`."""
    return figure.map_batches(half_widths, return_dtype=pl.Float64, is_elementwise=True)


def half_widths(figures: pl.Series) -> pl.Series:
    """Half of the last unit that each finite figure was written with, in the figure's own unit; 0 for 0.

    The last unit is that of the third significant digit, or of the last significant one where there are more: 1.37 and
    1.3 give 0.005, 1.3712 gives 0.00005, 1234 gives 0.5. Exact: digits are counted on the shortest decimal text that
    reads back as the same double, and every result is the double nearest to the decimal it stands for.
    """
    sizes = figures.abs()
    # The powers of ten up to a figure are its decimal exponent, counted from the lowest.
    exponents = _POWERS.search_sorted(sizes, side="right").cast(pl.Int32) + (_LOWEST - 1)
    digits = _significant_digits(sizes).clip(lower_bound=_KEPT_DIGITS)
    units = exponents - digits + 1
    return _HALF_UNITS.gather(units - _LOWEST_UNIT).zip_with(sizes > 0, sizes)


def _significant_digits(sizes: pl.Series) -> pl.Series:
    """How many digits are left of the shortest text without leading and trailing zeros (of 100.0: one)."""
    texts = sizes.cast(pl.String)
    if texts.str.contains("e", literal=True).any():
        texts = texts.str.replace("e.*$", "")
    texts = texts.str.strip_chars("0.")
    points = texts.str.contains(".", literal=True).cast(pl.Int32)
    return texts.str.len_bytes().cast(pl.Int32) - points
