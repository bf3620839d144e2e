"""How answers are shown: a table for a person, JSON or CSV for a program. Data goes to stdout, all else to stderr."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any

Row = Mapping[str, Any]

_ROWS_OF_A_FOLDED_TABLE = 500
"""Beyond these folding takes seconds."""


class Format(Enum):
    """In what form an answer is given."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True)
class Column:
    """One column of a table for people: its heading and how a row fills it."""

    heading: str
    fill: Callable[[Row], str]
    right: bool = False
    whole: bool = False  # never broken over lines


def say(text: str = "") -> None:
    """Print a line for people."""
    print(text)


def note(text: str) -> None:
    """Print a line beside the data, to stderr."""
    print(text, file=sys.stderr)


def show(rows: Sequence[Row], columns: Iterable[Column], form: Format) -> None:
    """Print rows: as a table of ``columns``, or with all their members as JSON or CSV."""
    if form is Format.JSON:
        print(json.dumps([dict(row) for row in rows], default=_plain, ensure_ascii=False, indent=2))
    elif form is Format.CSV:
        _print_csv(rows)
    else:
        _print_table(rows, list(columns))


def show_object(value: object) -> None:
    """Print one object as JSON."""
    print(json.dumps(value, default=_plain, ensure_ascii=False, indent=2))


def plain_columns(names: Iterable[str], rows: Sequence[Row]) -> list[Column]:
    """Columns that show values as they are, numbers to the right."""
    return [
        Column(name, lambda row, name=name: text(row[name]), any(_is_number(row[name]) for row in rows))  # type: ignore[misc]
        for name in names
    ]


def text(value: object) -> str:
    """A value in a table cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, list):
        return ", ".join(map(text, value))
    return str(value)


def day(value: datetime | None) -> str:
    """A date without its time."""
    return "" if value is None else value.date().isoformat()


def duration(nanoseconds: float | None) -> str:
    """A duration in the unit in which it reads best, to three significant digits."""
    if nanoseconds is None:
        return ""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{three_digits(nanoseconds / size)} {unit}"
    return f"{nanoseconds:.0f} ns"


def interval(mean_ns: float, half_ns: float) -> str:
    """``1.37 ms ± 0.05``: a mean and the half-width of its 95 % interval in the same unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0)):
        if mean_ns >= size:
            return f"{three_digits(mean_ns / size)} {unit} ± {_like(half_ns / size, mean_ns / size)}"
    return f"{mean_ns:.0f} ns"


def ratio(value: float | None) -> str:
    """``1.32x``."""
    return "" if value is None else f"{value:.2f}x"


def percent(value: float | None) -> str:
    """``+12.3%``."""
    return "" if value is None else f"{value:+.1%}"


def count(value: int) -> str:
    """A whole number with thousands apart."""
    return f"{value:,}"


def three_digits(value: float) -> str:
    """A number to three significant digits, without an exponent."""
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{decimals}f}"


def _like(half: float, mean: float) -> str:
    decimals = 2 if mean < 10 else 1 if mean < 100 else 0
    return f"{half:.{decimals}f}" if half >= 0.5 * 10**-decimals else f"{half:.1g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _print_table(rows: Sequence[Row], columns: Sequence[Column]) -> None:
    cells = [[column.fill(row) for column in columns] for row in rows]
    if sys.stdout.isatty() and len(rows) <= _ROWS_OF_A_FOLDED_TABLE:
        _print_folded(cells, columns)
    else:
        _print_wide(cells, columns)


def _print_folded(cells: Sequence[Sequence[str]], columns: Sequence[Column]) -> None:
    """For a person at a terminal: long cells are folded to its width."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(
            column.heading, justify="right" if column.right else "left", overflow="fold", no_wrap=column.whole
        )
    for row in cells:
        table.add_row(*map(escape, row))
    screen = Console(highlight=False)
    if len(cells) > screen.height:
        with screen.pager(styles=True):
            screen.print(table)
    else:
        screen.print(table)


def _print_wide(cells: Sequence[Sequence[str]], columns: Sequence[Column]) -> None:
    """For files, pipes and long lists: one line for each row, however wide, so that nothing is cut or broken."""
    from tabulate import tabulate

    table = tabulate(
        cells,
        [column.heading for column in columns],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right" if column.right else "left" for column in columns] if cells else None,
    )
    if sys.stdout.isatty():
        import pydoc

        pydoc.pager(table)
    else:
        print(table)


def _print_csv(rows: Sequence[Row]) -> None:
    if not rows:
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(rows[0].keys())
    for row in rows:
        writer.writerow([_csv_cell(value) for value in row.values()])


def _csv_cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return json.dumps(value, default=_plain, ensure_ascii=False)
    return _plain(value) if isinstance(value, datetime | date) else value


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat() + "Z" if value.tzinfo is None else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
