"""``kbw rebuild``: the database again, from what has landed."""

from __future__ import annotations

import re

import pytest

from tests.histories import one_figure, query


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def test_a_damaged_database_is_refused_in_one_line_and_rebuild_makes_it_again(kbw, home, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    home.database.chmod(0o644)
    home.database.write_bytes(b"damaged" * 10_000)
    for arguments in (["records"], ["info"], ["ingest", f"git:{history.path}", "--name", "lab/x"]):
        done = kbw(*arguments)
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*warehouse\.duckdb[^\n]*kbw rebuild[^\n]*\n", done.stderr)
    assert home.database.read_bytes() == b"damaged" * 10_000
    assert kbw("rebuild").returncode == 0
    assert query(home, "select count(*) from runs") == [(1,)]
