"""One pass over a table gives Pandera's verdict, for every kind of check that the contracts make."""

from __future__ import annotations

from datetime import datetime

import pandera.polars as pa
import polars as pl
from hypothesis import example, given, settings
from hypothesis import strategies as st

from transforms.contracts.columns import flag, integer, moment, number, text, texts
from transforms.contracts.contract import contract
from transforms.contracts.frames import types
from transforms.contracts.objects import OBJECTS
from transforms.contracts.one_pass import CHECKS, keeps_contract
from transforms.contracts.pandera_schemas import pandera_schema

EVERYTHING = contract(
    "everything",
    "table",
    "A column for every kind of demand, most of them twice: with nulls and without.",
    text("name", "Two letters.", unique=True, matches=r"^[a-c]{2}$"),
    text("start", "Anchored at its start only.", null="", matches=r"^level[\s\S]*$"),
    text("unanchored", "Not anchored.", null="", matches="b"),
    text("long", "Two letters or more.", shortest=2),
    text("one_of", "One of two.", null="", one_of=["ab", "level"]),
    integer("above", "Above 0.", gt=0),
    integer("at_least", "At least 0.", null="", ge=0),
    number("below", "Below 1.", null="", lt=1),
    number("any", "Any number."),
    number("between", "From 0 to below 1.", null="", ge=0, lt=1),
    flag("flag", "A flag.", null=""),
    moment("at", "A moment."),
    texts("words", "Words."),
    key=("start", "at_least"),
)

GOOD = ("ab", "level1", "b", "ab", "ab", 1, 0, 0.5, 1.0, 0.0, True, datetime(2025, 1, 1), [])
OTHER = ("ba", "level2", None, "abc", None, 2, None, None, 0.0, None, None, datetime(2025, 1, 2), ["x"])
NAMES = list(EVERYTHING.columns)

TEXTS = [None, "", "a", "ab", "bc", "abc", "abcd", "ab\n", "\nab", "level", "a level", "Level", "äö"]
INTEGERS = [None, -1, 0, 1, 2, 2**62]
FLOATS = [None, float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 0.5, 1.0, 1.5]
POOLS = {
    pl.String(): TEXTS,
    pl.Int64(): INTEGERS,
    pl.Float64(): FLOATS,
    pl.Boolean(): [None, True, False],
    pl.Datetime("us"): [None, datetime(2025, 1, 1)],
    pl.List(pl.String()): [None, [], [None], ["x", "x"]],
}
CHANGES = st.one_of(
    st.tuples(st.just(NAMES.index(name)), st.sampled_from(POOLS[kind])) for name, kind in types(EVERYTHING).items()
)


def pandera_keeps(rows: pl.DataFrame) -> bool:
    try:
        pandera_schema(EVERYTHING).validate(rows, lazy=True)
    except pa.errors.SchemaErrors:
        return False
    return True


def table(*rows: tuple[object, ...]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=types(EVERYTHING), orient="row")


def test_rows_that_keep_every_demand_pass_and_so_do_none():
    for rows in (table(GOOD, OTHER), table(GOOD), table()):
        assert keeps_contract(EVERYTHING, rows)
        assert pandera_keeps(rows)


@settings(max_examples=150)
@given(changes=st.lists(CHANGES, min_size=1, max_size=2), again=st.booleans())
@example(changes=[(NAMES.index("name"), "ba")], again=False)  # stands in the other row: no longer unique
@example(changes=[(NAMES.index("start"), "level2"), (NAMES.index("at_least"), None)], again=False)  # the other's key
@example(changes=[(NAMES.index("below"), float("nan"))], again=False)
@example(changes=[(NAMES.index("any"), float("nan"))], again=False)
def test_whatever_is_damaged_the_verdict_is_panderas(changes, again):
    first = list(GOOD)
    for place, value in changes:
        first[place] = value
    rows = table(tuple(first), OTHER, *([OTHER] if again else []))
    assert keeps_contract(EVERYTHING, rows) == pandera_keeps(rows)


def test_each_demand_alone_is_seen():
    """Arithmetic by hand: for every column, a value of its pool that it must refuse."""
    refused = {"name": "abc", "start": "a level", "unanchored": "ab", "long": "a", "one_of": "bc", "above": 0}
    refused |= {"at_least": -1, "below": 1.0, "any": None, "between": -1.0, "at": None, "words": None}
    for name, value in refused.items():
        damaged = [value if column == name else good for column, good in zip(NAMES, GOOD, strict=True)]
        assert not keeps_contract(EVERYTHING, table(tuple(damaged))), name
    assert set(NAMES) - refused.keys() == {"flag"}


def test_columns_that_are_missing_unknown_displaced_or_of_another_type_are_seen():
    rows = table(GOOD)
    for damaged in (
        rows.drop("flag"),
        rows.with_columns(extra=pl.lit(1)),
        rows.select(NAMES[1:] + NAMES[:1]),
        rows.with_columns(pl.col("above").cast(pl.Float64)),
    ):
        assert not keeps_contract(EVERYTHING, damaged)
        assert not pandera_keeps(damaged)


def test_every_check_of_every_contract_is_among_those_tried_here():
    used = {check for one in OBJECTS.values() for column in one.columns.values() for check in column.checks}
    tried = {check for column in EVERYTHING.columns.values() for check in column.checks}
    assert used <= tried == set(CHECKS)
