"""``kbw backup``: all of a home that cannot be made again, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.render import count, say, show_object


def backup_command(
    to: Annotated[
        Path,
        typer.Argument(
            metavar="TO", help="File to write, .tar.gz or .tar; in a folder, a file named after the moment (UTC)."
        ),
    ],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep landing, settings and heartbeat in one file, with their digests. The database is made again from them."""
    from flows.restoring import keep

    kept = keep(home_of(home), to.expanduser())
    if as_json:
        show_object({"path": str(kept.path), "files": kept.files, "size_bytes": kept.size_bytes})
        return
    say(f"kept {count(kept.files)} files, {count(kept.size_bytes)} bytes of them, in {kept.path}")
    say(f"to get them back: kbw restore {kept.path} --home FOLDER")
