"""``kbw changes``: what moved since a day or a revision, as text for a pull request or a mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.filters import chosen
from flows.cli.formats import in_markdown
from flows.cli.lookup import open_reader, sources_asked
from flows.cli.options import HomeOption, HostOption, JsonOption, LevelOption, home_of, moment
from flows.cli.render import count, day, duration, percent, say, show_object
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from warehouse.database import Reader

_SAME = 1e-9


def changes_command(
    since: Annotated[
        str | None,
        typer.Option(
            help="A day, or the beginning of a revision's id; without it the newest revision's news.",
            show_default=False,
        ),
    ] = None,
    source: Annotated[str | None, typer.Option(help="The source; upstream's.", show_default=False)] = None,
    host: HostOption = None,
    level: LevelOption = None,
    limit: Annotated[int, typer.Option(min=0, help="At most so many lines of each part; 0: all.")] = 20,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Which records, baselines and problems moved, regressions and improvements apart, as markdown."""
    from transforms.registry import upstream

    with closing(open_reader(home_of(home))) as reader:
        (named,) = sources_asked(reader, source or upstream())
        only = chosen(reader, host=host, level=level)
        after, words = _since(reader, named, since)
        asked = {"source": named, "since": after}
        records = reader.query("moved_records", **asked, **only).records()
        baselines = reader.query("moved_baselines", **asked, **only).records()
        problems = reader.query("moved_problems", **asked, level=only["level"]).records()
    if as_json:
        show_object({**asked, "records": records, "baselines": baselines, "problems": problems})
        return
    say(f"# {in_markdown(named)}: changes since {words}")
    for heading, found, columns in (
        ("Records that got slower or lost their holder", _worse(records), _RECORD),
        ("Records that got faster", _better(records), _RECORD),
        ("Records held for the first time", [row for row in records if row["cause"] == "first"], _FIRST),
        ("Baselines that became slower", [row for row in baselines if _is_slower(row)], _BASELINE),
        ("Baselines that became faster", [row for row in baselines if not _is_slower(row)], _BASELINE),
        ("Problems", problems, _PROBLEM),
    ):
        for line in _part(heading, found, columns, limit):
            say(line)


def _since(reader: Reader, source: str, since: str | None) -> tuple[datetime, str]:
    """After which moment, and how to call it. Without a word: after the revision before the newest."""
    revisions = reader.query("commits_named", name="", source=source).records()
    if since is None:
        if not revisions:
            raise WarehouseError(f"{source}: has no revision")
        before = revisions[-2] if len(revisions) > 1 else revisions[-1]
        return before["committed_at"], f"{day(before['committed_at'])} ({before['revision'][:12]})"
    found = [row for row in revisions if row["revision"].startswith(since)]
    if len(found) == 1:
        return found[0]["committed_at"], f"{day(found[0]['committed_at'])} ({found[0]['revision'][:12]})"
    if found:
        raise WarehouseError(f"{since}: {len(found)} revisions of {source} begin so; give more of the id")
    return moment(since), since


def _worse(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in records if row["cause"] != "first" and (row["mean_ns"] is None or _is_slower(row))]


def _better(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in records if row["cause"] != "first" and row["mean_ns"] is not None and not _is_slower(row)]


def _is_slower(row: dict[str, Any]) -> bool:
    return row["ratio"] is not None and row["ratio"] > 1 + _SAME


Cell = Callable[[dict[str, Any]], str]

_WHERE: tuple[tuple[str, Cell], ...] = (
    ("problem", lambda row: f"{row['level']}/{row['problem'].removesuffix('.py')}"),
    ("host", lambda row: str(row["host"])),
)
_MOVED: tuple[tuple[str, Cell], ...] = (
    ("before", lambda row: duration(row["previous_mean_ns"])),
    ("now", lambda row: duration(row["mean_ns"])),
    ("", lambda row: percent(row["ratio"] - 1) if row["ratio"] else ""),
)
_WHEN: tuple[tuple[str, Cell], ...] = (("since", lambda row: day(row["changed_at"])),)
_HOLDER: tuple[tuple[str, Cell], ...] = (("held by", lambda row: str(row["mode"] or "nobody")),)
_RECORD = (*_WHERE, *_HOLDER, *_MOVED, ("why", lambda row: str(row["cause"])), *_WHEN)
_FIRST = (*_WHERE, *_HOLDER, ("now", lambda row: duration(row["mean_ns"])), *_WHEN)
_BASELINE = (
    *_WHERE,
    ("mode", lambda row: str(row["mode"])),
    *_MOVED,
    ("why", lambda row: str(row["reason"] or "")),
    *_WHEN,
)
_PROBLEM = (
    _WHERE[0],
    ("what", lambda row: f"{row['what']}{', the same is computed' if row['equivalent'] else ''}"),
    *_WHEN,
)


def _part(
    heading: str, rows: Sequence[dict[str, Any]], columns: Sequence[tuple[str, Cell]], limit: int
) -> Iterator[str]:
    yield ""
    yield f"## {heading}: {count(len(rows))}"
    if not rows:
        return
    shown = rows[: limit or None]
    yield ""
    yield "| " + " | ".join(name for name, _ in columns) + " |"
    yield "|" + "---|" * len(columns)
    for row in shown:
        yield "| " + " | ".join(in_markdown(cell(row)) for _, cell in columns) + " |"
    if len(shown) < len(rows):
        yield ""
        yield f"and {count(len(rows) - len(shown))} more (--limit 0 shows all)"
