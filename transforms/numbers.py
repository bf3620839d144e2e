"""JSON numbers as RFC 8785 writes them, a column at a time.

Identities are digests of canonical JSON (DESIGN section 8), and `1.0` and `1` have different digests: polars' own text
of a float is close to the canonical one but not the same.
"""

import polars as pl
import rfc8785

__all__ = ["json_number", "json_numbers"]


def json_number(figure: pl.Expr) -> pl.Expr:
    """The canonical text of a Float64 expression, see `json_numbers`."""
    return figure.map_batches(json_numbers, return_dtype=pl.String, is_elementwise=True)


def json_numbers(figures: pl.Series) -> pl.Series:
    """The text of each double in canonical JSON: `1`, `0.00001`, `1e-7`, `1e+21`. Nulls stay null.

    RFC 8785 section 3.2.2.3 (ECMAScript's Number::toString). NaN and infinities have no such text:
    rfc8785.FloatDomainError, from within an expression polars.exceptions.ComputeError.
    """
    # Zero has no sign in canonical JSON.
    texts = figures.zip_with(figures != 0, figures.abs()).cast(pl.String).str.strip_suffix(".0")
    rare = _written_otherwise(figures)
    if rare.any():
        texts = texts.scatter(rare.arg_true(), [rfc8785.dumps(x).decode() for x in figures.filter(rare)])
    return texts


def _written_otherwise(figures: pl.Series) -> pl.Series:
    """Where polars turns to an exponent and ECMAScript does not, and what has no canonical text at all."""
    size = figures.abs()
    small = (size > 0) & (size < 1e-5)
    large = size >= 1e16
    return (small | large | figures.is_nan()).fill_null(False)
