"""The prompt of ``kbw sql``: statements end with a semicolon, words that begin with a dot are for the prompt itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flows.cli.render import Format, note, plain_columns, say, show
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from warehouse.database import Reader

_HELP = "End a statement with ;  .tables lists what there is, .columns NAME its columns, .quit (or end of input) leaves"


def prompt(reader: Reader, form: Format, ask: Callable[[str], str] = input) -> None:
    """Read statements and answer them until the input ends."""
    try:
        import readline  # noqa: F401  (lets a person edit and recall lines)
    except ImportError:
        note("no line editing on this machine")
    note(_HELP)
    pending: list[str] = []
    while True:
        try:
            line = ask("kbw> " if not pending else "...> ")
        except (EOFError, KeyboardInterrupt):
            return
        if not pending and line.strip().startswith("."):
            if line.split()[0] in (".quit", ".exit"):
                return
            _dot(reader, line.split(), form)
            continue
        pending.append(line)
        if line.rstrip().endswith(";"):
            _run(reader, "\n".join(pending), form)
            pending = []


def _run(reader: Reader, text: str, form: Format) -> None:
    try:
        found = reader.sql(text)
    except WarehouseError as error:
        note(str(error))
        return
    rows = found.records()
    show(rows, plain_columns(found.columns, rows), form)


def _dot(reader: Reader, words: list[str], form: Format) -> None:
    if words[0] == ".tables":
        rows = reader.query("objects").records()
        show(rows, plain_columns(("name", "kind", "meaning"), rows), form)
    elif words[0] == ".columns" and len(words) == 2:
        rows = reader.query("columns", object=words[1]).records()
        show(rows, plain_columns(("name", "type", "meaning"), rows), form)
    else:
        say(_HELP)
