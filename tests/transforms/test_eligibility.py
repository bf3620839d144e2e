"""Why a run may hold no record, as far as its lineage alone tells."""

from __future__ import annotations

import polars as pl

from transforms import eligibility
from transforms.eligibility import BINDING_DOUBTFUL, COPY, MODULE_MISSING, MODULE_NOT_PYTHON, REASONS, UNREACHABLE
from warehouse import sqlfiles

RUNS = pl.DataFrame(
    {"code_digest": ["a code", None, None, None], "has_module": [True, True, False, None]},
    schema={"code_digest": pl.String, "has_module": pl.Boolean},
)


def test_a_run_is_eligible_where_its_code_is_known_and_else_says_what_is_missing():
    found = RUNS.with_columns(**eligibility.of_binding())
    assert found["eligible"].to_list() == [True, False, False, False]
    assert found["ineligible_reasons"].to_list() == [[], [MODULE_NOT_PYTHON], [MODULE_MISSING], [MODULE_MISSING]]


def test_what_is_unreachable_keeps_its_other_reasons():
    found = RUNS.with_columns(**eligibility.of_binding()).with_columns(**eligibility.of_unreachable())
    assert not found["eligible"].any()
    assert found["ineligible_reasons"].to_list()[:2] == [[UNREACHABLE], [UNREACHABLE, MODULE_NOT_PYTHON]]


def test_sql_adds_the_reasons_that_take_all_sources_at_once_in_the_same_order():
    text = sqlfiles.folder("derived")["eligibility"].text
    assert REASONS.index(COPY) < REASONS.index(BINDING_DOUBTFUL)
    assert 0 < text.index(f"then '{COPY}'") < text.index(f"then '{BINDING_DOUBTFUL}'")
