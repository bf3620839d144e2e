"""No timing file, problem module or declaring text ends an ingest, and no entry of one is lost."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.mutations import EXAMPLES, fuzzed, hostile, in_time
from tests.histories import A100, figures, module, module_path, normalised, shown, timing_json, timing_path, timings
from transforms.contracts.validate import check_batch
from transforms.history.declared import declared
from transforms.layout import TOP
from transforms.problems.reader import read_module
from transforms.timings.reader import read_timings

FILE = timing_json(
    {
        "level1": {"19_ReLU.py": figures(1.37), "20_LeakyReLU.py": figures(2.5, hardware=A100), "21_Sigmoid.py": None},
        "level2": {"1_Conv.py": {**figures(0.5), "unit": "ms", "median": 0.5, "note": {"a": [1, 2.5, "x"]}}},
    }
).encode()
MODULE = module("ReLU", body="torch.relu(x).sum(dim=1) * 2").encode()
PROJECT = b'[project]\nname = "x"\ndependencies = ["numpy", "torch>=2.9.0"]\n'
README = b"Measured with PyTorch `2.5.0+cu124` and CUDA `12.4` on one H100.\n"
REQUIREMENTS = b"torch[opt]==2.5.0 ; python_version > '3.9'\nnumpy\n"
GOOD = timings(n19_ReLU=3.5)


@fuzzed
@given(hostile(FILE))
def test_every_entry_of_a_mutated_timing_file_is_kept_or_refused(data):
    with in_time():
        read = read_timings([("good", GOOD.encode()), ("bad", data)])
    good, bad = read.files.to_dicts()
    assert (good["reason"], good["kept"], good["refused"]) == (None, 1, 0)
    assert bad["entries"] == bad["kept"] + bad["refused"] == entries_of(data, bad["reason"])
    of_bad = pl.col("blob") == "bad"
    assert (read.entries.filter(of_bad).height, read.refusals.filter(of_bad).height) == (bad["kept"], bad["refused"])


@fuzzed
@given(hostile(FILE))
def test_a_mutated_timing_file_is_read_alike_by_both_readers(data):
    quick, careful = read_timings([("bad", data)]), read_timings([("bad", data)], carefully=True)
    assert quick.entries.equals(careful.entries)
    assert quick.refusals.equals(careful.refusals)
    assert quick.files.equals(careful.files)


TOGETHER = 10
"""Files of one history: its rows are made at once, which costs as much for ten as for one."""


@settings(fuzzed, max_examples=max(EXAMPLES // TOGETHER, 1))
@given(st.lists(hostile(FILE), min_size=TOGETHER, max_size=TOGETHER), hostile(MODULE))
def test_mutated_files_and_a_module_beside_good_ones_make_rows_that_keep_their_contracts(files, beside):
    bad = {timing_path(f"Bad{number}"): file for number, file in enumerate(files)}
    tree: Mapping[str, str | bytes] = {
        timing_path("Good"): GOOD,
        **bad,
        module_path("19_ReLU.py"): module("ReLU"),
        module_path("20_LeakyReLU.py"): beside,
        "pyproject.toml": PROJECT,
    }
    with in_time():
        made = check_batch(normalised(*shown(tree)).tables)
    runs, quarantine = made["runs"], made["quarantine"]
    assert runs.filter(pl.col("host") == "Good")["mean_ns"].to_list() == [3_500_000]
    for number, file in enumerate(files):
        of_file = pl.col("host") == f"Bad{number}"
        assert runs.filter(of_file).height + quarantine.filter(of_file).height > 0 or entries_of(file, None) == 0


@fuzzed
@given(hostile(MODULE))
def test_a_mutated_module_is_read_or_has_a_reason(data):
    with in_time():
        reading = read_module(data, "level1", "19_ReLU.py")
    assert (reading.problem is None) == (reading.reason is not None)


@fuzzed
@given(st.one_of(hostile(PROJECT), hostile(README), hostile(REQUIREMENTS)))
def test_a_mutated_declaring_text_declares_something_or_nothing(data):
    with in_time():
        declared(dict.fromkeys(TOP.declaring, "blob"), {"blob": data})


def entries_of(data: bytes, reason: str | None) -> int:
    """The entries that a file holds, by Python's own reader: distinct keys of levels; none where it was refused."""
    if reason is not None:
        return 0
    text = data.decode("utf-8-sig")
    try:
        top = json.loads(text, object_pairs_hook=lambda pairs: pairs, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return 0
    said = {"unit", "precision", "dtype"}
    return len(
        {
            (level, key)
            for level, entries in (top if isinstance(top, list) else [])
            if level.startswith("level") and isinstance(entries, list)
            for key, value in entries
            if not (key in said and isinstance(value, str))
        }
    )
