"""``kbw export``: the published database as a snapshot of Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.render import say, show_object


def export_command(
    to: Annotated[Path, typer.Option("--to", help="Folder to write; one that an export made is replaced.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a snapshot: one Parquet file per table and view, checksums, licence notice."""
    from warehouse.snapshot import export

    to = to.expanduser()
    written = export(home_of(home).database, to)
    if as_json:
        show_object({"to": to, "files": written})
    else:
        say(f"{to}: {len(written)} files; check them with `cd {to} && sha256sum -c SHA256SUMS`")
