"""``kbw restore``: a home again, from what ``kbw backup`` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.outcomes import counts_by_source, note_refused, status_of
from flows.cli.progress import progress
from flows.cli.render import count, note, say, show_object


def restore_command(
    archive: Annotated[Path, typer.Argument(metavar="FROM", help="What `kbw backup` wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Also over a home that holds something, which is kept aside.")
    ] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare every digest of a backup, make its database, and only then let it take the home's place."""
    from flows.restoring import restore
    from flows.sequence import Directly

    warehouse = home_of(home)
    with progress() as listener:
        done = restore(warehouse, archive.expanduser(), Directly(listener.step), replace=replace)
    if as_json:
        show_object({"aside": str(done.aside) if done.aside else None, "sources": counts_by_source(done.outcome)})
    else:
        for source, counts in counts_by_source(done.outcome).items():
            say(f"{source}: {count(counts['runs'])} runs, {count(counts['present'])} present")
        say(f"restored {warehouse.root}")
        note_refused(done.outcome)
        if done.aside is not None:
            note(f"what was there before is kept in {done.aside}; remove it when you have seen that all is well")
    if status := status_of(done.outcome):
        raise typer.Exit(status)
