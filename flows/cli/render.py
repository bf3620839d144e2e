"""How answers are shown: a table for a person, JSON or CSV for a program. Data goes to stdout, all else to stderr."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import Enum
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

Row = Mapping[str, Any]

_GAP = 2
"""Between two columns."""
_NAME = 40
"""What is longer is a sentence."""
_NARROWEST = 40
"""Narrower than this a terminal is not believed."""

_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What a terminal obeys instead of showing it: controls, escapes, directions, what has no width, half characters."""

_FORMULA = ("=", "+", "-", "@")
"""A spreadsheet computes a cell that begins so."""

_ROWS_OF_A_FOLDED_TABLE = 500
"""Beyond these folding takes seconds."""


class Format(Enum):
    """In what form an answer is given."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True)
class Column:
    """One column of a table for people: its heading and how a row fills it.

    At a terminal that is too narrow ``shorter`` fills it, where there is such, and columns that are ``spare`` are left
    out, the largest number first.
    """

    heading: str
    fill: Callable[[Row], str]
    right: bool = False
    whole: bool = False  # never broken over lines
    spare: int = 0  # never left out
    shorter: Callable[[Row], str] | None = None


def printable(text: str, keep: str = "") -> str:
    r"""A text from anywhere as it may reach a terminal: ``\x1b`` for an escape, ``\u202e`` for a turn of direction.

    Characters of ``keep`` stay.
    """
    return _UNPRINTABLE.sub(lambda found: found[0] if found[0] in keep else repr(found[0])[1:-1], text)


def say(text: str = "") -> None:
    """Print a line, or several, for people."""
    print(printable(text, keep="\n"))


def say_long(text: str, indent: int = 2) -> None:
    """Print a long line for people: at a terminal it is broken between words, and what follows is indented."""
    text = printable(text, keep="\n")
    if sys.stdout.isatty():
        width = max(get_terminal_size().columns, _NARROWEST)
        text = fill(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    print(text)


def note(text: str) -> None:
    """Print a line beside the data, to stderr."""
    print(printable(text, keep="\n"), file=sys.stderr)


def show(rows: Sequence[Row], columns: Iterable[Column], form: Format) -> None:
    """Print rows: as a table of ``columns``, or with all their members as JSON or CSV."""
    if form is Format.JSON:
        show_object([dict(row) for row in rows])
    elif form is Format.CSV:
        _print_csv(rows)
    else:
        _print_table(rows, [_printable_column(column) for column in columns])


def _printable_column(column: Column) -> Column:
    fill, shorter = column.fill, column.shorter
    return replace(
        column,
        heading=printable(column.heading),
        fill=lambda row: printable(fill(row)),
        shorter=(lambda row: printable(shorter(row))) if shorter else None,
    )


def show_object(value: object) -> None:
    """Print one value as JSON; where standard output takes no Unicode, with JSON's own escapes."""
    takes_all = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, default=_plain, ensure_ascii=not takes_all, indent=2))


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
    if sys.stdout.isatty() and len(rows) <= _ROWS_OF_A_FOLDED_TABLE:
        _print_folded(rows, columns)
    else:
        _print_wide([[column.fill(row) for column in columns] for row in rows], columns)


def fitted(rows: Sequence[Row], columns: Sequence[Column], width: int) -> list[Column]:
    """The columns that a terminal has room for without breaking a word.

    Where it has not, first what can be said shorter is; then spare columns go.
    """
    found = list(columns)
    for place in reversed(range(len(found))):
        shorter = found[place].shorter
        if shorter and not _has_room(rows, found, width):
            found[place] = replace(found[place], fill=shorter)
    while not _has_room(rows, found, width):
        spare = max(found, key=lambda column: column.spare)
        if not spare.spare:
            break
        found.remove(spare)
    return found


def _has_room(rows: Sequence[Row], columns: Sequence[Column], width: int) -> bool:
    return sum(_least(rows, column) + _GAP for column in columns) - _GAP <= width


def _widths(rows: Sequence[Row], columns: Sequence[Column], width: int) -> list[int]:
    """How wide each column becomes: what is too much is taken from the widest that has any to spare."""
    found = [max(len(text) for text in _texts(rows, column)) for column in columns]
    least = [_least(rows, column) for column in columns]
    broken = [place for place, column in enumerate(columns) if not column.whole] or list(range(len(columns)))
    while sum(found) + _GAP * (len(found) - 1) > width and max(found[place] for place in broken) > 1:
        yielding = [place for place in range(len(found)) if found[place] > least[place]] or broken
        found[max(yielding, key=found.__getitem__)] -= 1
    return found


def _texts(rows: Sequence[Row], column: Column) -> list[str]:
    return [column.heading, *(column.fill(row) for row in rows)]


def _least(rows: Sequence[Row], column: Column) -> int:
    """How narrow a column may become: a name in two lines, a sentence in several, what stays whole in one."""
    cells = (column.fill(row) for row in rows)
    return max(_narrowest(column.heading), *(len(text) if column.whole else _narrowest(text) for text in cells), 0)


def _narrowest(text: str) -> int:
    words = text.split() or [""]
    longest = max(map(len, words))
    if len(text) > _NAME:
        return max(longest, _NAME // 2)
    halves = (max(len(" ".join(words[:cut])), len(" ".join(words[cut:]))) for cut in range(1, len(words)))
    return min(halves, default=longest)


def _print_folded(rows: Sequence[Row], columns: Sequence[Column]) -> None:
    """For a person at a terminal: long cells are folded to its width, between words."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    screen = Console(highlight=False)
    kept = fitted(rows, columns, screen.width)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for column, width in zip(kept, _widths(rows, kept, screen.width), strict=True):
        table.add_column(column.heading, justify="right" if column.right else "left", overflow="fold", width=width)
    for row in rows:
        table.add_row(*(escape(column.fill(row)) for column in kept))
    headings = {column.heading for column in kept}
    if left_out := [column.heading for column in columns if column.heading not in headings]:
        note(f"A wider terminal also shows: {', '.join(left_out)}")
    if len(rows) > screen.height:
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
    writer.writerow([_csv_text(name) for name in rows[0]])
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
    return printable(f"'{text}" if text.startswith(_FORMULA) else text)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat() + "Z" if value.tzinfo is None else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
