"""Which of several samples of a problem counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from transforms.score.results import Sample

FIRST, BEST = "first", "best"
"""``first``: sample 0, as KernelBench's own script takes. ``best``: the fastest that is correct, else the first."""


def chosen_samples(samples: Iterable[Sample], which: str) -> dict[tuple[str, int], Sample]:
    """One sample of each problem, by level and number; ``which`` is ``first``, ``best`` or a sample's number.

    A problem that has no such sample has no result. Raises ValueError for another word.
    """
    if which not in (FIRST, BEST) and not which.isdecimal():
        raise ValueError(f"{which}: not a sample; write first, best or a sample's number")
    of_each: dict[tuple[str, int], list[Sample]] = defaultdict(list)
    for one in samples:
        if one.level is not None:
            of_each[one.level, one.number].append(one)
    found = {key: _of(each, which) for key, each in of_each.items()}
    return {key: one for key, one in found.items() if one is not None}


def _of(samples: list[Sample], which: str) -> Sample | None:
    by_number = {one.sample_id: one for one in samples}
    if which != BEST:
        return by_number.get(0 if which == FIRST else int(which))
    timed = [one for one in samples if one.is_timed]
    if timed:
        return min(timed, key=lambda one: (one.runtime_ms or 0.0, one.sample_id))
    return min(samples, key=lambda one: (not one.correct, not one.compiled, one.sample_id))
