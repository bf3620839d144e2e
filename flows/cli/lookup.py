"""What a name means: one problem, one run, two revisions. What is ambiguous is refused with candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from flows.cli.columns import problem_name
from warehouse.home import Home, WarehouseError

if TYPE_CHECKING:
    from warehouse.database import Reader

DIGITS = 12
"""Of a digest or a revision, where a person reads it."""

_PROBLEMS_NAMED = 8
_CANDIDATES = 6
_LOOKS_ALIKE = 3
"""The rank, in ``sql/queries/problems_named.sql``, of a name that is only similar."""

_FIGURE = ("source", "host", "mode", "level", "problem")


def open_reader(home: Home) -> Reader:
    """The published database, read-only."""
    from warehouse.database import Reader

    return Reader(home.database)


def sources_asked(reader: Reader, wanted: str | None) -> list[str]:
    """The sources that an answer is about: the one that is wanted, by its name or its owner's alone, or all.

    Raises WarehouseError, with the names that there are, where there is none of that name.
    """
    names = [row["source"] for row in reader.query("source_names").records()]
    if wanted is None or wanted in names:
        return names if wanted is None else [wanted]
    of_owner = [name for name in names if name.partition("/")[0] == wanted]
    if len(of_owner) == 1:
        return of_owner
    alike = of_owner or [name for name in names if name.lower() == wanted.lower()] or names
    raise WarehouseError(f"{wanted}: no such source; there {'is' if len(alike) == 1 else 'are'} {', '.join(alike)}")


def counted(rows: list[dict[str, Any]]) -> dict[str, int]:
    """How many rows match in all, and of each severity, taken out of the rows in which a query tells it."""
    told = [{name: row.pop(name) for name in list(row) if name.startswith("matching")} for row in rows]
    found = told[0] if told else dict.fromkeys(("matching", "matching_error", "matching_warn", "matching_note"), 0)
    return {name.removeprefix("matching_"): times for name, times in found.items()}


def one_problem(reader: Reader, wanted: str) -> dict[str, str]:
    """``level`` and ``problem`` of the one problem that a name means; else WarehouseError with the candidates.

    ``level3/28``, ``28_VisionTransformer``, ``VisionTransformer`` mean it; of part of a name only one may be left.
    What is at the head of a source goes before what only old runs measured.
    """
    found = reader.query("problems_named", wanted=wanted).records()
    best = [row for row in found if _rank(row) == _rank(found[0])]
    if len(best) == 1 and best[0]["rank"] != _LOOKS_ALIKE:
        return {"level": best[0]["level"], "problem": best[0]["problem"]}
    names = [problem_name(row) for row in best[:_PROBLEMS_NAMED]]
    if not names:
        raise WarehouseError(
            f"{wanted}: no such problem; `kbw coverage` and `kbw records --limit 0` show what there is"
        )
    more = f" and {len(best) - _PROBLEMS_NAMED} more" if len(best) > _PROBLEMS_NAMED else ""
    what = (
        "no such problem; did you mean"
        if best[0]["rank"] == _LOOKS_ALIKE
        else f"{len(best)} problems match; name one of"
    )
    raise WarehouseError(f"{wanted}: {what} {', '.join(names)}{more}")


def _rank(row: dict[str, Any]) -> tuple[int, bool]:
    """What is named alike is told apart by the head; what only looks alike is all told."""
    return row["rank"], row["at_head"] or row["rank"] == _LOOKS_ALIKE


def runs_named(reader: Reader, name: str) -> list[dict[str, Any]]:
    """The runs that a name may mean: versions of one figure, those present first, then the latest observed.

    A name is a run id, the beginning of one, or an external id. One figure is that of one source, host, mode and
    problem; a copy gives way to its original. Raises WarehouseError where the name means no run, or runs of several
    figures.
    """
    named = reader.query("runs_named", name=name).records()
    ids = {row["run_id"] for row in named}
    found = [row for row in named if row["copy_of"] not in ids]
    if not found:
        raise WarehouseError(f'{name}: no run has this id; `kbw sql "from interop"` lists external ids')
    if len({tuple(row[part] for part in _FIGURE) for row in found}) > 1:
        candidates = ", ".join(f"{row['run_id'][:DIGITS]} ({row['source']})" for row in found[:_CANDIDATES])
        raise WarehouseError(f"{name}: several runs are named so; give more of one's id: {candidates}")
    return found


def one_run(name: str, versions: Sequence[dict[str, Any]], present: Iterable[str] | None = None) -> dict[str, Any]:
    """The one run that a name means, of the versions of a figure: the only one there is, or the only one present.

    ``present`` are the ids of those present at the moment that is asked for; without it, now. Raises WarehouseError
    with the candidates where several versions are left.
    """
    now = {row["run_id"] for row in versions if row["present"]} if present is None else set(present)
    chosen = [row for row in versions if row["run_id"] in now]
    if len(chosen) == 1:
        return chosen[0]
    if len(versions) == 1:
        return versions[0]
    candidates = ", ".join(
        f"{row['run_id'][:DIGITS]} ({row['observed_at']:%Y-%m-%d})" for row in versions[:_CANDIDATES]
    )
    raise WarehouseError(f"{name}: {len(versions)} runs have this id: {candidates}")


def two_commits(reader: Reader, before: str, after: str, source: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two commits of one source; raises WarehouseError when a name means none, or several.

    Forks share commits: two that several sources have are upstream's, or the first's that has them.
    """
    from transforms.registry import upstream

    old, new = (reader.query("commits_named", name=name, source=source).records() for name in (before, after))
    for name, found in ((before, old), (after, new)):
        if not found:
            raise WarehouseError(f'{name}: no revision begins so; `kbw sql "from revisions"` lists them')
    pairs = [(one, other) for one in old for other in new if one["source"] == other["source"]]
    if len({(one["revision"], other["revision"]) for one, other in pairs}) != 1:
        found = old if len(old) > 1 else new
        names = ", ".join(f"{row['source']} {row['revision'][:DIGITS]}" for row in (*old, *new)[:_CANDIDATES])
        what = "they are of different sources" if not pairs else f"{len(found)} revisions match; give --source or more"
        raise WarehouseError(f"{before} {after}: {what}: {names}")
    return next((pair for pair in pairs if pair[0]["source"] == upstream()), pairs[0])
