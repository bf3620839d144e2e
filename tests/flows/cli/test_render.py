"""How answers are shown: units, markup, CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from flows.cli.render import (
    Column,
    duration,
    interval,
    memory,
    note,
    operations,
    percent,
    printable,
    ratio,
    say,
    say_long,
    three_digits,
)
from flows.cli.tables import fitted
from tests.histories import (
    figures,
    module_path,
    one_figure,
    timing_json,
    timing_path,
)

RELU = "19_ReLU.py"


@pytest.fixture
def history(tmp_path):
    return one_figure(tmp_path)


def test_csv_can_be_read_back(on_sample):
    done = on_sample("sql", "select problem, mean_ns, flags from runs order by run_id limit 3", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]) == ["problem", "mean_ns", "flags"]
    assert len(rows) == 3


def test_markup_in_names_is_shown_as_it_stands(kbw, history):
    evil = "7_<script>alert(1)</script>[bold].py"
    entry = figures(1.0, hardware="<img src=x onerror=alert(1)> [red]")
    history.commit("2025-02-01", {timing_path(): timing_json({"level1": {evil: entry}}), module_path(RELU): None})
    kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    done = kbw("sql", "select problem, hardware from runs where problem like '7%'")
    assert evil in done.stdout
    assert "[red]" in done.stdout


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (duration(1_370_000), "1.37 ms"),
        (duration(359), "359 ns"),
        (duration(30_700), "30.7 µs"),
        (duration(2_000_000_000), "2.00 s"),
        (duration(None), ""),
        (interval(1_370_000, 46_648), "1.37 ms ± 0.05"),
        (interval(1_810_000, 10_114), "1.81 ms ± 0.01"),
        (interval(1_380_000, 900), "1.38 ms ± 0.0009"),
        (memory(71_839_744), "71.8 MB"),
        (memory(6_442_450_944), "6.44 GB"),
        (memory(999), "999 bytes"),
        (operations(15.2e9), "15.2 GFLOP"),
        (operations(2.5e12), "2.5 TFLOP"),
        (ratio(1.3211), "1.32x"),
        (percent(-0.093), "-9.3%"),
        (three_digits(1234.5), "1,234"),
    ],
)
def test_figures_are_shown_in_the_unit_in_which_they_read_best(shown, expected):
    assert shown == expected


def test_an_interval_includes_what_rounding_hides(on_sample):
    """1.81 ms with 0.0101 ms of 95 % interval, written in steps of 0.01 ms: 0.0151 ms either way."""
    shown = on_sample("show", "VisionTransformer", "--host", "H100_Modal").stdout
    assert "1.81 ms ± 0.02" in shown


def test_a_narrow_terminal_shortens_first_and_then_leaves_columns_out():
    """Names of 20, 7 and 11 letters: 42 with two gaps; shortened the last has 5, without the second there are 27."""
    rows = [{"host": "h" * 20, "runs": "1", "source": "owner/bench"}]
    columns = [
        Column("host", lambda row: row["host"]),
        Column("numbers", lambda row: row["runs"], spare=1),
        Column("src", lambda row: row["source"], shorter=lambda row: row["source"].partition("/")[0]),
    ]

    def shown(width: int) -> list[tuple[str, str]]:
        return [(column.heading, column.fill(rows[0])) for column in fitted(rows, columns, width)]

    assert shown(42) == [("host", "h" * 20), ("numbers", "1"), ("src", "owner/bench")]
    assert shown(36) == [("host", "h" * 20), ("numbers", "1"), ("src", "owner")]
    assert shown(27) == [("host", "h" * 20), ("src", "owner")]
    assert shown(10) == shown(27)


HOSTILE = [
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\x9b31m",
    "a\rb",
    "a\x08b",
    "\x7f",
    "exe\u202egnp",
    "\u2066x\u2069",
    "\u200e\u200f",
    "\u2028",
    "\ufeff",
    "\U000e0041",
]


def _is_plain(shown: str) -> bool:
    return all(character == "\n" or character.isprintable() for character in shown)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_a_terminal_would_obey_is_shown_escaped_wherever_it_comes_from(kbw, on_sample, capsys, hostile):
    literal = "||".join(f"chr({ord(character)})" for character in hostile)
    query = f"select {literal} as a, [{literal}] as b, {{'c': {literal}}} as d"
    for done in (
        on_sample("sql", query),
        on_sample("sql", query, "--csv"),
        on_sample("sql", f'select 1 as "x{hostile}"'),
        on_sample("sql", f'select 1 as "x{hostile}"', "--csv"),
        on_sample("sql", f'select "none{hostile}" from runs'),
        on_sample("show", f"none{hostile}"),
    ):
        assert _is_plain(done.stdout + done.stderr)
    for show in (say, say_long, note):
        show(hostile)
    said = capsys.readouterr()
    assert _is_plain(said.out + said.err)
    assert json.loads(on_sample("sql", query, "--json").stdout)[0]["a"] == hostile


def test_an_escape_tells_which_character_it_stands_for():
    assert printable("a\x1b[0m\u202eb\nc") == r"a\x1b[0m\u202eb\nc"
    assert printable("\udcff") == r"\udcff"
    assert printable("a\nb", keep="\n") == "a\nb"


def test_names_of_other_scripts_are_shown_as_they_are():
    for name in ("Größe", "日本語", "μs ± 1", "עברית", "C:\\new"):
        assert printable(name) == name


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"])
def test_a_text_that_a_spreadsheet_would_compute_gets_an_apostrophe_and_a_number_does_not(on_sample, formula):
    quoted = formula.replace("'", "''")
    done = on_sample("sql", f"select '{quoted}' as text, -1.5 as number, -2 as whole", "--csv")
    assert list(csv.DictReader(io.StringIO(done.stdout))) == [{"text": f"'{formula}", "number": "-1.5", "whole": "-2"}]
    assert formula in on_sample("sql", f"select '{quoted}' as text").stdout
