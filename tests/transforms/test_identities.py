"""Native identities are SHA-256 over RFC 8785 canonical JSON, whole columns at a time."""

from __future__ import annotations

import hashlib

import polars as pl
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from transforms import identities

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
FIGURE = st.floats(min_value=1e-9, max_value=1e22, allow_nan=False)
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


def one(expression: pl.Expr, **columns: object) -> str:
    types = {name: pl.Int64 if name == "num_trials" else None for name in columns}
    series = [pl.Series(name, [value], dtype=types[name] or _type(value)) for name, value in columns.items()]
    return str(pl.DataFrame(series).select(expression)[0, 0])


def _type(value: object) -> pl.DataType | type[pl.DataType]:
    return pl.Float64 if isinstance(value, float) else pl.String


def by_hand(body: dict[str, object]) -> str:
    return hashlib.sha256(rfc8785.dumps(body)).hexdigest()  # type: ignore[arg-type]


@given(source=TEXT, host=TEXT, hardware=st.none() | TEXT)
def test_an_environment_is_source_host_and_hardware(source, host, hardware):
    expected = by_hand({"source": source, "host": host, "hardware": hardware})
    assert one(identities.environment_id(), source=source, host=host, hardware=hardware) == expected


@given(level=TEXT, problem=TEXT, code_digest=HEX)
def test_a_workload_is_level_file_and_code(level, problem, code_digest):
    expected = by_hand({"level": level, "problem": problem, "code_digest": code_digest})
    assert one(identities.workload_id(), level=level, problem=problem, code_digest=code_digest) == expected


@given(
    environment=HEX,
    mode=TEXT,
    problem=TEXT,
    code=st.none() | HEX,
    precision=st.none() | TEXT,
    figures=st.tuples(FIGURE, FIGURE, FIGURE, FIGURE),
    trials=st.integers(1, 10_000),
)
def test_a_run_is_environment_mode_problem_code_figures_and_a_precision_that_is_told(
    environment, mode, problem, code, precision, figures, trials
):
    mean, std, low, high = figures
    numbers = {"mean": mean, "std": std, "min": low, "max": high, "num_trials": trials}
    body = {
        "environment_id": environment, "mode": mode, "level": "level1", "problem": problem, "code_digest": code,
        "figures": numbers,
    }  # fmt: skip
    columns = {**body, **numbers, "precision": precision}
    del columns["figures"]
    told = {} if precision is None else {"precision": precision}
    assert one(identities.run_id(), **columns) == by_hand({**body, **told})


@given(workload=HEX, environment=HEX, protocol=HEX, precision=st.none() | TEXT)
def test_a_cohort_is_workload_environment_protocol_and_a_precision_that_is_told(
    workload, environment, protocol, precision
):
    body = {"workload_id": workload, "environment_id": environment, "protocol_id": protocol}
    told = {} if precision is None else {"precision": precision}
    assert one(identities.cohort_id(), **body, precision=precision) == by_hand({**body, **told})


def test_a_run_known_by_hand():
    """The canonical text written out, so that no library stands between."""
    text = (
        '{"code_digest":null,"environment_id":"e","figures":{"max":1.5,"mean":1,"min":0.5,"num_trials":100,"std":1e-7},'
        '"level":"level1","mode":"torch","problem":"1_\\"A\\".py"}'
    )
    found = one(
        identities.run_id(), code_digest=None, environment_id="e", mode="torch", level="level1", problem='1_"A".py',
        mean=1.0, std=1e-7, min=0.5, max=1.5, num_trials=100, precision=None,
    )  # fmt: skip
    assert found == hashlib.sha256(text.encode()).hexdigest()


def test_the_same_figures_elsewhere_have_the_same_copy_key_whatever_the_folder_and_the_code_are():
    rows = pl.DataFrame(
        {
            "source": ["upstream/x", "fork/x"], "environment_id": ["a" * 64, "b" * 64], "host": ["h", "renamed"],
            "hardware": ["g"] * 2, "mode": ["torch"] * 2, "level": ["level1"] * 2, "problem": ["1_A.py"] * 2,
            "code_digest": ["c" * 64, "d" * 64], "precision": [None, None],
            "mean": [1.0] * 2, "std": [0.1] * 2, "min": [0.9] * 2, "max": [1.2] * 2,
            "num_trials": [100] * 2,
        },
        schema_overrides={"precision": pl.String},
    )  # fmt: skip
    found = rows.select(run=identities.run_id(), copy=identities.copy_key())
    assert found["run"].n_unique() == 2
    assert found["copy"].n_unique() == 1
