"""``kbw find DIGEST``: what a digest is."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from flows.cli.lookup import open_reader
from flows.cli.options import HomeOption, JsonOption, form_of, home_of
from flows.cli.render import Column, show
from warehouse.home import WarehouseError


def find_command(
    digest: Annotated[str, typer.Argument(help="An interoperable or native digest, or the beginning of one.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a digest is: run, workload, environment, code, blob, revision ..."""
    wanted = digest.removeprefix("sha256:").lower()
    if len(wanted) < 6 or not all(digit in "0123456789abcdef" for digit in wanted):
        raise typer.BadParameter("give at least six hex digits of a digest")
    form = form_of(as_json)
    with closing(open_reader(home_of(home))) as reader:
        rows = reader.query("find", beginning=wanted).records()
    if not rows:
        raise WarehouseError(f"{digest}: nothing in the warehouse has this digest")
    columns = (
        Column("what", lambda row: str(row["what"])),
        Column("digest", lambda row: str(row["digest"])[:19]),
        Column("of", lambda row: str(row["name"])),
        Column("source", lambda row: str(row["source"] or "")),
    )
    show(rows, columns, form)
