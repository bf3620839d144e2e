"""Rows for programs and papers: JSON, CSV, Markdown, LaTeX."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Sequence
from datetime import date, datetime

from flows.cli.asked import Format
from flows.cli.render import Column, Row, printable

_FORMULA = ("=", "+", "-", "@")
"""A spreadsheet computes a cell that begins so."""

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~])")
"""What Markdown, or the HTML within it, would not show as it stands."""


def print_rows(rows: Sequence[Row], columns: Sequence[Column], form: Format, fields: Sequence[str]) -> None:
    """Print rows in a form that is not for a terminal; ``fields``: the names of their members, if there are no rows."""
    if form is Format.CSV:
        _print_csv(rows, fields)
    elif form is Format.NDJSON:
        for row in rows:
            print(json_text(dict(row), indent=None))
    elif form is Format.MARKDOWN:
        print(_tabulated(rows, columns, "pipe"))
    else:
        print(_tabulated(rows, columns, "latex"))


def json_text(value: object, indent: int | None = 2) -> str:
    """A value as JSON; where standard output takes no Unicode, with JSON's own escapes."""
    takes_all = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(value, default=_plain, ensure_ascii=not takes_all, indent=indent)


def _tabulated(rows: Sequence[Row], columns: Sequence[Column], layout: str) -> str:
    """Rows as tabulate lays them out, which escapes for LaTeX and not for Markdown."""
    from tabulate import tabulate

    escaped = in_markdown if layout == "pipe" else _in_one_line
    return tabulate(
        [[escaped(column.fill(row)) for column in columns] for row in rows],
        [escaped(column.heading) for column in columns],
        tablefmt=layout,
        disable_numparse=True,
        colalign=["right" if column.right else "left" for column in columns] if rows else None,
    )


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def in_markdown(text: str) -> str:
    """Text as a cell of a markdown table shows it."""
    return _MARKDOWN.sub(r"\\\1", _in_one_line(text))


def _print_csv(rows: Sequence[Row], fields: Sequence[str]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([_csv_text(name) for name in (rows[0] if rows else fields)])
    for row in rows:
        writer.writerow([_csv_cell(value) for value in row.values()])


def _csv_cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return _csv_text(json.dumps(value, default=_plain, ensure_ascii=False))
    if isinstance(value, datetime | date):
        return _plain(value)
    return _csv_text(value) if isinstance(value, str) else value


def _csv_text(text: str) -> str:
    """Text of a CSV cell, with an apostrophe before what a spreadsheet would compute."""
    shown = printable(f"'{text}" if text.startswith(_FORMULA) else text)
    encoding = sys.stdout.encoding or "utf-8"
    return shown.encode(encoding, errors="backslashreplace").decode(encoding)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat() + "Z" if value.tzinfo is None else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
