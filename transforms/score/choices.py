"""Which baselines are the right ones, and whether the conclusion survives the others.

The right set was measured on the candidate's GPU, of the problems' own code, in the precision of the candidate, by
PyTorch eager unless another mode is named; of several the one that covers most problems, that still stands, and is
newest. What differs all the same (a harness that clears the L2 cache, a declared torch) is a warning with its evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from transforms.registry import upstream
from transforms.score.baselines import BaselineSet, Problem, SetName
from transforms.score.results import Sample

EAGER = "torch"


@dataclass(frozen=True)
class Wish:
    """What was asked for: parts of a set's name (null: any), and what may be other than the candidate's."""

    source: str | None = None
    host: str | None = None
    mode: str | None = None
    any_gpu: bool = False
    equivalent: bool = False

    def is_met_by(self, name: SetName) -> bool:
        """Whether a set is one of those asked for; without a mode that is PyTorch eager."""
        wanted = (self.source, self.host, self.mode or EAGER)
        return all(one is None or one == of_set for one, of_set in zip(wanted, name, strict=True))


@dataclass(frozen=True)
class Rival:
    """A set that could be divided by: of how many of the candidate's problems it has a figure of their code."""

    of: BaselineSet
    covers: int
    covers_scored: int


@dataclass(frozen=True)
class Choice:
    """The set that was chosen, and the others; or none, with the nearest that there are.

    ``chosen`` null: ``other_code`` measured these problems on this GPU as other code, ``other_gpu`` their code on
    another GPU. ``rivals`` are all sets of the problems' code, the chosen one's GPU first.
    """

    chosen: BaselineSet | None
    rivals: tuple[Rival, ...]
    other_code: tuple[BaselineSet, ...] = ()
    other_gpu: tuple[Rival, ...] = ()


def gpus_of(samples: Iterable[Sample]) -> set[str]:
    """The GPUs that samples report, as timing files report them."""
    return {one.hardware for one in samples if one.hardware}


def choose(
    problems: Sequence[Problem],
    samples: Collection[Sample],
    sets: Sequence[BaselineSet],
    gpus: Collection[str],
    wish: Wish,
) -> Choice:
    """Choose the set that results are held against.

    ``gpus`` are the candidate's; with more than one, or none, a person has to name a host. Figures of another precision
    than the candidate's are never compared.
    """
    precisions = {one.precision for one in samples}
    timed = {(one.level, one.number) for one in samples if one.is_timed}
    alike = [one for one in sets if one.precision in (precisions or {None})]
    rivals = [_rival(problems, timed, one, wish) for one in alike]
    usable = sorted((one for one in rivals if one.covers), key=lambda one: _order(one, gpus))
    same_gpu = [one for one in usable if one.of.gpu in gpus]
    wanted = [one for one in (usable if wish.any_gpu else same_gpu) if wish.is_met_by(one.of.name)]
    if wanted:
        return Choice(wanted[0].of, tuple(usable))
    named = [one for one in alike if wish.is_met_by(one.name)]
    return Choice(
        None,
        tuple(usable),
        other_code=tuple(one for one in named if one.gpu in gpus and one.of_other_code(problems)),
        other_gpu=tuple(one for one in usable if one.of.gpu not in gpus and wish.is_met_by(one.of.name)),
    )


def _rival(
    problems: Sequence[Problem], timed: Collection[tuple[str | None, int]], one: BaselineSet, wish: Wish
) -> Rival:
    covered = one.covering(problems, equivalent=wish.equivalent)
    return Rival(one, len(covered), sum(key in timed for key in covered))


def _order(rival: Rival, gpus: Collection[str]) -> tuple[object, ...]:
    """The candidate's GPU, eager, most of what can be scored, standing, newest, upstream, name."""
    of = rival.of
    return (
        of.gpu not in gpus,
        of.name.mode != EAGER,
        -rival.covers_scored,
        -rival.covers,
        not of.present,
        -of.newest.timestamp(),
        of.name.source != upstream(),
        of.name,
    )


def warnings_of(chosen: BaselineSet, gpus: Collection[str], samples: Collection[Sample]) -> list[str]:
    """What differs between a candidate and what it is held against, as far as it is known, in words."""
    words = []
    if chosen.gpu not in gpus:
        reported = ", ".join(sorted(gpus)) or "no GPU"
        words.append(f"another GPU: the results report {reported}, the baseline was measured on {chosen.gpu}")
    cleared = {one.l2_cleared for one in chosen.figures}
    if cleared != {True}:
        unknown = "is not known to clear" if None in cleared else "does not clear"
        words.append(
            f"the harness of {chosen.name} {unknown} the L2 cache between trials; KernelBench's present one does"
        )
    torches = sorted({one.torch for one in chosen.figures if one.torch})
    if torches:
        words.append(f"the baseline's repository declared {', '.join(torches)}; a result does not say its own torch")
    if not chosen.present:
        words.append(f"{chosen.name.source} does not show these baselines any more")
    if any(one.is_timed and one.num_trials is None for one in samples):
        words.append("some results have no statistics of their trials: of these only rounding is known")
    return words
