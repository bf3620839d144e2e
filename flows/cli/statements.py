"""Several statements of SQL, answered one after the other: what ``kbw sql`` and its prompt share."""

from __future__ import annotations

from itertools import count as counted
from time import perf_counter
from typing import TYPE_CHECKING

from flows.cli.render import Format, count, note, plain_columns, say, show

if TYPE_CHECKING:
    from warehouse.database import Reader


def answer(reader: Reader, text: str, form: Format, *, timing: bool) -> None:
    """Show what each statement answers; as data, an empty line stands between two answers.

    With ``timing``, how long each took until its last row was there.
    """
    answers = reader.each(text)
    shown = 0
    for number in counted(1):
        began = perf_counter()
        found = next(answers, None)
        spent = perf_counter() - began
        if found is None:
            return
        if found.columns:
            if shown:
                say()
            shown += 1
            rows = found.records()
            show(rows, plain_columns(found.columns, rows), form)
        said = [_rows(len(found.rows))] if found.columns and form is Format.TABLE else []
        if timing:
            said.append(f"statement {number}: {spent:.3f} s")
        if said:
            note(", ".join(said))


def _rows(number: int) -> str:
    return f"{count(number)} row{'' if number == 1 else 's'}"
