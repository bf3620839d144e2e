"""Which files are read and which are refused."""

import json

import polars as pl
import pytest

from tests.transforms.timings.texts import FIGURES, entry, file_reason, level1, read
from transforms.timings.document import LARGEST_FILE
from transforms.timings.reader import ENTRIES, FILES, REFUSALS, read_timings
from transforms.timings.rules import judge

GOOD = level1(ReLU=entry())


def nested(depth: int) -> str:
    """An entry whose extra key takes the whole file to this depth."""
    inner = "[" * (depth - 3) + "]" * (depth - 3)
    return GOOD.replace('"mean"', f'"x": {inner}, "mean"')


def test_a_file_as_upstream_writes_it_is_read():
    files = read(json.dumps(json.loads(GOOD), indent=4)).files
    assert files.row(0, named=True) == {
        "blob": "b1",
        "reason": None,
        "detail": None,
        "raw": None,
        "noted_keys": [],
        "entries": 1,
        "kept": 1,
        "refused": 0,
    }


def test_a_byte_order_mark_and_other_line_ends_change_nothing():
    marked = b"\xef\xbb\xbf" + json.dumps(json.loads(GOOD), indent=1).replace("\n", "\r\n").encode()
    assert read(marked).entries.drop("blob").equals(read(GOOD).entries.drop("blob"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GOOD.ljust(LARGEST_FILE), None),
        (GOOD.ljust(LARGEST_FILE + 1), "too_large"),
        (b"\xff" * (LARGEST_FILE + 1), "too_large"),
        (GOOD.encode("utf-16"), "not_text"),
        (b"\xff\xfe{}", "not_text"),
        (b'{"level1": {"1_\xed\xa0\x80.py": null}}', "not_text"),
        (b"", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        ("{}", "empty"),
        (" { } \n", "empty"),
        (" ", "not_json"),
        ("{", "not_json"),
        (GOOD[:-9], "not_json"),
        (GOOD + "x", "not_json"),
        ("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n", "not_json"),
        ("<!DOCTYPE html><html></html>", "not_json"),
        ("[" * 100_000, "not_json"),
        ("[" * 101 + "]" * 101, "not_json"),
        ('{"level1": {"1_a.py": {"mean": 01}}}', "not_json"),
        ('{"level1": {"1_a\n.py": null}}', "not_json"),
        (nested(101), "not_json"),
        (nested(100), None),
        ("[]", "unexpected_shape"),
        ("null", "unexpected_shape"),
        ("1", "unexpected_shape"),
        (json.dumps({"19_ReLU.py": FIGURES}), "unexpected_shape"),
        ('{"level1": null}', "unexpected_shape"),
        ('{"level1": {}, "level2": []}', "unexpected_shape"),
        ('{"level1": {}, "level1": 1}', "unexpected_shape"),
        ('{"level1": {}}', None),
    ],
)
def test_a_file_is_refused_for_the_first_reason_that_applies(data, expected):
    assert file_reason(data) == expected


def test_brackets_in_strings_do_not_nest():
    assert file_reason(level1(ReLU=entry(note="[" * 500), Tanh=entry(note='"' + "{" * 500))) is None


def test_a_refused_file_shows_its_beginning():
    row = read("é<" * 300).files.row(0, named=True)
    assert row["raw"] == "é<" * 100
    assert (row["entries"], row["kept"], row["refused"]) == (0, 0, 0)
    assert "line 1 column 1" in row["detail"]


def test_what_is_not_text_is_not_shown():
    assert read(GOOD.encode("utf-16")).files["raw"].to_list() == [None]


def test_keys_beside_levels_are_noted_and_not_read():
    text = json.dumps({"note": {"1_a.py": FIGURES}, "level1": {"19_ReLU.py": FIGURES}, "\ud800": 1, "Level2": {}})
    readings = read(text)
    assert readings.files["noted_keys"].to_list() == [["note", "\\ud800", "Level2"]]
    assert readings.entries["problem"].to_list() == ["19_ReLU.py"]


def test_levels_beyond_the_benchmark_are_kept():
    entries = read(json.dumps({"level4": {"1_gpt2.py": FIGURES}, "level_tk": {"0_toy_.py": FIGURES}})).entries
    assert entries.select("level", "problem").rows() == [("level4", "1_gpt2.py"), ("level_tk", "0_toy_.py")]


def test_files_keep_their_order_and_their_entries_apart():
    readings = read_timings([("a", GOOD.encode()), ("b", b""), ("c", level1(ReLU=None).encode())])
    assert readings.files.select("blob", "reason", "kept", "refused").rows() == [
        ("a", None, 1, 0),
        ("b", "empty", 0, 0),
        ("c", None, 0, 1),
    ]
    assert readings.entries["blob"].to_list() == ["a"]
    assert readings.refusals["blob"].to_list() == ["c"]


def test_no_files_give_empty_tables_of_the_same_shape():
    readings = read_timings([])
    assert readings.entries.schema == ENTRIES
    assert readings.refusals.schema == REFUSALS
    assert readings.files.schema == FILES
    assert readings.entries.is_empty() and readings.refusals.is_empty() and readings.files.is_empty()


def test_more_files_than_are_judged_at_once_come_out_in_order(monkeypatch):
    monkeypatch.setattr("transforms.timings.reader.BATCH", 400)
    files = [(f"b{i}", level1(ReLU=entry(num_trials=i), Tanh=None).encode()) for i in range(1, 10)]
    readings = read_timings(files)
    assert readings.entries.select("blob", "num_trials").rows() == [(f"b{i}", i) for i in range(1, 10)]
    assert readings.files["refused"].to_list() == [1] * 9


FAULT = level1(Fault=entry())


@pytest.fixture
def faulty(monkeypatch):
    """A reader with a fault of its own: it fails on every file that names a problem Fault."""

    def judged(rows: pl.DataFrame) -> pl.DataFrame:
        if rows["problem_key"].str.contains("Fault").any():
            raise pl.exceptions.ComputeError("no such\nsum")
        return judge(rows)

    monkeypatch.setattr("transforms.timings.reader.judge", judged)


@pytest.mark.usefixtures("faulty")
def test_a_file_on_which_the_reader_fails_is_refused_alone():
    files = [("a", GOOD.encode()), ("b", FAULT.encode()), ("c", level1(Tanh=None).encode()), ("d", b"<html>")]
    readings = read_timings(files)
    assert readings.files.select("blob", "reason", "detail", "kept", "refused").rows() == [
        ("a", None, None, 1, 0),
        ("b", "reader_failed", "ComputeError: no such sum", 0, 0),
        ("c", None, None, 0, 1),
        ("d", "not_json", "Expecting value: line 1 column 1 (char 0)", 0, 0),
    ]
    assert readings.files["raw"][1] == FAULT[:200]
    assert readings.entries["blob"].to_list() == ["a"]


@pytest.mark.parametrize("error", [RuntimeError("lone \ud800 surrogate"), MemoryError(), RecursionError("deep")])
def test_whatever_taking_a_file_apart_raises_refuses_it(monkeypatch, error):
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("transforms.timings.reader.read_carefully", fails)
    readings = read_timings([("a", GOOD.encode()), ("b", b"{}")])
    assert readings.files["reason"].to_list() == [None, "reader_failed"]
    assert readings.files["detail"][1].startswith(f"{type(error).__name__}:")
