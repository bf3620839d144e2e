"""``kbw check``: what keeps its promises passes, what does not is told."""

from __future__ import annotations

import json
import shutil
from contextlib import closing

import pytest

from tests.histories import one_figure
from warehouse.database import Reader

FIRST_BLOCK, BLOCK = 3 * 4096, 262_144
"""Where DuckDB's blocks begin in its file, and their size."""


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def test_check_passes_on_the_sample_and_ends_with_3_when_something_is_found(kbw, home, history):
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert kbw("check").returncode == 0
    home.database.chmod(0o644)
    import duckdb

    with duckdb.connect(str(home.database)) as client:
        client.execute("delete from presence")
    done = kbw("check")
    assert done.returncode == 3
    assert "FAIL presence_is_whole: 1 bad rows" in done.stdout
    assert json.loads(kbw("check", "--json").stdout)["presence_is_whole"]


@pytest.mark.parametrize(
    ("table", "column"), [("runs", "mean_ns"), ("runs", "run_id"), ("presence", "run_id"), ("runs", "problem")]
)
@pytest.mark.parametrize("place", [8, 5_000, BLOCK - 1])
def test_one_bit_that_flipped_in_a_table_is_found(kbw, sample_home, home, table, column, place):
    home.root.mkdir(parents=True, exist_ok=True)
    shutil.copy(sample_home.database, home.database)
    home.database.chmod(0o644)
    with closing(Reader(home.database)) as reader:
        assert reader.unreadable() == []
        (block,) = reader.sql(
            f"select max(block_id) from pragma_storage_info('{table}') where column_name = '{column}' and persistent"
        ).rows[0]
    with home.database.open("r+b") as file:
        file.seek(FIRST_BLOCK + block * BLOCK + place)
        byte = file.read(1)[0]
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    done = kbw("check")
    assert done.returncode == 3, done.stderr
    assert "FAIL tables_can_be_read" in done.stdout
    assert table in json.dumps(json.loads(kbw("check", "--json").stdout)["tables_can_be_read"])
