"""The version of the rules changes with what decides rows, and with nothing else."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tools.build_golden import PATH, digests
from transforms import version
from transforms.version import SCHEMA_VERSION, SQL_FOLDERS, registry_content, rules_version, statements
from warehouse import sqlfiles

GOLDEN = json.loads(PATH.read_text(encoding="utf-8"))


def test_what_code_makes_of_the_sample_is_what_this_schema_version_stands_for(sample_home):
    """A change of Python that changes a row must raise the version, or nobody's database is made again."""
    found = digests(sample_home)
    others = sorted(
        name for name in found.keys() | GOLDEN["tables"].keys() if found.get(name) != GOLDEN["tables"].get(name)
    )
    advice = "raise SCHEMA_VERSION in transforms/version.py, then run `make golden`"
    assert others == [], f"other rows than those of schema version {GOLDEN['schema_version']}: {advice}"
    assert GOLDEN["schema_version"] == SCHEMA_VERSION, "run `make golden`"


SAME = [
    ("select 1", "-- a header\n-- Grain: one.\nselect 1\n"),
    ("select a, b from t", "select\n    a,\n    b  -- the other\nfrom t"),
    ("select f(a, b);", "select f(\n    a, b\n)\n;"),
    ("select 1 from t", "select 1/* aside */from t"),
]
OTHER = [
    ("select 'a b'", "select 'a  b'"),
    ("select 'a -- b'", "select 'a'"),
    ("select 'it''s -- so'", "select 'it''s'"),
    ('select "a b"', 'select "a  b"'),
    ("select 'a', b", "select b, 'a'"),
    ("select 'a' || 'b'", "select 'b' || 'a'"),
    ("select $$a -- b$$", "select $$a$$"),
    ("select a b", "select ab"),
    ("select 1", "select 2"),
    ("select a - 1", "select a"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_comments_and_white_space_between_words_say_nothing(one, other):
    assert statements(one) == statements(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_everything_else_says_something(one, other):
    assert statements(one) != statements(other)


TOKENS = ["select", "a", "(", ")", ",", "1", "'it''s -- so'", "'  '", '"an "" odd  name"', "||", "-", "from", ";"]


@given(st.lists(st.sampled_from(TOKENS), min_size=1), st.data())
def test_what_stands_between_tokens_never_matters(tokens, data):
    between = st.sampled_from([" ", "\n", "  \n  ", " -- aside's\n", "\n--\n", " /* a\n'b */ "])
    laid_out = "".join(token + data.draw(between) for token in tokens)
    assert statements(laid_out) == statements(" ".join(tokens))


def test_every_file_that_decides_says_something():
    for folder in SQL_FOLDERS:
        for name, file in sqlfiles.folder(folder).items():
            said = statements(file.text)
            assert said.startswith(("create", "delete", "insert", "update")), name
            assert "--" not in said.partition("\0\0")[0], name


def test_an_indented_registry_says_the_same_and_another_figure_does_not():
    plain = b'{"note": "What it is.", "gpus": [{"a": 1, "b": [1, 2]}]}'
    assert registry_content(plain) == registry_content(b'{"gpus":[\n {"b": [1,2], "a": 1}\n], "note": "Other words."}')
    assert registry_content(plain) != registry_content(b'{"gpus": [{"a": 1, "b": [2, 1]}]}')


def test_a_changed_statement_registry_or_contract_is_another_version(monkeypatch):
    before = rules_version()
    assert before == rules_version()
    assert before.startswith(f"{SCHEMA_VERSION}-")
    for part in ("_sql", "_registry"):
        with monkeypatch.context() as changed:
            changed.setattr(version, part, lambda: [b"other"])
            assert rules_version() != before
    with monkeypatch.context() as changed:
        changed.setattr(version, "_contracts", lambda: b"other")
        assert rules_version() != before


def test_a_contract_is_its_columns_and_not_their_words(monkeypatch):
    from transforms.contracts import objects
    from transforms.contracts.columns import text
    from transforms.contracts.contract import contract

    def with_one(one):
        with monkeypatch.context() as changed:
            changed.setattr(objects, "OBJECTS", {"a": one})
            return rules_version()

    plain = with_one(contract("a", "table", "A. Grain: a.", text("a", "A."), key=("a",)))
    assert with_one(contract("a", "table", "Other words.", text("a", "Other words."), key=("a",))) == plain
    assert with_one(contract("a", "table", "A. Grain: a.", text("a", "A.", null=""), key=("a",))) != plain
    assert with_one(contract("a", "table", "A. Grain: a.", text("a", "A.", matches="x"), key=("a",))) != plain
    assert with_one(contract("a", "table", "A. Grain: a.", text("b", "A."), key=("b",))) != plain


def test_asking_for_it_imports_nothing_heavy():
    program = (
        "import sys\nfrom transforms.version import rules_version\nrules_version()\n"
        "heavy = {'polars', 'pandera', 'pyarrow', 'duckdb', 'requests', 'prefect'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
