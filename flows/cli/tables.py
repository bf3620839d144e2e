"""Tables for people, in the width that there is.

Where a terminal has no room, first what can be said shorter is; then spare columns go; then each row turns into a block
of lines. No word is ever broken. Elsewhere, and with ``--wide``, a row is one line, however wide.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap

from flows.cli.asked import wide
from flows.cli.render import NARROWEST, Column, Row, note, terminal_width

_GAP = 2
"""Between two columns."""
_NAME = 40
"""What is longer is a sentence."""
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def print_table(rows: Sequence[Row], columns: Sequence[Column]) -> None:
    """Print rows as a table, or, where columns do not suffice, as blocks of lines."""
    if not sys.stdout.isatty() or wide():
        print(_laid_out([[column.fill(row) for column in columns] for row in rows], columns))
        return
    width = terminal_width()
    kept = fitted(rows, columns, width)
    if not _has_room(rows, kept, width):
        print(_blocks(rows, columns, width))
        return
    widths = _widths(rows, kept, width)
    cells = [[_folded(column.fill(row), size) for column, size in zip(kept, widths, strict=True)] for row in rows]
    print(
        _laid_out(cells, [replace(one, heading=_folded(one.heading, w)) for one, w in zip(kept, widths, strict=True)])
    )
    headings = {column.heading for column in kept}
    if left_out := [column.heading for column in columns if column.heading not in headings]:
        note(f"A wider terminal, or --wide, also shows: {', '.join(left_out)}")


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
    while sum(found) + _GAP * (len(found) - 1) > width:
        yielding = [place for place in range(len(found)) if found[place] > least[place]]
        found[max(yielding, key=found.__getitem__)] -= 1
    return found


def _texts(rows: Sequence[Row], column: Column) -> list[str]:
    return [column.heading, *(column.fill(row) for row in rows)]


def _least(rows: Sequence[Row], column: Column) -> int:
    """How narrow a column may become: a name in two lines, a sentence in several, what stays whole in one."""
    cells = {column.fill(row) for row in rows}
    return max(_narrowest(column.heading), *(len(text) if column.whole else _narrowest(text) for text in cells), 0)


def _narrowest(text: str) -> int:
    words = text.split() or [""]
    longest = max(map(len, words))
    if len(text) > _NAME:
        return max(longest, _NAME // 2)
    halves = (max(len(" ".join(words[:cut])), len(" ".join(words[cut:]))) for cut in range(1, len(words)))
    return min(halves, default=longest)


def _folded(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    return "\n".join(wrap(text, width, break_long_words=False, break_on_hyphens=False))


def _laid_out(cells: Sequence[Sequence[str]], columns: Sequence[Column]) -> str:
    """Cells, of one line or several, under their headings, which are bold at a terminal."""
    bold = sys.stdout.isatty()
    lines = [[cell.split("\n") for cell in row] for row in ([column.heading for column in columns], *cells)]
    widths = [max(len(line) for row in lines for line in row[place]) for place in range(len(columns))]
    text = []
    for number, row in enumerate(lines):
        for parts in zip_longest(*row, fillvalue=""):
            placed = (
                part.rjust(width) if column.right else part.ljust(width)
                for part, width, column in zip(parts, widths, columns, strict=True)
            )
            line = (" " * _GAP).join(placed).rstrip()
            text.append(f"{_BOLD}{line}{_PLAIN}" if bold and not number else line)
    return "\n".join(text)


def _blocks(rows: Sequence[Row], columns: Sequence[Column], width: int) -> str:
    """Each row as a block of lines, a cell in each; cells without anything are left out."""
    indent = max((len(column.heading) for column in columns), default=0) + len(":") + _GAP
    return "\n\n".join(
        "\n".join(_line(column.heading, value, indent, width) for column in columns if (value := column.fill(row)))
        for row in rows
    )


def _line(heading: str, value: str, indent: int, width: int) -> str:
    start = f"{heading}:".ljust(indent)
    room = max(width - indent, NARROWEST // 2)
    lines = wrap(value, room, break_long_words=False, break_on_hyphens=False)
    return start + f"\n{' ' * indent}".join(lines)
