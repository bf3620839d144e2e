"""What a name means: one problem, one run, two revisions. What is ambiguous is refused with candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from string import hexdigits
from typing import TYPE_CHECKING, Any

from flows.cli.columns import problem_name
from flows.cli.filters import LISTED_BY, chosen, either, known_values
from warehouse.home import Home, WarehouseError, WrongUsage

if TYPE_CHECKING:
    from warehouse.database import Reader, Result

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

    Raises WrongUsage, with the nearest names, where there is none of that name.
    """
    if wanted is not None:
        return [str(chosen(reader, source=wanted)["source"])]
    return [row["source"] for row in reader.query("source_names").records()]


def counted(found: Result) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The rows of an answer, and, taken out of them, how many match in all, and of each severity."""
    rows = found.records()
    told = [{name: row.pop(name) for name in list(row) if name.startswith(_COUNTS)} for row in rows]
    counts = told[0] if told else dict.fromkeys(("matching", "matching_error", "matching_warn", "matching_note"), 0)
    return rows, {name.removeprefix("matching_"): times for name, times in counts.items()}


_COUNTS = "matching"
"""So the columns begin in which a query tells how many there are in all."""


def fields_of(found: Result) -> list[str]:
    """The names of what each row of an answer has, whether there are rows or none."""
    return [name for name in found.columns if not name.startswith(_COUNTS)]


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


def runs_named(reader: Reader, name: str, **wanted: str | None) -> list[dict[str, Any]]:
    """The runs that a name may mean: versions of one figure, those present first, then the latest observed.

    A name is a run id, the beginning of one, or an external id, ``HOST/MODE/LEVEL/FILE``; of that host, mode and level
    may be missing, and be spelled as filters are (``wanted``: host, mode, source, gpu), the file as problems are. One
    figure is that of one source, host, mode and problem; a copy gives way to its original. Raises WarehouseError where
    the name means no run, or runs of several figures.
    """
    filters = chosen(reader, **{**_ANY, **wanted})
    named = runs_of_id(reader, name, filters)
    if not named and not _is_digest(name):
        named = _runs_of_parts(reader, name, filters)
    ids = {row["run_id"] for row in named}
    found = [row for row in named if row["copy_of"] not in ids]
    if not found:
        raise WarehouseError(f'{name}: no run has this id; `kbw sql "from interop"` lists external ids')
    if len({tuple(row[part] for part in _FIGURE) for row in found}) > 1:
        candidates = ", ".join(f"{row['run_id'][:DIGITS]} ({row['source']})" for row in found[:_CANDIDATES])
        raise WarehouseError(f"{name}: several runs are named so; give more of one's id: {candidates}")
    return found


_ANY = dict.fromkeys(("source", "host", "gpu", "mode"))
_LEAST_DIGITS = 6
"""Fewer are a word of these letters, or a number."""


def runs_of_id(reader: Reader, name: str, filters: Mapping[str, str | None] = _ANY) -> list[dict[str, Any]]:
    """The runs that have this id, one that begins so, or this external id; it may be none."""
    return reader.query("runs_named", name=name, level=None, problem=None, **filters).records()


def _is_digest(name: str) -> bool:
    return len(name) >= _LEAST_DIGITS and set(name) <= set(hexdigits)


def _runs_of_parts(reader: Reader, name: str, filters: dict[str, str | None]) -> list[dict[str, Any]]:
    """The runs of the one problem that the end of a name means, on the host and in the mode that its beginning means.

    Of several hosts or modes the one whose figures stand; raises WarehouseError, with candidates, where several do.
    """
    *words, problem = _parts(reader, name)
    filters = {**filters, **{kind: value for word in words for kind, value in _host_or_mode(reader, word).items()}}
    named = reader.query("runs_named", name=None, **one_problem(reader, problem), **filters).records()
    originals = [row for row in named if row["copy_of"] is None] or named
    figures = {_external_id(row): row for row in originals}
    standing = [known for known, row in figures.items() if any(r["present"] for r in originals if _same(r, row))]
    if len(figures) <= 1 or len(standing) == 1:
        return [row for row in originals if _external_id(row) in (standing or figures)]
    names = standing or list(figures)
    more = f" and {len(names) - _CANDIDATES} more" if len(names) > _CANDIDATES else ""
    raise WarehouseError(
        f"{name}: {len(names)} figures are named so; name one of {', '.join(names[:_CANDIDATES])}{more}"
    )


def _parts(reader: Reader, name: str) -> list[str]:
    """A name cut at its slashes, level and problem left together."""
    *before, problem = name.strip("/").split("/")
    if before and known_values(reader)["level"].knows(before[-1]):
        return [*before[:-1], f"{known_values(reader)['level'].meant(before[-1])}/{problem}"]
    return [*before, problem]


def _host_or_mode(reader: Reader, word: str) -> dict[str, str]:
    known = known_values(reader)
    for kind in ("mode", "host"):
        if known[kind].knows(word):
            return {kind: known[kind].meant(word)}
    near = [*known["mode"].near(word), *known["host"].near(word)]
    raise WrongUsage(
        f"{word}: neither a host nor a mode{f'; did you mean {either(near)}?' if near else ''} "
        f"All hosts: {LISTED_BY['host']}"
    )


def _external_id(row: dict[str, Any]) -> str:
    return "/".join(str(row[part]) for part in ("host", "external_mode", "level", "problem"))


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[part] == other[part] for part in _FIGURE)


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
