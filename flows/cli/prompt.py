"""The prompt of ``kbw sql``: statements end with a semicolon, words that begin with a dot are for the prompt itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flows.cli.process import interrupts_are_caught
from flows.cli.render import Format, note, plain_columns, say, show
from flows.cli.statements import answer
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from warehouse.database import Reader

_HELP = (
    "End a statement with ;  .tables lists what there is, .columns NAME its columns, .timer on|off tells how long "
    "statements take, .quit (or end of input) leaves"
)
_LEAVE = (".quit", ".exit")


def prompt(reader: Reader, form: Format, ask: Callable[[str], str] = input, *, timing: bool = False) -> None:
    """Read statements and answer them until the input ends.

    Ctrl-C drops what was begun, and leaves where nothing was.
    """
    try:
        import readline  # noqa: F401  (lets a person edit and recall lines)
    except ImportError:
        note("no line editing on this machine")
    note(_HELP)
    session = _Session(reader, form, timing)
    with interrupts_are_caught():
        while session.goes_on(ask):
            pass


class _Session:
    """What a prompt has been told: lines that wait for their semicolon, and whether to tell times."""

    def __init__(self, reader: Reader, form: Format, timing: bool) -> None:
        self.pending: list[str] = []
        self._reader = reader
        self._form = form
        self._timing = timing

    def goes_on(self, ask: Callable[[str], str]) -> bool:
        """Take one line; whether another is wanted."""
        try:
            return self.take(ask("...> " if self.pending else "kbw> ")) not in _LEAVE
        except EOFError:
            return False
        except KeyboardInterrupt:
            say()
            begun, self.pending = self.pending, []
            return bool(begun)

    def take(self, line: str) -> str:
        """Do what a line asks for, when it is whole; the word of the prompt that it begins with, if it is one."""
        if not self.pending and line.strip().startswith("."):
            return self._dot(line.split())
        self.pending.append(line)
        if line.rstrip().endswith(";"):
            try:
                answer(self._reader, "\n".join(self.pending), self._form, timing=self._timing)
            except WarehouseError as error:
                note(str(error))
            self.pending = []
        return ""

    def _dot(self, words: list[str]) -> str:
        if words == [".tables"]:
            rows = self._reader.query("objects").records()
            show(rows, plain_columns(("name", "kind", "meaning"), rows), self._form)
        elif words[0] == ".columns" and len(words) == 2:
            rows = self._reader.query("columns", object=words[1]).records()
            show(rows, plain_columns(("name", "type", "meaning"), rows), self._form)
        elif words in ([".timer", "on"], [".timer", "off"]):
            self._timing = words[1] == "on"
        elif words[0] not in _LEAVE:
            say(_HELP)
        return words[0]
