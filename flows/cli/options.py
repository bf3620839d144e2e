"""Arguments and options that several commands share."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.asked import Format, format_asked
from flows.cli.reasons import REASONS
from flows.cli.render import count
from warehouse.home import Home

ProblemArgument = Annotated[str, typer.Argument(help="level3/28, 28_VisionTransformer or VisionTransformer.")]
HomeOption = Annotated[
    Path | None, typer.Option("--home", help="Folder of the warehouse (default: KBW_HOME).", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
HostOption = Annotated[str | None, typer.Option(help="Only this host: its folder or title.", show_default=False)]
GpuOption = Annotated[str | None, typer.Option(help="Only GPUs with this in their name.", show_default=False)]
LevelOption = Annotated[str | None, typer.Option(help="Only this level: level3, or 3.", show_default=False)]
ModeOption = Annotated[
    str | None, typer.Option(help="Only this mode: its name, its title, or eager.", show_default=False)
]
SourceOption = Annotated[
    str | None, typer.Option(help="Only this source: owner/repo, or the owner.", show_default=False)
]
FamilyOption = Annotated[str | None, typer.Option(help="Only this family: gemm, conv ...", show_default=False)]
ReasonOption = Annotated[
    str | None, typer.Option(help=f"Only with this reason of staleness: {', '.join(REASONS)}.", show_default=False)
]
AsOfOption = Annotated[
    str | None,
    typer.Option("--as-of", help="As it stood then (UTC): a day means its end, e.g. 2025-07-10.", show_default=False),
]

_ALL = 2**62


def in_help(text: str) -> str:
    """Text as it stands, for a help page, where brackets would be taken for markup and vanish."""
    return text.replace("[", r"\[")


def home_of(given: Path | None) -> Home:
    """The warehouse that a command works on."""
    return Home(given.expanduser()) if given is not None else Home.default()


def form_of(as_json: bool, as_csv: bool = False) -> Format:
    """The form that was asked for, by ``--format`` or by its short forms; more than one is wrong usage."""
    return format_asked(as_json, as_csv)


def at_most(limit: int) -> int:
    """How many rows ``--limit`` lets through; 0 means all."""
    return limit or _ALL


def how_many(shown: int, matching: int, what: str) -> str:
    """``20 of 1,345 records (--limit 0 shows all)``, or, where none is left out, ``1,345 records``."""
    if shown < matching:
        return f"{count(shown)} of {count(matching)} {what} (--limit 0 shows all)"
    return f"{count(matching)} {what.removesuffix('s') if matching == 1 else what}"


EVER = datetime(9999, 12, 31)  # noqa: DTZ001  (as tables hold moments)
"""Later than any commit: everything ever shown, whatever the clock says of its date."""


def moment(as_of: str | None) -> datetime:
    """The moment asked for, in UTC without a zone attached; now where none is. A day means its end."""
    if as_of is None:
        return datetime.now(UTC).replace(tzinfo=None)
    try:
        found = datetime.fromisoformat(as_of)
    except ValueError:
        raise typer.BadParameter(f"{as_of}: not a day or time; write 2025-07-10 or 2025-07-10T12:00:00Z") from None
    if len(as_of) == len("2025-07-10"):
        return datetime.combine(found.date(), time.max)
    return found.replace(tzinfo=None) if found.tzinfo is None else found.astimezone(UTC).replace(tzinfo=None)
