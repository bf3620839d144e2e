"""What a person asked of the form of an answer, by options that every command takes; read wherever it is shown."""

from __future__ import annotations

from enum import Enum
from typing import Any

import click
from typer.core import TyperCommand


class Format(Enum):
    """In what form an answer is given."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    NDJSON = "ndjson"
    MARKDOWN = "markdown"
    LATEX = "latex"

    @property
    def is_json(self) -> bool:
        """Whether rows are told as objects, with one for their GPU."""
        return self in (Format.JSON, Format.NDJSON)


def keep(context: click.Context, name: str, value: Any) -> None:
    """Keep what was asked beside the command, which need not know of it."""
    if value:
        context.meta[f"kbw.{name}"] = value


def _kept(context: click.Context, option: click.Parameter, value: Any) -> None:
    keep(context, str(option.name), value)


def _option(*names: str, **settings: Any) -> click.Option:
    return click.Option(names, expose_value=False, callback=_kept, **settings)


def _shown_everywhere() -> list[click.Parameter]:
    return [
        _option("--wide", is_flag=True, help="Leave no column out and break no cell, however narrow the terminal."),
        _option("--no-pager", "no_pager", is_flag=True, help="Never hand a long answer to a pager."),
    ]


class Command(TyperCommand):
    """A command, with the options that every one has."""

    pages = False
    """Whether all that it prints is read page by page, where it is longer than the terminal."""

    def __init__(self, *arguments: Any, params: list[click.Parameter] | None = None, **settings: Any) -> None:
        super().__init__(*arguments, params=[*(params or []), *self.asked()], **settings)

    def asked(self) -> list[click.Parameter]:
        """The options that it has beside its own."""
        return _shown_everywhere()

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        from flows.cli.pager import paged

        with paged(self.pages and not ctx.meta.get("kbw.no_pager")):
            return super().invoke(ctx)


class PageCommand(Command):
    """A command that only answers: nobody waits for a line of it while it is at work."""

    pages = True


class RowsCommand(PageCommand):
    """A command that answers with rows, in any format."""

    def asked(self) -> list[click.Parameter]:
        """Also the format."""
        form = _option(
            "--format",
            "form",
            type=click.Choice([form.value for form in Format]),
            metavar="FORM",
            help=f"The form of the answer: {', '.join(form.value for form in Format)}.",
        )
        return [form, *super().asked()]


class PromptCommand(RowsCommand):
    """A command with rows that may talk with a person: only its tables are paged, each by itself."""

    pages = False


def format_asked(as_json: bool, as_csv: bool) -> Format:
    """The form that was asked for; more than one is wrong usage."""
    wanted = [form for form, given in ((Format.JSON, as_json), (Format.CSV, as_csv)) if given]
    if (named := _meta("form")) is not None:
        wanted.append(Format(named))
    if len(wanted) > 1:
        raise click.BadParameter("give one of --format, --json and --csv")
    return wanted[0] if wanted else Format.TABLE


def wide() -> bool:
    """Whether nothing is to be left out or broken."""
    return bool(_meta("wide"))


def pager_wanted() -> bool:
    """Whether a long answer may be read page by page."""
    return not _meta("no_pager")


def _meta(name: str) -> Any:
    context = click.get_current_context(silent=True)
    return context.meta.get(f"kbw.{name}") if context else None
