"""Native identities: SHA-256 over RFC 8785 canonical JSON, whole columns at a time (DESIGN.md section 8).

An unrelated upstream commit changes none of them. Each function returns an expression of 64 hex digits; the canonical
JSON is put together from its members in the order RFC 8785 sorts them, so no Python runs per row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import polars as pl
import polars_hash  # noqa: F401  (registers the `chash` namespace)

from transforms.numbers import json_number

_ESCAPES = {
    **{chr(code): f"\\u{code:04x}" for code in range(0x20)},
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}


def sha256_hex(expression: pl.Expr) -> pl.Expr:
    """SHA-256 of a text column's UTF-8 bytes, as hex."""
    return cast(pl.Expr, cast(Any, expression).chash.sha2_256())


def json_string(expression: pl.Expr) -> pl.Expr:
    """A text column as RFC 8785 JSON strings; null becomes ``null``."""
    escaped = expression.str.replace_many(list(_ESCAPES), list(_ESCAPES.values()))
    return pl.concat_str(pl.lit('"'), escaped, pl.lit('"')).fill_null("null")


def environment_id() -> pl.Expr:
    """From ``source, host, hardware`` (null where none was reported)."""
    return _identity(hardware=_text("hardware"), host=_text("host"), source=_text("source"))


def workload_id() -> pl.Expr:
    """From ``level, problem, code_digest``: the same in every source that carries the module."""
    return _identity(code_digest=_text("code_digest"), level=_text("level"), problem=_text("problem"))


def cohort_id() -> pl.Expr:
    """From ``workload_id, environment_id, protocol_id``, and ``precision`` where it is told: what may be compared."""
    return _identity(
        environment_id=_text("environment_id"),
        precision=_Told("precision"),
        protocol_id=_text("protocol_id"),
        workload_id=_text("workload_id"),
    )


def run_id() -> pl.Expr:
    """From ``environment_id, mode, level, problem, code_digest`` (or none) and the figures as JSON numbers.

    And from ``precision``, where it is told.
    """
    return _identity(
        code_digest=_text("code_digest"),
        environment_id=_text("environment_id"),
        figures=_figures(),
        level=_text("level"),
        mode=_text("mode"),
        precision=_Told("precision"),
        problem=_text("problem"),
    )


def copy_key() -> pl.Expr:
    """What two sources that carry the same figures share: hardware, mode, problem, figures, and a told precision.

    Neither host folder nor code: a fork may keep the figures in another folder, and other code beside them.
    """
    return _identity(
        figures=_figures(),
        hardware=_text("hardware"),
        level=_text("level"),
        mode=_text("mode"),
        precision=_Told("precision"),
        problem=_text("problem"),
    )


def _figures() -> pl.Expr:
    names = ("max", "mean", "min", "num_trials", "std")
    return _object(**{name: json_number(pl.col(name)) for name in names})


def _text(column: str) -> pl.Expr:
    return json_string(pl.col(column))


@dataclass(frozen=True)
class _Told:
    """A member that is left out where its column is null, so that ids made before it was known stay what they were."""

    column: str


def _identity(**members: pl.Expr | _Told) -> pl.Expr:
    return sha256_hex(_object(**members))


def _object(**members: pl.Expr | _Told) -> pl.Expr:
    """A canonical JSON object; the members must come in sorted order, first one that is never left out."""
    parts: list[pl.Expr] = []
    for position, (name, value) in enumerate(members.items()):
        begins = pl.lit(f'{"," if position else "{"}"{name}":')
        if isinstance(value, _Told):
            member = pl.concat_str(begins, _text(value.column))
            parts.append(pl.when(pl.col(value.column).is_not_null()).then(member).otherwise(pl.lit("")))
        else:
            parts += [begins, value]
    return pl.concat_str(*parts, pl.lit("}"))
