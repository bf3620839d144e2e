"""The table of digests says of every run what its documents say."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transforms.manifests.made_up import PIN, PROBLEM, RUN, frame, problems
from transforms.contracts.frames import schema
from transforms.manifests.documents import digest, manifests
from transforms.manifests.facts import PinnedProblem, PinnedRun
from transforms.manifests.interop import interop_table

# Reported figures, and others: canonical JSON writes a double below 1e-6 or from 1e21 on with an exponent.
figures = st.floats(1e-12, 1e25) | st.integers(1, 9999).map(lambda thousandths: thousandths / 1000)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
runs = st.builds(
    PinnedRun,
    host=st.sampled_from(["H100_Modal", "T4_modal", 'say "hi"\\', "a/b"]) | texts,
    mode=st.sampled_from(["torch", "torch_compile_inductor_default"]) | texts,
    level=st.just("level1"),
    file=st.sampled_from([problem.file for problem in problems(3)]),
    path=texts.map("results/timing/{}.json".format),
    hardware=st.sampled_from(["NVIDIA H100 PCIe", "Tesla T4", None]) | texts,
    mean=figures,
    std=figures | st.just(0.0),
    min=figures,
    max=figures,
    num_trials=st.integers(1, 2**53 - 1),
)


def expected(run: PinnedRun, known: list[PinnedProblem]) -> dict[str, str]:
    problem = next(problem for problem in known if problem.file == run.file)
    made = manifests(run, problem, PIN)
    digests = {f"{name}_digest": digest(document) for name, document in made.items()}
    return {"external_id": made["run"]["spec"]["sourceNative"]["externalId"], **digests}


def test_columns() -> None:
    table = interop_table("tiny/bench", PIN, [PROBLEM], frame([RUN]))
    assert table.schema == schema("interop")
    assert table.row(0)[:4] == ("tiny/bench", "c0ffee", "H100_Modal/torch/level1/7_Tiny_op_.py", "0000")


@settings(deadline=None, max_examples=40)
@given(st.lists(runs, min_size=1, max_size=8))
def test_every_digest_is_that_of_the_document(measured: list[PinnedRun]) -> None:
    known = problems(3)
    table = interop_table("tiny/bench", PIN, known, frame(measured))
    assert table.height == len(measured)
    for row in table.iter_rows(named=True):
        facts = expected(measured[int(row["run_id"])], known)
        assert {column: row[column] for column in facts} == facts


@settings(deadline=None, max_examples=20)
@given(st.randoms(use_true_random=False))
def test_order_never_matters(shuffle: Random) -> None:
    known = problems(5)
    measured = [replace(RUN, file=problem.file, host=host) for problem in known for host in ("a", "b", "B")]
    table = interop_table("tiny/bench", PIN, known, frame(measured))
    rows = frame(measured).sample(fraction=1, shuffle=True, seed=shuffle.randint(0, 2**32))
    shuffle.shuffle(known)
    assert interop_table("tiny/bench", PIN, known, rows).equals(table)
    assert table["external_id"].is_sorted()


def test_a_run_without_a_readable_module_has_no_digest_of_its_own() -> None:
    table = interop_table("tiny/bench", PIN, [PROBLEM], frame([RUN, replace(RUN, file="8_Other.py")]))
    whole, partial = table.iter_rows(named=True)
    assert None not in whole.values()
    missing = {column for column, value in partial.items() if value is None}
    assert missing == {"operation_digest", "workload_digest", "implementation_digest", "run_digest"}


def test_modules_that_nothing_measured_change_nothing() -> None:
    table = interop_table("tiny/bench", PIN, [PROBLEM], frame([RUN]))
    assert interop_table("tiny/bench", PIN, [*problems(3), PROBLEM], frame([RUN])).equals(table)


def test_nothing_measured() -> None:
    empty = interop_table("tiny/bench", PIN, [PROBLEM], frame([]))
    assert empty.schema == schema("interop")
    assert empty.is_empty()


def test_hardware_that_is_never_reported() -> None:
    nameless = replace(RUN, hardware=None)
    table = interop_table("tiny/bench", PIN, [PROBLEM], frame([nameless]))
    assert table["environment_digest"].item() == expected(nameless, [PROBLEM])["environment_digest"]
