"""Native identities outlive what does not concern them, and follow what does (DESIGN.md section 8)."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.histories import A100, figures, module, module_path, normalised, shown, timing_json, timing_path

RELU, TANH = "19_ReLU.py", "22_Tanh.py"
IDS = ("run_id", "environment_id", "workload_id", "cohort_id", "code_digest", "copy_key")


def tree(
    mean: float = 1.5, text: str | None = None, hardware: str | None = None, host: str = "H100_lab"
) -> dict[str, str]:
    entry = figures(mean) if hardware is None else figures(mean, hardware=hardware)
    other = figures(2.5)
    return {
        timing_path(host): timing_json({"level1": {RELU: entry, TANH: other}}),
        module_path(RELU): text or module("ReLU"),
        module_path(TANH): module("Tanh", body="torch.tanh(x)"),
    }


def ids(*trees: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The native ids of the runs of a history, by problem."""
    history, blobs = shown(*trees)
    runs = normalised(history, blobs).tables["runs"].filter(pl.col("present"))
    return {row["problem"]: tuple(row[name] for name in IDS) for row in runs.iter_rows(named=True)}


BEFORE = ids(tree())


@pytest.mark.parametrize(
    "later",
    [
        {**tree(), "results/timing/README.md": "reworded"},
        {**tree(), "requirements.txt": "torch==2.9.0\n", "src/eval.py": "another harness"},
        {**tree(), timing_path("another_host"): timing_json({"level1": {RELU: figures(9.0)}})},
        {**tree(), module_path("99_Other.py"): module("Other")},
        dict(reversed(tree().items())),
    ],
    ids=["a README", "requirements and scripts", "another host", "another problem", "the order of files"],
)
def test_an_unrelated_commit_changes_no_id(later):
    after = ids(tree(), later)
    assert {problem: after[problem] for problem in BEFORE} == BEFORE


@given(
    comment=st.text("abc #'\"", max_size=12),
    blanks=st.integers(0, 3),
    trailing=st.integers(0, 4),
    crlf=st.booleans(),
)
@settings(max_examples=25)
def test_comments_blank_lines_line_ends_and_blanks_at_line_ends_change_no_id(comment, blanks, trailing, crlf):
    lines = module("ReLU").replace("made for a test", f"made for a test {comment!r}"[:60].replace('"', "")).splitlines()
    text = "\n".join(f"{line}{' ' * trailing}" for line in ["# " + comment, *[""] * blanks, *lines, "# end"])
    assert ids(tree(text=text.replace("\n", "\r\n") if crlf else text)) == BEFORE


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ({"mean": 1.51}, {"run_id", "copy_key"}),
        (
            {"text": module("ReLU", body="torch.relu(x) + 1")},
            {"run_id", "workload_id", "cohort_id", "code_digest"},
        ),
        ({"text": module("ReLU", n=32)}, {"run_id", "workload_id", "cohort_id", "code_digest"}),
        ({"text": module("ReLU", draw="randn")}, {"run_id", "workload_id", "cohort_id", "code_digest"}),
        (
            {"text": module("ReLU").replace("(rows, 8)", "(rows, 8, dtype=torch.float16)")},
            {"run_id", "workload_id", "cohort_id", "code_digest"},
        ),
        ({"hardware": A100}, {"run_id", "environment_id", "cohort_id", "copy_key"}),
        ({"host": "H100_other"}, {"run_id", "environment_id", "cohort_id"}),
    ],
    ids=["a figure", "the computation", "a shape", "the generator", "a dtype", "the GPU", "the host"],
)
def test_a_change_of_code_shape_dtype_figure_gpu_or_host_changes_just_the_ids_that_it_concerns(change, changed):
    after = ids(tree(**change))[RELU]
    assert {name for name, old, new in zip(IDS, BEFORE[RELU], after, strict=True) if old != new} == changed
