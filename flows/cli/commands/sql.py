"""``kbw sql``: anything that can be asked of the published database in SQL."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from flows.cli.given import given_text
from flows.cli.lookup import open_reader
from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.process import signals_call
from flows.cli.prompt import prompt
from flows.cli.statements import answer


def sql_command(
    query: Annotated[
        str | None,
        typer.Argument(
            help="SQL, one statement or several; a name ending in .sql is a file; - or nothing reads standard input, "
            "on a terminal a prompt.",
            show_default=False,
        ),
    ] = None,
    unsafe: Annotated[
        bool,
        typer.Option("--unsafe", help="Allow all that DuckDB can do: read and write your files, attach, install."),
    ] = False,
    timing: Annotated[bool, typer.Option("--timing", help="Say how long each statement took.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Ask the published database anything in SQL: it is read, and nothing else."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader, signals_call(reader.interrupt):
        if not unsafe:
            reader.confine()
        if query is None and sys.stdin is not None and sys.stdin.isatty():
            prompt(reader, form, timing=timing)
        else:
            answer(reader, _query_text("-" if query is None else query), form, timing=timing)


def _query_text(query: str) -> str:
    return given_text(query) if query == "-" or query.endswith(".sql") else query
