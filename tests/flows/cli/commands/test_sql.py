"""``kbw sql``: any question, from anywhere, and nothing written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

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


@pytest.mark.parametrize(
    "statement",
    [
        "copy (select 1) to '{folder}/out.csv'",
        "attach '{folder}/out.duckdb' as mine",
        "detach warehouse",
        "use memory; detach warehouse; attach '{database}' as again; create table again.a as select 1",
        "explain analyze copy (select 1) to '{folder}/out.csv'",
        "explain analyze detach memory",
        "prepare p as copy (select 1) to '{folder}/out.csv'; execute p",
        "export database '{folder}/out'",
        "install httpfs",
        "load '{folder}/in.csv'",
        "from read_csv('{folder}/in.csv')",
        "from '{folder}/in.csv'",
        "from glob('{folder}/*')",
        "set enable_external_access = true",
        "set lock_configuration = false",
        "set temp_directory = '{folder}/out'",
        "pragma enable_profiling = 'json'",
        "select 1; checkpoint",
    ],
)
def test_sql_reads_the_warehouse_and_nothing_else(on_sample, sample_home, tmp_path, statement):
    (tmp_path / "in.csv").write_text("a\n1\n")
    before = sample_home.database.read_bytes()
    done = on_sample("sql", statement.format(folder=tmp_path, database=sample_home.database))
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"kbw: [^\n]+\n", done.stderr), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
    assert sample_home.database.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "describe runs",
        "summarize select mean_ns from runs",
        "show tables",
        "explain select 1",
        "set variable a = 1; select getvariable('a')",
        "from leaderboard_as_of('2025-06-01')",
        "from source_health",
        "select count(*) from baselines",
    ],
)
def test_every_question_to_the_warehouse_is_answered(on_sample, statement):
    done = on_sample("sql", statement)
    assert done.returncode == 0, done.stderr


def test_whoever_asks_for_it_has_all_of_duckdb(on_sample, tmp_path):
    done = on_sample("sql", "--unsafe", f"copy (select 1 as a) to '{tmp_path}/out.csv'")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.csv").read_text() == "a\n1\n"


SEVERAL = "set variable a = 40; select getvariable('a') + 2 as answer; select 'b' as letter;"


def test_each_of_several_statements_is_answered(on_sample):
    done = on_sample("sql", SEVERAL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["answer", "42", "letter", "b"]
    assert "\n\n" in done.stdout, "an empty line between the two"
    assert done.stderr == "1 row\n1 row\n"


def test_the_answers_of_several_statements_are_documents_one_after_the_other(on_sample):
    first, second = on_sample("sql", SEVERAL, "--json").stdout.split("\n\n")
    assert (json.loads(first), json.loads(second)) == ([{"answer": 42}], [{"letter": "b"}])
    assert on_sample("sql", SEVERAL, "--csv").stdout == "answer\n42\n\nletter\nb\n"


def test_what_was_answered_before_a_mistake_is_shown(on_sample):
    done = on_sample("sql", "select 1 as one; select nonsense; select 3 as three", "--csv")
    assert (done.returncode, done.stdout) == (1, "one\n1\n")
    assert re.fullmatch(r"kbw: Binder Error[^\n]*nonsense[^\n]*\n", done.stderr)


def test_timing_is_told_of_each_statement(on_sample):
    done = on_sample("sql", SEVERAL, "--timing", "--csv")
    assert re.fullmatch(r"(statement [123]: \d+\.\d{3} s\n){3}", done.stderr), done.stderr
    assert on_sample("sql", "select 1", "--csv").stderr == ""


@pytest.mark.parametrize("statement", ["", "  ", ";", "/* nothing */"])
def test_no_sql_is_told_in_one_line(on_sample, statement):
    done = on_sample("sql", statement)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"kbw: there is no SQL [^\n]+\n", done.stderr), done.stderr
