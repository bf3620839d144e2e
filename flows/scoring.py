"""Results of generated kernels are held against the baselines that the published database has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from transforms.score.baselines import BaselineSet, Problem
    from transforms.score.choices import Choice, Wish
    from transforms.score.locks import Lock
    from transforms.score.results import RefusedResult, Sample
    from transforms.score.scores import Floor, Score
    from warehouse.database import Reader

_COMPARABLE_SHARE = 0.9
"""Of the problems that the chosen set covers: one that covers fewer would give another score for that reason alone."""


@dataclass(frozen=True)
class Asked:
    """What a person asks for beside the files.

    ``position``: the commit of ``problems`` whose code counts; null: the newest by ``moment``. ``subset``: numbers of
    problems, null: all of the level.
    """

    moment: datetime
    wish: Wish
    problems: str
    position: int | None = None
    level: str | None = None
    sample: str = "first"
    subset: frozenset[int] | None = None
    lock: Lock | None = None
    """Baselines that were chosen before: then its problems count, and none other is sought."""


@dataclass(frozen=True)
class Scored:
    """What came of one file. ``score`` null: there is no right baseline, and ``choice`` has the nearest.

    ``others``: the same results against every other set that covers as much of the same code.
    """

    file: str
    level: str
    gpus: tuple[str, ...]
    choice: Choice
    score: Score | None
    others: tuple[Score, ...]
    refused: tuple[RefusedResult, ...]
    unknown: tuple[int, ...]
    samples: int


def code_of(reader: Reader, problems: str | None, moment: datetime | None) -> tuple[str, int | None]:
    """Whose problems count, and by which of its commits: ``OWNER/REPO[@REV]``, else upstream's, by ``moment``.

    Raises WarehouseError where there is no such source or revision.
    """
    from transforms.registry import upstream

    source, _, revision = (problems or upstream()).partition("@")
    known = [row["source"] for row in reader.query("source_names").records()]
    if source not in known:
        raise WarehouseError(
            f"{source}: is not in the warehouse; there is {', '.join(known) or 'nothing'}: say --problems"
        )
    if revision:
        found = reader.query("commits_named", name=revision, source=source).records()
        if len(found) != 1:
            raise WarehouseError(f"{problems}: {len(found)} commits are named so; revisions lists them all")
        return source, _position(found[0]["position"], problems)
    if moment is None:
        return source, None
    seen = reader.query("score_position", source=source, moment=moment).records()
    if not seen:
        raise WarehouseError(f"{source}: had no commit by {moment:%Y-%m-%d}")
    return source, _position(seen[0]["position"], source)


def _position(found: int | None, name: str | None) -> int:
    if found is None:
        raise WarehouseError(f"{name}: is no longer reachable; name another revision")
    return found


def score_file(reader: Reader, path: Path, asked: Asked) -> Scored:
    """Read a file of results and hold it against the right baselines; raises WarehouseError where it holds none."""
    from transforms.score.choices import choose, gpus_of, warnings_of
    from transforms.score.samples import chosen_samples
    from transforms.score.scores import score

    samples, refused, level = _results(path, asked)
    problems = _problems(reader, asked, level)
    sets = [asked.lock.against] if asked.lock else _sets(reader, asked, level)
    known = {one.number for one in problems}
    of_level = [one for one in samples if one.number in known]
    chosen = chosen_samples(of_level, asked.sample)
    gpus = gpus_of(chosen.values())
    choice = choose(problems, chosen.values(), sets, gpus, asked.wish)
    floors = _floors(reader, level, gpus)
    equivalent = asked.wish.equivalent
    made = None
    others: tuple[Score, ...] = ()
    if choice.chosen is not None:
        warnings = warnings_of(choice.chosen, gpus, chosen.values())
        made = score(problems, chosen, choice.chosen, floors, equivalent=equivalent, warnings=warnings)
        rivals = _comparable(choice, choice.chosen)
        others = tuple(score(problems, chosen, one, floors, equivalent=equivalent) for one in rivals)
    return Scored(
        file=str(path),
        level=level,
        gpus=tuple(sorted(gpus)),
        choice=choice,
        score=made,
        others=others,
        refused=refused,
        unknown=tuple(sorted({one.number for one in samples} - known)) if asked.subset is None else (),
        samples=len(samples),
    )


def _results(path: Path, asked: Asked) -> tuple[list[Sample], tuple[RefusedResult, ...], str]:
    """The samples of a file, all of one level."""
    from transforms.score.results import LARGEST_RESULTS, read_results

    with path.open("rb") as file:
        results = read_results(file.read(LARGEST_RESULTS + 1), path.name, asked.level)
    if not results.samples:
        why = "; ".join(f"{one.place}: {one.reason} ({one.detail})" for one in results.refused[:3])
        raise WarehouseError(f"{path}: holds no result that can be read: {why or 'nothing is in it'}")
    levels = sorted({one.level for one in results.samples if one.level is not None})
    if asked.level is not None:
        levels = [asked.level]
    if len(levels) != 1:
        has = f"holds {', '.join(levels)}" if levels else "does not say of which level its problems are"
        raise WarehouseError(f"{path}: {has}; say --level")
    (level,) = levels
    of_level = [replace(one, level=level) for one in results.samples if one.level in (None, level)]
    return of_level, results.refused, level


def lock_of(reader: Reader, asked: Asked, levels: Sequence[str], about: Mapping[str, object]) -> dict[str, Any]:
    """The lock of the one set that is wished for; raises WarehouseError where several are, or none."""
    from transforms.score.locks import lock_document

    problems = _problems_held(reader, asked, *levels)
    wished = [one for one in _sets(reader, asked, *levels) if asked.wish.is_met_by(one.name)]
    found = [one for one in wished if one.covering(problems, equivalent=False)]
    if len(found) != 1:
        names = ", ".join(sorted({str(one.name) for one in found})) or "none of these problems' code"
        raise WarehouseError(f"--against names {len(found)} sets of baselines: {names}; name one")
    return lock_document(found[0], problems, about)


def _problems(reader: Reader, asked: Asked, level: str) -> list[Problem]:
    if asked.lock is not None:
        problems = [one for one in asked.lock.problems if one.level == level]
    else:
        problems = _problems_held(reader, asked, level)
    if asked.subset is not None:
        problems = [one for one in problems if one.number in asked.subset]
    if not problems:
        raise WarehouseError(f"{asked.problems}: has no problem of {level}{' in the subset' if asked.subset else ''}")
    return problems


def _problems_held(reader: Reader, asked: Asked, *levels: str) -> list[Problem]:
    """The problems that count of some levels, or of all, as the database has them."""
    from transforms.score.baselines import problems_of

    rows = reader.query("score_problems", source=asked.problems, position=asked.position, levels=list(levels) or None)
    return problems_of(rows.records())


def _sets(reader: Reader, asked: Asked, *levels: str) -> list[BaselineSet]:
    from transforms.score.baselines import sets_of

    return sets_of(reader.query("score_baselines", moment=asked.moment, levels=list(levels) or None).records())


def _floors(reader: Reader, level: str, gpus: Collection[str]) -> dict[str, Floor]:
    """Of the one GPU of the candidate; of several nobody knows which sample ran where."""
    from transforms.score.scores import floor_of

    rows: Iterable[dict[str, object]] = reader.query("score_floors", levels=[level]).records() if len(gpus) == 1 else ()
    return {str(row["code_digest"]): floor_of(row) for row in rows if row["gpu"] in gpus}


def _comparable(choice: Choice, chosen: BaselineSet) -> Sequence[BaselineSet]:
    covers = next(one.covers for one in choice.rivals if one.of is chosen)
    return [one.of for one in choice.rivals if one.of is not chosen and one.covers >= covers * _COMPARABLE_SHARE]
