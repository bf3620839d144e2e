"""``kbw rebuild``: the whole database again, from what has landed."""

from __future__ import annotations

import typer

from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.outcomes import counts_by_source, note_refused, status_of
from flows.cli.progress import progress
from flows.cli.render import count, say, show_object


def rebuild_command(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Make the whole database again from what has landed."""
    from flows.sequence import Directly, rebuild

    warehouse = home_of(home)
    with progress() as listener:
        outcome = rebuild(warehouse, Directly(listener.step))
    if as_json:
        show_object(counts_by_source(outcome))
    else:
        for source, counts in counts_by_source(outcome).items():
            say(f"{source}: {count(counts['runs'])} runs, {count(counts['present'])} present")
        say(f"rebuilt {warehouse.database}")
        note_refused(outcome)
    if status := status_of(outcome):
        raise typer.Exit(status)
