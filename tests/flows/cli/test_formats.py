"""``--format``: the same rows for people, programs and papers."""

from __future__ import annotations

import csv
import io
import json

import pytest

from flows.cli.formats import print_rows
from flows.cli.render import Column, Format

ROWS = {
    "records": ("--limit", "3"),
    "stale": ("--limit", "3"),
    "coverage": ("--gaps", "--limit", "3"),
    "show": ("ReLU",),
    "history": ("ReLU",),
    "diff": ("7dd9cfa0", "88df56b9", "--gpu", "T4"),
    "find": ("386c33f936e3",),
    "info": (),
    "sources": (),
    "sql": ("select problem, mean_ns from runs order by run_id limit 3",),
}
NOTHING = {
    "records": ("nonesuch",),
    "stale": ("--host", "T4_modal", "--severity", "error"),
    "coverage": ("--gaps", "--family", "attention", "--level", "level3"),
    "history": ("ReLU", "--as-of", "2020-01-01"),
    "diff": ("88df56b9", "88df56b9"),
    "sql": ("select problem, mean_ns from runs where false",),
}


@pytest.mark.parametrize("command", ROWS)
def test_every_command_that_prints_rows_prints_them_in_every_format(on_sample, command):
    told = {form: on_sample(command, *ROWS[command], "--format", form.value) for form in Format}
    assert {done.returncode for done in told.values()} == {0}
    lines = {form: done.stdout.splitlines() for form, done in told.items()}
    rows = list(csv.DictReader(io.StringIO(told[Format.CSV].stdout)))
    assert len(rows) == len(lines[Format.NDJSON]) == len(lines[Format.MARKDOWN]) - 2 > 0
    assert all(isinstance(json.loads(line), dict) for line in lines[Format.NDJSON])
    json.loads(told[Format.JSON].stdout)
    assert {line[0] + line[-1] for line in lines[Format.MARKDOWN]} == {"||"}
    assert lines[Format.LATEX][0].startswith(r"\begin{tabular}") and lines[Format.LATEX][-1] == r"\end{tabular}"
    assert len([line for line in lines[Format.LATEX] if line.endswith(r"\\")]) == len(rows) + 1


@pytest.mark.parametrize("command", [name for name in ROWS if name != "show"])
def test_the_short_forms_are_two_of_the_formats_and_two_at_once_are_wrong(on_sample, command):
    full = on_sample(command, *ROWS[command], "--format", "json").stdout
    assert on_sample(command, *ROWS[command], "--json").stdout == full
    assert on_sample(command, *ROWS[command], "--json", "--format", "csv").returncode == 2
    assert on_sample(command, *ROWS[command], "--format", "xml").returncode == 2


@pytest.mark.parametrize("command", NOTHING)
def test_a_csv_without_rows_has_its_head(on_sample, command):
    """The head is that of the same answer with rows."""
    empty = on_sample(command, *NOTHING[command], "--format", "csv")
    assert empty.returncode == 0, empty.stderr
    assert empty.stdout.count("\n") == 1
    assert empty.stdout == on_sample(command, *ROWS[command], "--format", "csv").stdout.splitlines(keepends=True)[0]
    assert on_sample(command, *NOTHING[command], "--format", "ndjson").stdout == ""


def test_what_markdown_and_latex_would_not_show_as_it_stands_is_escaped(capsys):
    rows = [{"name": "a|b_c*<d>\\`e`[f]\n&%$#{}~^"}]
    columns = [Column("50 %_|", lambda row: row["name"])]
    print_rows(rows, columns, Format.MARKDOWN, [])
    markdown = capsys.readouterr().out.splitlines()
    assert markdown[0].startswith(r"| 50 %\_\|")
    assert markdown[2].startswith(r"| a\|b\_c\*\<d\>\\\`e\`\[f\] &%$#{}\~^ ")
    print_rows(rows, columns, Format.LATEX, [])
    latex = capsys.readouterr().out.splitlines()
    assert r"50 \%\_|" in latex[2]
    for escaped in (r"b\_c", r"\&\%\$\#\{\}", r"\ensuremath{<}d\ensuremath{>}", r"\textbackslash{}", r"\^{}"):
        assert escaped in latex[4], latex[4]


def test_markdown_and_latex_have_the_units_of_the_table(on_sample):
    for form in ("markdown", "latex", "table"):
        done = on_sample("records", "28_VisionTransformer", "--host", "H100_Modal", "--format", form)
        assert "1.37 ms ± 0.05" in done.stdout and "1.32x" in done.stdout
