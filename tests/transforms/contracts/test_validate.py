"""A row that breaks a contract goes to quarantine with the contract's words; a broken shape stops the publish."""

from __future__ import annotations

import polars as pl
import pytest

from tests.histories import figures, module, module_path, normalised, shown, timing_json, timing_path
from transforms.contracts.broken import ContractBroken
from transforms.contracts.validate import check, check_batch

RELU, TANH = "19_ReLU.py", "22_Tanh.py"


def tables(**means: float) -> dict[str, pl.DataFrame]:
    """What one revision with these means (by problem number) gives, not yet held to the contracts."""
    entries = {problem: figures(means[problem[:-3]], std=0.0) for problem in (RELU, TANH) if problem[:-3] in means}
    tree = {timing_path(): timing_json({"level1": entries}), module_path(RELU): module("ReLU")}
    history, blobs = shown(tree)
    return normalised(history, blobs).tables


def test_rows_that_keep_their_contracts_pass_unchanged():
    before = tables(**{"19_ReLU": 1.0, "22_Tanh": 2.0})
    after = check_batch(before)
    assert {name: after[name].equals(before[name]) for name in before} == dict.fromkeys(before, True)


def test_a_run_that_breaks_its_contract_is_quarantined_with_the_contracts_words_and_its_neighbour_goes_on():
    """1e-8 ms is a positive mean, so the reader keeps it, but it is no nanosecond: mean_ns would be 0."""
    after = check_batch(tables(**{"19_ReLU": 1e-8, "22_Tanh": 2.0}))
    assert after["runs"]["problem"].to_list() == [TANH]
    assert after["presence"]["run_id"].to_list() == after["runs"]["run_id"].to_list()
    (row,) = after["quarantine"].filter(pl.col("reason") == "contract").to_dicts()
    assert (row["problem_key"], row["present"], row["path"]) == (RELU, True, timing_path())
    assert "mean_ns: greater_than(0)" in row["detail"]
    assert '"mean":1e-8' in row["raw"]


def test_a_figure_beyond_sixty_four_bits_is_quarantined():
    after = check_batch(tables(**{"19_ReLU": 1e300, "22_Tanh": 2.0}))
    (row,) = after["quarantine"].filter(pl.col("reason") == "contract").to_dicts()
    assert "mean_ns: not_nullable" in row["detail"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda runs: runs.drop("mode"),
        lambda runs: runs.with_columns(extra=pl.lit(1)),
        lambda runs: runs.with_columns(pl.col("mean_ns").cast(pl.Float64)),
        lambda runs: runs.select(runs.columns[1:] + runs.columns[:1]),
    ],
    ids=["a column is missing", "a column is unknown", "a column has another type", "columns stand in another order"],
)
def test_a_batch_that_breaks_the_schema_stops_the_publish(damage):
    before = tables(**{"19_ReLU": 1.0})
    with pytest.raises(ContractBroken, match="runs"):
        check_batch({**before, "runs": damage(before["runs"])})


def test_a_key_that_stands_twice_in_a_table_made_here_stops_the_publish():
    before = tables(**{"19_ReLU": 1.0})
    doubled = pl.concat([before["revisions"], before["revisions"]])
    with pytest.raises(ContractBroken, match="revisions"):
        check_batch({**before, "revisions": doubled})


def test_an_empty_table_keeps_its_contract():
    empty = tables(**{"19_ReLU": 1.0})["quarantine"]
    assert empty.height == 0
    assert check("quarantine", empty).kept.columns == empty.columns
