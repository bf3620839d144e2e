"""``kbw sql``: any question, from anywhere, and nothing written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

from tests.conftest import ROOT


def test_sql_comes_from_an_argument_a_file_or_standard_input(on_sample, sample_home, tmp_path):
    (tmp_path / "question.sql").write_text("select count(*) as runs from runs")
    assert json.loads(on_sample("sql", tmp_path / "question.sql", "--json").stdout) == [{"runs": 10105}]
    piped = subprocess.run(
        [sys.executable, "-m", "flows", "sql", "-", "--json"],
        input="select count(*) as runs from runs",
        cwd=ROOT,
        env={**os.environ, "KBW_HOME": str(sample_home.root)},
        capture_output=True,
        text=True,
    )
    assert json.loads(piped.stdout) == [{"runs": 10105}]


def test_sql_cannot_write(on_sample, sample_home):
    before = sample_home.database.read_bytes()
    for statement in ("delete from runs", "create table mine as select 1 as a", "drop view records"):
        done = on_sample("sql", statement)
        assert done.returncode == 1
        assert re.fullmatch(r"kbw: [^\n]*read-only[^\n]*\n", done.stderr), done.stderr
    assert sample_home.database.read_bytes() == before


def test_a_mistake_in_sql_is_told_in_one_line(on_sample):
    done = on_sample("sql", "select nme from runs")
    assert done.returncode == 1
    assert re.fullmatch(r"kbw: Binder Error[^\n]*nme[^\n]*\n", done.stderr)
