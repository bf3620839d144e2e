"""Figures over time, drawn with the characters of a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from string import ascii_lowercase
from typing import Any

from flows.cli.render import say, spelled, terminal_width, three_digits, unit_of

_HEIGHT = 10
_AXIS = 24
"""Columns that the numbers of the upright axis take, and the name of the other."""
_WIDEST = 100
_MOST = 8
"""So many lines can be told from each other."""


def print_chart(versions: Sequence[dict[str, Any]], until: datetime, several_sources: bool) -> None:
    """The means over time, a line for each host and implementation, where there is more than one moment to draw.

    Each line begins with its letter in the legend; the unit is that of the table's largest figure.
    """
    lines = _lines(versions, several_sources)
    if len({row["from_at"] for row in versions}) < 2:
        return
    import plotille

    unit, size = unit_of(max(row["mean_ns"] for rows in lines.values() for row in rows))
    figure = plotille.Figure()
    figure.width, figure.height, figure.with_colors = min(terminal_width() - _AXIS, _WIDEST), _HEIGHT, False
    figure.x_label, figure.y_label = "day", spelled(unit)
    figure.register_label_formatter(float, lambda value, chars, delta, left: three_digits(value).rjust(chars))
    figure.register_label_formatter(int, lambda value, chars, delta, left: str(value).rjust(chars))
    figure.set_y_limits(min_=0)
    for letter, rows in zip(ascii_lowercase, lines.values(), strict=False):
        for row in rows:
            mean = row["mean_ns"] / size
            figure.plot([row["from_at"], row["until_at"] or until], [mean, mean])
            figure.text([row["from_at"]], [mean], [letter])
    say(f"Mean in {unit} over time (UTC):")
    print("\n".join(spelled(line.rstrip()) for line in figure.show().splitlines()))
    for letter, name in zip(ascii_lowercase, lines, strict=False):
        say(f"  {letter}  {name}")
    if left_out := len(_lines(versions, several_sources, most=None)) - len(lines):
        say(f"The {len(lines)} fastest are drawn, {left_out} are not: --host, --gpu, --mode and --source narrow")
    say()


def _lines(
    versions: Sequence[dict[str, Any]], several_sources: bool, most: int | None = _MOST
) -> dict[str, list[dict[str, Any]]]:
    """The figures of each line by its name, the line with the fastest figure first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(versions, key=lambda row: (row["mean_ns"], row["from_at"])):
        source = f", {row['source']}" if several_sources else ""
        found.setdefault(f"{row['implementation']} on {row['host']}{source}", []).append(row)
    return dict(list(found.items())[:most])
