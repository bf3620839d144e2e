"""``kbw docs``: the manual, which comes with the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.filters import Known
from flows.cli.render import Column, Format, printable, show

_BESIDE = Path(__file__).resolve().parents[2]
_PLACES = (_BESIDE / "manual", _BESIDE.parent / "docs")
"""In an installed package, and in a checkout."""


def docs_command(
    topic: Annotated[
        str | None, typer.Argument(help="The page; without it, which there are.", show_default=False)
    ] = None,
) -> None:
    """A page of the manual; without a topic, which pages there are."""
    pages = _pages()
    if topic is None:
        rows = [{"topic": name, "about": _title(page)} for name, page in pages.items()]
        columns = (Column("topic", lambda row: str(row["topic"])), Column("about", lambda row: str(row["about"])))
        show(rows, columns, Format.TABLE)
        return
    _print_page(pages[Known("topic", dict.fromkeys(pages, ())).meant(topic.removesuffix(".md"))])


def _pages() -> dict[str, Path]:
    """The pages by their topics."""
    place = next(place for place in _PLACES if place.is_dir())
    return {page.stem: page for page in sorted(place.glob("*.md"))}


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def _print_page(page: Path) -> None:
    """As it is written; at a terminal, set."""
    text = page.read_text(encoding="utf-8")
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(printable(text, keep="\n"), hyperlinks=False))
