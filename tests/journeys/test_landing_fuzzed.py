"""Whatever becomes of files of landing: nothing wrong is published, nothing crashes, a good ingest repairs all of it.

A journey is an ingest, two rebuilds and their checks, a second or so where the store by itself takes milliseconds; so
it is tried with a fifteenth of the examples.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flows.sequence import Directly, Outcome, ingest, rebuild
from flows.sources.git import GitSource
from flows.sources.interface import SourceError
from tests.fuzz.mutations import EXAMPLES, fuzzed
from tests.histories import LAB, GitHistory, module, module_path, stored_tables, timing_path, timings
from warehouse.home import Home, WarehouseError
from warehouse.landing import Landing
from warehouse.landing.audit import audit, set_findings_aside

SHAPES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b"[[[[",
    b'{"sha256":"' + b"0" * 64 + b'"}\n{}',
    b"\0" * 100,
    b"\xff\xfe",
    b"[" * 9999,
]


@pytest.fixture(scope="module")
def history(tmp_path_factory) -> GitHistory:
    made = GitHistory(tmp_path_factory.mktemp("fuzzed") / "repository")
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), module_path("19_ReLU.py"): module("ReLU")})
    made.commit("2025-01-02", {timing_path(): timings(n19_ReLU=1.25), "requirements.txt": "torch==2.9.0\n"})
    made.commit("2025-01-03", {timing_path("A100_lab"): timings(n19_ReLU=3.0)})
    return made


@pytest.fixture(scope="module")
def undamaged(history, tmp_path_factory) -> Home:
    home = Home(tmp_path_factory.mktemp("undamaged") / "home")
    bring(home, history)
    return home


@pytest.fixture(scope="module")
def tables(undamaged) -> dict[str, list[tuple]]:
    return stored_tables(undamaged)


def bring(home: Home, history: GitHistory) -> Outcome:
    with closing(GitSource(str(history.path), None, LAB)) as source:
        return ingest(home, source, Directly())


def files_of(home: Home) -> list[Path]:
    return sorted(path for path in home.landing.rglob("*") if path.is_file() and "damaged" not in path.parts)


def flip(draw, home: Home, path: Path) -> None:
    data = bytearray(path.read_bytes() or b"\0")
    for place in draw(st.lists(st.integers(0, len(data) * 8 - 1), min_size=1, max_size=4)):
        data[place // 8] ^= 1 << place % 8
    path.write_bytes(data)


def cut(draw, home: Home, path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: draw(st.integers(0, len(data)))])


def prolong(draw, home: Home, path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data + draw(st.sampled_from([b"\0", b"\n", b"{}", data[:80]])))


def write_another_shape(draw, home: Home, path: Path) -> None:
    path.write_bytes(draw(st.sampled_from(SHAPES)))


def swap(draw, home: Home, path: Path) -> None:
    other, data = draw(st.sampled_from(files_of(home))), path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(data)


def copy(draw, home: Home, path: Path) -> None:
    path.write_bytes(draw(st.sampled_from(files_of(home))).read_bytes())


def lose(draw, home: Home, path: Path) -> None:
    path.unlink()


def make_a_folder(draw, home: Home, path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_a_link(draw, home: Home, path: Path) -> None:
    path.unlink()
    path.symlink_to(draw(st.sampled_from(["nowhere", path.name, "..", "/dev/null"])))


DAMAGES = [flip, cut, prolong, write_another_shape, swap, copy, lose, make_a_folder, make_a_link]
"""What a disk, a person or a program does to a file, or to two."""


def damage(draw, home: Home) -> None:
    draw(st.sampled_from(DAMAGES))(draw, home, draw(st.sampled_from(files_of(home))))


def reads(home: Home) -> set[str]:
    """All that can be read of landing, as it is read; what cannot be raises LandingDamaged.

    Without the log of ingests: that a record of it is lost nothing tells, and nothing hangs on it.
    """
    landing, said = Landing(home.landing), set()
    for lineage in landing.lineages():
        for commit in lineage.commits:
            try:
                tree = landing.tree(lineage.source, commit)
                said |= {f"{blob} {data!r}" for blob, data, _ in landing.read(sorted(tree.files.values()))}
            except WarehouseError:
                continue
            said.add(repr(tree))
        said.add(repr(lineage))
    return said


@settings(fuzzed, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_read_of_a_damaged_landing_is_what_was_kept_or_is_told(data, undamaged):
    whole = reads(undamaged)
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        shutil.copytree(undamaged.landing, home.landing)
        for _ in range(data.draw(st.integers(1, 3))):
            damage(data.draw, home)
        read = reads(home)
        assert read <= whole
        assert set(Landing(home.landing).ingests()) <= set(Landing(undamaged.landing).ingests())
        if read != whole:
            assert audit(home.landing).findings


@settings(fuzzed, max_examples=EXAMPLES // 15, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_good_ingest_repairs_whatever_became_of_landing(data, undamaged, history, tables):
    with TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        shutil.copytree(undamaged.root, home.root, copy_function=shutil.copy2)
        for _ in range(data.draw(st.integers(1, 3))):
            damage(data.draw, home)
        seen = bool(audit(home.landing).findings)
        try:
            rebuild(home, Directly())
        except (WarehouseError, SourceError):
            assert seen
        else:
            assert seen or stored_tables(home) == tables
        set_findings_aside(home.landing, audit(home.landing))
        bring(home, history)
        assert audit(home.landing).findings == []
        rebuild(home, Directly())
        assert stored_tables(home) == tables
