"""How answers are shown: a table for a person, JSON or CSV for a program. Data goes to stdout, all else to stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, TextIO

from flows.cli.asked import Format as Format  # noqa: PLC0414  (so it is exported)
from flows.cli.pager import is_held, paged

Row = Mapping[str, Any]

NARROWEST = 40
"""Narrower than this a terminal is not believed."""

_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What a terminal obeys instead of showing it: controls, escapes, directions, what has no width, half characters."""


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


ASCII = {
    "±": "+/-",
    "µ": "u",
    "·": "-",
    "…": "...",
    "\u2800": " ",
    **{chr(0x2800 + dots): "*" for dots in range(1, 256)},
}
"""How signs are written where they are not known; a sign of dots, of which charts are made, is a star."""


def spelled(text: str) -> str:
    """A text in the signs that standard output knows: ``+/-`` for ``±``."""
    if text.isascii() or (sys.stdout.encoding or "utf-8").lower().startswith("utf"):
        return text
    return "".join(ASCII.get(sign, sign) if not _is_known(sign) else sign for sign in text)


def _is_known(sign: str) -> bool:
    try:
        sign.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def say(text: str = "") -> None:
    """Print a line, or several, for people."""
    _print_long(text, sys.stdout)


def say_long(text: str, indent: int = 2) -> None:
    """Print a long line for people: where it is broken, what follows is indented."""
    _print_long(text, sys.stdout, indent)


def note(text: str) -> None:
    """Print a line beside the data, to stderr; where a pager shows the data, with them."""
    _print_long(text, sys.stdout if is_held() and sys.stderr.isatty() else sys.stderr)


def _print_long(text: str, stream: TextIO, indent: int | None = None) -> None:
    """Print lines; at a terminal they are broken between words, and what follows is indented, by default a bit more."""
    lines = spelled(printable(text, keep="\n")).split("\n")
    width = terminal_width()
    if stream.isatty():
        lines = [line if len(line) <= width else _broken(line, width, indent) for line in lines]
    print("\n".join(lines), file=stream)


def _broken(line: str, width: int, indent: int | None) -> str:
    after = " " * (len(line) - len(line.lstrip()) + 2 if indent is None else indent)
    return fill(line, width, subsequent_indent=after, break_long_words=False, break_on_hyphens=False)


def terminal_width() -> int:
    """How many columns a terminal has."""
    return max(get_terminal_size().columns, NARROWEST)


def show(rows: Sequence[Row], columns: Iterable[Column], form: Format, fields: Sequence[str] = ()) -> None:
    """Print rows: as a table of ``columns``, also in Markdown or LaTeX, or with all their members as JSON or CSV.

    ``fields`` are the names of the members, for the head of a CSV without rows; without them, the headings.
    """
    from flows.cli.formats import print_rows
    from flows.cli.tables import print_table

    shown = [_printable_column(column) for column in columns]
    with paged():
        if form is Format.JSON:
            show_object([dict(row) for row in rows])
        elif form is Format.TABLE:
            print_table(rows, shown)
        else:
            print_rows(rows, shown, form, fields or [column.heading for column in shown])


def _printable_column(column: Column) -> Column:
    fill, shorter = column.fill, column.shorter
    return replace(
        column,
        heading=spelled(printable(column.heading)),
        fill=lambda row: spelled(printable(fill(row))),
        shorter=(lambda row: spelled(printable(shorter(row)))) if shorter else None,
    )


def show_object(value: object) -> None:
    """Print one value as JSON."""
    from flows.cli.formats import json_text

    print(json_text(value))


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
    unit, size = unit_of(nanoseconds)
    return f"{nanoseconds:.0f} ns" if unit == "ns" else f"{three_digits(nanoseconds / size)} {unit}"


def unit_of(nanoseconds: float) -> tuple[str, float]:
    """The unit in which a duration reads best, and how many nanoseconds it is."""
    return next(((unit, size) for unit, size in _UNITS if nanoseconds >= size), _UNITS[-1])


_UNITS = (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0))


def interval(mean_ns: float, half_ns: float) -> str:
    """``1.37 ms ± 0.05``: a mean and the half-width of its interval in the same unit."""
    unit, size = unit_of(mean_ns)
    return f"{three_digits(mean_ns / size)} {unit} ± {_like(half_ns / size, mean_ns / size)}"


def ratio(value: float | None) -> str:
    """``1.32x``."""
    return "" if value is None else f"{value:.2f}x"


def percent(value: float | None) -> str:
    """``+12.3%``."""
    return "" if value is None else f"{value:+.1%}"


def count(value: int) -> str:
    """A whole number with thousands apart."""
    return f"{value:,}"


def memory(size: float) -> str:
    """``6.4 GB``: bytes in the unit in which they read best, of powers of a thousand as makers and disks count them."""
    for unit, one in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= one:
            return f"{size / one:,.3g} {unit}" if size < 1e3 * one else f"{size / one:,.0f} {unit}"
    return f"{size:.0f} bytes"


def operations(number: float) -> str:
    """``15.2 GFLOP``, ``1.2 TFLOP``."""
    return f"{number / 1e12:,.3g} TFLOP" if number >= 1e12 else f"{number / 1e9:,.3g} GFLOP"


def three_digits(value: float) -> str:
    """A number to three significant digits, without an exponent."""
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{decimals}f}"


def _like(half: float, mean: float) -> str:
    decimals = 2 if mean < 10 else 1 if mean < 100 else 0
    return f"{half:.{decimals}f}" if half >= 0.5 * 10**-decimals else f"{half:.1g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
