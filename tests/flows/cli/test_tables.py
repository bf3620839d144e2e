"""Tables at terminals of every width, and long answers read page by page."""

from __future__ import annotations

import re
import sys

import pytest

from flows.cli.reasons import REASONS
from tests.flows.cli.terminals import seen

ASKED = (
    ("records", "--limit", "5"),
    ("records", "--limit", "5", "--sort", "date"),
    ("stale", "--limit", "5"),
    ("coverage", "--gpu", "H100"),
    ("coverage", "--gaps", "--limit", "5"),
    ("show", "VisionTransformer"),
    ("history", "ReLU", "--host", "T4_modal"),
    ("diff", "7dd9cfa0", "88df56b9", "--level", "3", "--limit", "5"),
    ("info",),
    ("sources",),
    ("find", "386c33f936e3"),
)


@pytest.mark.parametrize("columns", [80, 132])
@pytest.mark.parametrize("arguments", ASKED, ids=lambda arguments: " ".join(arguments))
def test_no_table_is_wider_than_the_terminal_and_no_word_is_broken(sample_home, arguments, columns):
    """What is whole at 300 columns is whole at fewer; only addresses and digests, which are one word, may be longer."""
    narrow = seen(*arguments, columns=columns, KBW_HOME=str(sample_home.root))
    assert narrow.status == 0
    long = [line for line in narrow.text.splitlines() if len(line) > columns]
    assert [line for line in long if not re.search(r"\S{40,}", line)] == []
    whole = set(re.findall(r"[A-Za-z]\w+", seen(*arguments, columns=300, KBW_HOME=str(sample_home.root)).text))
    alone = {"A", "wider", "terminal", "or", "wide", "also", "shows", *REASONS}
    assert set(re.findall(r"[A-Za-z]\w+", narrow.text)) - whole - alone == set()


def test_rows_turn_vertical_where_no_column_can_be_left_out(sample_home):
    query = f"select '{'a' * 40}' as first, '{'b' * 40}' as second, 7 as third"
    shown = seen("sql", query, columns=80, KBW_HOME=str(sample_home.root)).text
    assert f"first:   {'a' * 40}\nsecond:  {'b' * 40}\nthird:   7\n" in shown
    shown = seen("sql", query, columns=100, KBW_HOME=str(sample_home.root)).text
    assert re.search(rf"^{'a' * 40}  {'b' * 40}\s+7$", shown, re.MULTILINE)


def test_wide_leaves_nothing_out_and_breaks_nothing(sample_home):
    narrow = seen("records", "--limit", "5", columns=90, KBW_HOME=str(sample_home.root)).text
    assert "A wider terminal, or --wide, also shows: " in narrow
    wide = seen("records", "--limit", "5", "--wide", columns=80, KBW_HOME=str(sample_home.root)).text
    assert "also shows" not in wide
    assert re.search(r"^problem +host +GPU +held by +mean.* reasons$", wide, re.MULTILINE)


@pytest.fixture
def marked(tmp_path):
    """A pager that says that it was at work, and how LESS is set."""
    program = tmp_path / "pager.py"
    program.write_text(
        "import os, sys\nprint('PAGED', os.environ.get('LESS'))\nsys.stdout.write(sys.stdin.read())\nprint('END')\n"
    )
    return f"{sys.executable} {program}"


def test_what_is_longer_than_the_terminal_goes_through_the_pager_with_all_that_is_said(sample_home, marked):
    home = {"KBW_HOME": str(sample_home.root)}
    long = seen("records", lines=20, PAGER=marked, **home).text
    assert long.startswith("PAGED FRX\n")
    assert "docs" in long.partition("END")[0]
    assert "PAGED" not in seen("records", "--limit", "1", PAGER=marked, **home).text
    assert "PAGED -S" in seen("records", lines=20, PAGER=marked, LESS="-S", **home).text
    assert "PAGED FRX" in seen("records", lines=20, PAGER="false", KBW_PAGER=marked, **home).text
    for arguments in (("records", "--no-pager"), ("--no-pager", "records")):
        assert "PAGED" not in seen(*arguments, lines=20, PAGER=marked, **home).text
    assert "PAGED FRX" in seen("sql", "from revisions", lines=10, PAGER=marked, **home).text


def test_without_a_pager_or_with_one_that_ends_early_nothing_is_lost_or_reported(sample_home):
    home = {"KBW_HOME": str(sample_home.root)}
    for pager in ("no-such-pager", "cat", ""):
        done = seen("records", lines=20, PAGER=pager, **home)
        assert (done.status, "level" in done.text) == (0, True)
    done = seen("stale", "--limit", "0", lines=20, PAGER="true", **home)
    assert (done.status, "Error" in done.text) == (0, False)


def test_the_status_of_a_command_is_its_own_whatever_shows_its_answer(sample_home, marked):
    done = seen("stale", "--fail", lines=10, PAGER=marked, KBW_HOME=str(sample_home.root))
    assert (done.status, "PAGED" in done.text) == (3, True)


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}])
def test_where_a_terminal_takes_ascii_alone_tables_and_charts_are_ascii(sample_home, environment):
    for arguments in (("records",), ("history", "ReLU", "--host", "T4_modal"), ("records", "--help"), ("show", "ReLU")):
        shown = seen(*arguments, KBW_HOME=str(sample_home.root), **environment).text
        assert shown.isascii(), {sign for sign in shown if not sign.isascii()}
        assert "\\x" not in shown and "\\u" not in shown
    asked = ("history", "ReLU", "--host", "T4_modal")
    shown = seen(*asked, columns=132, KBW_HOME=str(sample_home.root), **environment).text
    assert "31.7 us +/- 1.3" in shown and "Mean in us over time" in shown and "a****" in shown


def test_a_chart_has_a_legend_axis_names_and_the_unit_of_the_table(sample_home):
    shown = seen("history", "ReLU", "--host", "T4_modal", KBW_HOME=str(sample_home.root)).text
    chart = shown.partition("Mean in µs over time (UTC):")[2]
    assert "31.7 µs" in shown and "(µs)" in chart and "(day)" in chart
    assert "  a  PyTorch eager on T4_modal\n  b  torch.compile (inductor) on T4_modal\n" in chart
    assert re.search(r"\| \W*a[\u2801-\u28ff]+", chart) and re.search(r"\| \W*b[\u2801-\u28ff]+", chart)
