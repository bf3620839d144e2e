"""``kbw score``: what a speed-up is worth: the right baseline, how sure it is, and whether another would change it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.baselines import lock_in, wish_of
from flows.cli.exits import FOUND_SOMETHING
from flows.cli.given import given_text
from flows.cli.lookup import open_reader
from flows.cli.options import AsOfOption, HomeOption, JsonOption, home_of, in_help, moment
from flows.cli.render import note, say, show_object
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from flows.scoring import Asked
    from transforms.score.choices import Wish
    from warehouse.database import Reader


def score_command(
    results: Annotated[list[Path], typer.Argument(help="Files of results (eval_results.json).", show_default=False)],
    level: Annotated[
        str | None, typer.Option(help="Their level, where they do not say it.", show_default=False)
    ] = None,
    problems: Annotated[
        str | None,
        typer.Option(
            help=in_help("Whose problems were solved, OWNER/REPO[@REV]; upstream's, as they are."), show_default=False
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            help=in_help(
                "auto, HOST[/MODE], OWNER/REPO:HOST[/MODE] (without a mode PyTorch eager), or a file of kbw lock."
            )
        ),
    ] = "auto",
    as_of: AsOfOption = None,
    sample: Annotated[str, typer.Option(help="Of several samples: first, best, or one's number.")] = "first",
    subset: Annotated[
        Path | None,
        typer.Option(
            help="JSON list of the problems' numbers that count: all others are left out.", show_default=False
        ),
    ] = None,
    equivalent: Annotated[
        bool, typer.Option("--equivalent", help="Also compare with other code that computes the same.")
    ] = False,
    any_gpu: Annotated[bool, typer.Option("--any-gpu", help="Also compare with baselines of another GPU.")] = False,
    lines: Annotated[bool, typer.Option("--lines", help="Show every problem.")] = False,
    others: Annotated[bool, typer.Option("--others", help="Show the score against every other baseline.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score generated kernels: speed-ups over the right baseline, with what is in doubt. 3 where there is none."""
    from flows.cli.scores import as_json as json_of
    from flows.cli.scores import say_scored, say_side_by_side, show_lines, show_others
    from flows.scoring import score_file
    from transforms.score.choices import Wish

    with closing(open_reader(home_of(home))) as reader:
        asked = _asked(
            reader,
            against=against,
            wish=Wish(any_gpu=any_gpu, equivalent=equivalent),
            level=level,
            problems=problems,
            as_of=as_of,
            sample=sample,
            subset=subset,
        )
        scored = [score_file(reader, path.expanduser(), asked) for path in results]
    if as_json:
        show_object([json_of(one) for one in scored])
    else:
        for one in scored:
            say_scored(one)
            if lines:
                say()
                show_lines(one)
            if others:
                say()
                show_others(one)
            say()
        if len(scored) > 1:
            say_side_by_side(scored)
    if any(one.score is None for one in scored):
        note("no baseline for some results: nothing was guessed")
        raise typer.Exit(FOUND_SOMETHING)


def _asked(
    reader: Reader,
    *,
    against: str,
    wish: Wish,
    level: str | None,
    problems: str | None,
    as_of: str | None,
    sample: str,
    subset: Path | None,
) -> Asked:
    from flows.scoring import Asked, code_of
    from transforms.score.results import level_named
    from transforms.score.samples import BEST, FIRST

    if level is not None and level_named(level) is None:
        raise typer.BadParameter(f"{level}: no level; write 2 or level2")
    if sample not in (FIRST, BEST) and not sample.isdecimal():
        raise typer.BadParameter(f"{sample}: no sample; write first, best or a sample's number")
    at = moment(as_of)
    lock = lock_in(against)
    source, position = ("", None) if lock else code_of(reader, problems, at if as_of else None)
    name = lock.against.name if lock else None
    return Asked(
        moment=at,
        wish=replace(wish, mode=name.mode) if name else wish_of(reader, against, wish),
        lock=lock,
        problems=source,
        position=position,
        level=level_named(level),
        sample=sample,
        subset=_numbers(subset),
    )


def _numbers(subset: Path | None) -> frozenset[int] | None:
    if subset is None:
        return None
    try:
        found = json.loads(given_text(str(subset)))
    except ValueError as error:
        raise WarehouseError(f"{subset}: not JSON: {error}") from None
    if not isinstance(found, list) or not all(isinstance(one, int) and not isinstance(one, bool) for one in found):
        raise WarehouseError(f"{subset}: not a list of problems' numbers, such as [1, 19, 97]")
    return frozenset(found)
