"""``kbw lock``: the baselines that a claim divides by, in one file, and later whether they still hold."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.baselines import lock_in, wish_of
from flows.cli.exits import FOUND_SOMETHING
from flows.cli.lookup import open_reader
from flows.cli.options import AsOfOption, HomeOption, JsonOption, home_of, in_help, moment
from flows.cli.render import Column, Format, note, say, show, show_object
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from transforms.score.locks import Lock
    from warehouse.database import Reader


def lock_command(
    out: Annotated[
        Path | None, typer.Argument(help="File to write, in the shape of a timing file.", show_default=False)
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help=in_help("The baselines: HOST[/MODE] or OWNER/REPO:HOST[/MODE]."), show_default=False),
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option(help="Only this level; may be repeated.", show_default=False)
    ] = None,
    problems: Annotated[
        str | None,
        typer.Option(help=in_help("Whose problems count, OWNER/REPO[@REV]; upstream's."), show_default=False),
    ] = None,
    as_of: AsOfOption = None,
    check: Annotated[
        Path | None, typer.Option("--check", help="Say of a lock which figures still hold; 3 where one does not.")
    ] = None,
    github: Annotated[bool, typer.Option("--github", help="For --check: as annotations of a GitHub workflow.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the baselines that a claim divides by, to be used and checked years later."""
    if (check is None) == (out is None or against is None):
        raise typer.BadParameter("give a file to write and --against, or --check and a lock")
    with closing(open_reader(home_of(home))) as reader:
        if check is None:
            assert out is not None and against is not None
            _write(reader, out.expanduser(), against, level or [], problems, as_of)
            return
        lock = lock_in(str(check))
        if lock is None:
            raise WarehouseError(f"{check}: no such file")
        found = _standing(reader, lock)
    _say_standing(check, found, as_json=as_json, github=github)
    if any(row["state"] != "holds" for row in found):
        raise typer.Exit(FOUND_SOMETHING)


def _write(reader: Reader, out: Path, against: str, levels: list[str], problems: str | None, as_of: str | None) -> None:
    from flows.scoring import Asked, code_of, lock_of
    from transforms.score.choices import Wish
    from transforms.score.results import level_named
    from transforms.version import rules_version
    from warehouse.files import write_once

    named = [level_named(one) for one in levels]
    if None in named:
        raise typer.BadParameter(f"{levels[named.index(None)]}: no level; write 2 or level2")
    at = moment(as_of)
    source, position = code_of(reader, problems, at if as_of else None)
    asked = Asked(moment=at, wish=wish_of(reader, against, Wish()), problems=source, position=position)
    about = {
        "problems": source,
        "position": position,
        "as_of": at.isoformat() if as_of else None,
        "rules": rules_version(),
    }
    document = lock_of(reader, asked, [one for one in named if one], about)
    write_once(out, json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n")
    member = document["kbw_lock"]
    say(f"{out}: {len(member['figures'])} figures of {member['source']}:{member['host']}/{member['mode']}")
    say(f"score against it with `kbw score RESULTS --against {out}`; KernelBench takes it as baseline_file={out}")


def _standing(reader: Reader, lock: Lock) -> list[dict[str, Any]]:
    """What became of each figure of a lock: holds, gone, withdrawn, or stale for a grave reason."""
    ids = [one.run_id for one in lock.against.figures]
    now = {row["run_id"]: row for row in reader.query("lock_figures", runs=ids).records()}
    return [
        {"level": one.level, "problem": one.problem, "run_id": one.run_id, **_state(now.get(one.run_id))}
        for one in lock.against.figures
    ]


def _state(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        return {"state": "unknown", "reasons": ["not_in_the_warehouse"]}
    grave = row["severity"] == "error" or not row["present"] or not row["eligible"]
    reasons = list(row["reasons"] or []) + ([] if row["eligible"] else ["ineligible"])
    return {"state": "stale" if grave else "holds", "reasons": reasons}


_STANDING = (
    Column("problem", lambda row: f"{row['level']}/{row['problem']}"),
    Column("state", lambda row: str(row["state"])),
    Column("reasons", lambda row: ", ".join(row["reasons"])),
)


def _say_standing(lock: Path, found: list[dict[str, Any]], *, as_json: bool, github: bool) -> None:
    wrong = [row for row in found if row["state"] != "holds"]
    if as_json:
        show_object(found)
    elif github:
        for row in wrong:
            say(f"::error file={lock}::{row['level']}/{row['problem']}: {row['state']} ({', '.join(row['reasons'])})")
    elif wrong:
        show(wrong, _STANDING, Format.TABLE)
    note(f"{lock}: {len(found)} figures, {len(wrong)} no longer hold")
