"""What holds for any file at all."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.transforms.timings.texts import FIGURES
from transforms.timings.document import without_mark
from transforms.timings.reader import ENTRIES, FILES, REFUSALS, TimingReadings, read_timings
from transforms.timings.typed import read_typed

unhurried = settings(deadline=None)
"""The first reading of a process is slower than the others, which is no failure."""

text = st.text(st.characters(codec=None), max_size=6)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | text
anything: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
durations = st.floats(0.001, 1000).map(lambda x: float(f"{x:.3g}")) | st.sampled_from([1.37, 1, 3.1, 0.0, -0.0])
hardware = st.sampled_from(["NVIDIA L4", "a:b", "é", "", 'q"\\', "x\u0001"])

measured = st.fixed_dictionaries(
    dict.fromkeys(("mean", "std", "min", "max"), durations) | {"num_trials": st.integers(-1, 2**63 - 1)},
    optional={"hardware": hardware, "device": hardware},
)
odd = st.fixed_dictionaries({}, optional=dict.fromkeys((*FIGURES, "error", "status", "x"), scalars))
keys = st.sampled_from(["19_ReLU.py", "x/19_ReLU.py", "level1/2_b.py", "level2/2_b.py", "2_b.py", "Tanh", "1_é:.py"])
levels = st.sampled_from(["level1", "level2", "level_é", "level:"])
well_formed = st.dictionaries(levels, st.dictionaries(keys, st.none() | measured), min_size=1)
untidy = st.dictionaries(
    levels | text, st.dictionaries(keys | text, st.none() | measured | odd | anything) | anything, min_size=1
)


@st.composite
def json_texts(draw: st.DrawFn) -> bytes:
    """Files of entries, tidy or not, as they may be written."""
    document = draw(well_formed | untidy | anything)
    written = json.dumps(document, indent=draw(st.sampled_from([None, 4])), ensure_ascii=draw(st.booleans()))
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + written.encode("utf-8", "surrogatepass")


def assert_accounts_for_everything(readings: TimingReadings, files: int) -> None:
    assert (readings.entries.schema, readings.refusals.schema, readings.files.schema) == (
        ENTRIES,
        REFUSALS,
        FILES,
    )
    assert readings.files.height == files
    read = readings.files
    assert (read["entries"] == read["kept"] + read["refused"]).all()
    assert (read["kept"].sum(), read["refused"].sum()) == (readings.entries.height, readings.refusals.height)
    assert readings.refusals.select("reason", "detail", "raw").null_count().row(0) == (0, 0, 0)
    assert readings.entries.select("problem", "source_metrics", "rounding", "flags").null_count().row(0) == (0,) * 4


def assert_same(one: TimingReadings, other: TimingReadings) -> None:
    for name in ("entries", "refusals", "files"):
        assert_frame_equal(getattr(one, name), getattr(other, name), check_exact=True)


@unhurried
@given(st.lists(st.binary() | st.text().map(str.encode), max_size=3))
@example([b'{"level1": {"1_a.py": {"mean": ' + b"[" * 90, b"{}", b"\xef\xbb\xbf\xef\xbb\xbf{}"])
@example([b'"' + b'\\"' * 200 + b"[" * 200])
def test_any_bytes_give_each_file_one_row(contents):
    files = [(str(i), data) for i, data in enumerate(contents)]
    assert_accounts_for_everything(read_timings(files), len(files))


@unhurried
@given(st.lists(json_texts(), max_size=3))
def test_every_entry_is_kept_or_refused_whichever_way_it_is_read(contents):
    files = [(str(i), data) for i, data in enumerate(contents)]
    readings = read_timings(files)
    assert_accounts_for_everything(readings, len(files))
    assert_same(readings, read_timings(files, carefully=True))


@unhurried
@given(json_texts(), st.data())
def test_a_file_that_lost_or_gained_a_piece_is_read_alike_both_ways(written, data):
    start = data.draw(st.integers(0, len(written)))
    stop = data.draw(st.integers(start, min(len(written), start + 20)))
    middle = data.draw(
        st.sampled_from([b"", written[start:stop] * 2, b'"mean": 1,', b" :", b"\\u003a", b"1e999", b"\xff"])
    )
    files = [("b", written[:start] + middle + written[stop:])]
    assert_same(read_timings(files), read_timings(files, carefully=True))


@unhurried
@given(well_formed)
def test_a_well_formed_file_takes_the_fast_way_and_agrees_with_the_careful_one(document):
    written = json.dumps(document, ensure_ascii=False).encode()
    if b"\\" not in written:
        assert read_typed(0, without_mark(written)) is not None
    assert_same(read_timings([("b", written)]), read_timings([("b", written)], carefully=True))


@pytest.mark.parametrize("change", ['"mean": 2, ', '"device": "cpu", ', '"hardware": null, ', '"x": 1, '])
def test_a_key_too_many_is_never_read_the_fast_way(change):
    entry = json.dumps(FIGURES)
    written = f'{{"level1": {{"1_a.py": {entry}, "2_b.py": {entry.replace("{", "{" + change)}}}}}'.encode()
    assert read_typed(0, written) is None
    assert read_typed(0, written.replace(change.encode(), b"")) is not None
