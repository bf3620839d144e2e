"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.render import Form
from warehouse.home import Home

HomeOption = Annotated[
    Path | None, typer.Option("--home", help="Folder of the warehouse (default: KBW_HOME).", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print CSV.")]


def home_of(given: Path | None) -> Home:
    """The warehouse that a command works on."""
    return Home(given) if given is not None else Home.default()


def form_of(as_json: bool, as_csv: bool) -> Form:
    """The form that was asked for; both at once is wrong usage."""
    if as_json and as_csv:
        raise typer.BadParameter("give --json or --csv, not both")
    return Form.JSON if as_json else Form.CSV if as_csv else Form.TABLE
