"""A score as people read it, and as programs do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from flows.cli.render import Column, Format, Row, count, day, note, say, say_long, show

if TYPE_CHECKING:
    from flows.scoring import Scored
    from transforms.score.baselines import Baseline, Problem
    from transforms.score.scores import Line, Means, Score, Share
    from transforms.score.speedup import Band

_MARGIN = 13
"""Where the words of a line go on."""
_NAMED = 6
_FAST_1 = 1.0


def say_scored(one: Scored) -> None:
    """Say what came of one file, top down: what was read, against what, the score, and whether it survives."""
    on = ", ".join(one.gpus) or "a GPU that is not reported"
    say(f"{one.file}: {count(one.samples)} results of {one.level}, measured on {on}")
    _say_refused(one)
    if one.score is None:
        _say_nearest(one)
        return
    made = one.score
    _say_part("against", f"{made.against.name}: {made.with_baseline} of {made.problems} problems, {_since(made)}")
    _say_part("", _how_chosen(one))
    _say_part(
        "results",
        f"{made.with_result} of {made.problems} problems; {made.compiled} compiled, {made.correct} correct, "
        f"{made.scored} scored",
    )
    for warning in made.warnings:
        _say_part("careful", warning)
    say()
    show([_share_row(made, share) for share in made.shares], _SHARES, Format.TABLE)
    say()
    _say_means(made)
    _say_remarks(made)
    say()
    _say_survival(one)


def show_others(one: Scored) -> None:
    """The same results against every other set, the table."""
    if one.score is not None:
        rows = [_set_row(score, one.gpus) for score in (one.score, *one.others)]
        show(sorted(rows, key=lambda row: (not row["same_gpu"], -row["fast_1"])), _SETS, Format.TABLE)


def show_lines(one: Scored) -> None:
    """Each problem of a score."""
    if one.score is not None:
        show([_line_row(line) for line in one.score.lines], _LINES, Format.TABLE)


def say_side_by_side(several: Sequence[Scored]) -> None:
    """Several files: a line each, and under how many baselines which of two leads."""
    show([_file_row(one) for one in several if one.score is not None], _FILES, Format.TABLE)
    for one, other in combinations([one for one in several if one.score is not None], 2):
        if one.level == other.level:
            say(_which_leads(one, other))


def as_json(one: Scored) -> dict[str, Any]:
    """Everything of a score, for programs."""
    return {
        "file": one.file,
        "level": one.level,
        "gpus": list(one.gpus),
        "results": one.samples,
        "refused": [{"place": part.place, "reason": part.reason, "detail": part.detail} for part in one.refused],
        "unknown_problems": list(one.unknown),
        "score": _score_json(one.score) if one.score else None,
        "others": [_set_row(score, one.gpus) for score in one.others],
        "nearest": {
            "other_code": [str(each.name) for each in one.choice.other_code],
            "other_gpu": [str(each.of.name) for each in one.choice.other_gpu],
        },
    }


def _say_part(heading: str, words: str) -> None:
    say_long(f"  {heading:<10} {words}", _MARGIN)


def _say_refused(one: Scored) -> None:
    for part in one.refused[:_NAMED]:
        note(f"refused {part.place}: {part.reason} ({part.detail})")
    if len(one.refused) > _NAMED:
        note(f"refused {len(one.refused) - _NAMED} more; --json has them all")
    if one.unknown:
        note(f"{one.level} has no problem {', '.join(map(str, one.unknown[:_NAMED]))}: left out")


def _say_nearest(one: Scored) -> None:
    say("  no baseline: nobody measured these problems' code on this GPU in the mode that was asked for")
    choice = one.choice
    for each in choice.other_code[:_NAMED]:
        _say_part("same GPU", f"{each.name}, of other code; --problems or --as-of says which code was measured")
    for rival in choice.other_gpu[:_NAMED]:
        _say_part(
            "same code", f"{rival.of.name}, on {rival.of.gpu}, {rival.covers} problems; --any-gpu compares all the same"
        )
    _say_part(
        "measure",
        "python scripts/generate_baseline_time.py in KernelBench, on this machine; then kbw ingest dir:PATH --problems "
        "OWNER/REPO, and score again",
    )


def _since(made: Score) -> str:
    return f"first shown {day(made.against.newest)}" + ("" if made.against.present else ", withdrawn since")


def _how_chosen(one: Scored) -> str:
    others = [rival for rival in one.choice.rivals if rival.of is not one.choice.chosen]
    same = sum(rival.of.gpu in one.gpus for rival in others)
    return f"of the same code there are {same} other sets on the results' GPU and {len(others) - same} on others"


def _share_row(made: Score, share: Share) -> dict[str, Any]:
    return {
        "threshold": share.threshold,
        "of_all": share.of(made.problems),
        "in_sessions": share.of_in_sessions(made.problems),
        "of_both": share.of(made.with_both),
        "decided_by": share.decided_by,
        "decided_by_sessions": share.decided_by_sessions,
    }


def _band(band: Band, digits: int = 2) -> str:
    """``0.23 (0.21 to 0.26)``; the value alone where nothing is in doubt."""
    value, low, high = (_number(one, digits) for one in (band.value, band.low, band.high))
    return value if low == high else f"{value} ({low} to {high})"


def _number(value: float, digits: int) -> str:
    return "any" if math.isinf(value) else f"{value:.{digits}f}"


def _names(problems: Sequence[Problem]) -> str:
    named = ", ".join(str(one.number) for one in problems[:_NAMED])
    return f"{named} and {len(problems) - _NAMED} more" if len(problems) > _NAMED else named


_SHARES = (
    Column("fast_p", lambda row: f"{row['threshold']:g}", right=True, whole=True),
    Column("of all problems", lambda row: _band(row["of_all"]), whole=True),
    Column("another session", lambda row: _band(row["in_sessions"]), whole=True),
    Column("of those with result and baseline", lambda row: _band(row["of_both"]), spare=2),
    Column("decided by trials and digits", lambda row: _names(row["decided_by"]), spare=3),
    Column("by the session", lambda row: _names(row["decided_by_sessions"]), spare=4),
)


def _say_means(made: Score) -> None:
    say(
        f"Speed-up over {made.scored} correct samples with a baseline (in brackets: trials and digits; another session)"
    )
    pairs = (
        ("geometric", made.means.geometric, made.means_in_sessions.geometric),
        ("median", made.means.median, made.means_in_sessions.median),
        ("mean", made.means.arithmetic, made.means_in_sessions.arithmetic),
    )
    for name, band, sessions in pairs:
        if band is not None and sessions is not None:
            doubt = f"({band.low:.3f} to {band.high:.3f}; {sessions.low:.3f} to {sessions.high:.3f})"
            _say_part(name, f"{band.value:.3f}x {doubt}")


def _say_remarks(made: Score) -> None:
    below = [line.problem for line in made.lines if "below_floor" in line.remarks]
    if below:
        say_long(f"  suspect: faster than the hardware permits by its datasheet: problems {_names(below)}", 2)


def _say_survival(one: Scored) -> None:
    """Whether the conclusion would be another under another baseline."""
    made = one.score
    assert made is not None
    same = [score for score in one.others if score.against.gpu in one.gpus]
    elsewhere = [score for score in one.others if score.against.gpu not in one.gpus]
    words = f"Does it survive? fast_1 is {_fast_1(made):.2f}"
    if same:
        words += f", and {_extremes(same)} against {len(same)} other baselines of this GPU"
    else:
        words += "; no other baseline of this GPU could have been chosen"
    if elsewhere:
        words += f". Against {len(elsewhere)} of other GPUs, not to be taken, it would be {_extremes(elsewhere)}"
    say_long(f"{words}. --others shows each.", 2)


def _extremes(scores: Sequence[Score]) -> str:
    found = [_fast_1(score) for score in scores]
    low, high = f"{min(found):.2f}", f"{max(found):.2f}"
    return low if low == high else f"{low} to {high}"


def _fast_1(made: Score) -> float:
    return _fast_1_band(made).value


def _fast_1_band(made: Score) -> Band:
    return next(share.of(made.problems) for share in made.shares if share.threshold == _FAST_1)


def _which_leads(one: Scored, other: Scored) -> str:
    """``A leads B under 26 baselines, B under 5, 7 ties``: by fast_1, under every set that both were held against."""
    mine, theirs = (_by_set(each) for each in (one, other))
    signs = [(mine[name] > theirs[name]) - (mine[name] < theirs[name]) for name in mine.keys() & theirs.keys()]
    leads, trails, ties = signs.count(1), signs.count(-1), signs.count(0)
    compared = f"{one.level}, by fast_1: {one.file} leads {other.file}"
    return f"{compared} under {leads} baselines, trails under {trails}, {ties} ties"


def _by_set(one: Scored) -> dict[str, float]:
    scores = (one.score, *one.others) if one.score else ()
    return {str(score.against.name): _fast_1(score) for score in scores}


def _set_row(score: Score, gpus: Sequence[str]) -> dict[str, Any]:
    geometric = score.means.geometric
    return {
        "baseline": str(score.against.name),
        "gpu": score.against.gpu,
        "same_gpu": score.against.gpu in gpus,
        "present": score.against.present,
        "newest": score.against.newest,
        "covers": score.with_baseline,
        "scored": score.scored,
        "fast_1": _fast_1(score),
        "geometric_mean": geometric.value if geometric else None,
    }


_SETS = (
    Column("baseline", lambda row: str(row["baseline"])),
    Column("GPU", lambda row: str(row["gpu"] or "not reported"), spare=1),
    Column("same GPU", lambda row: "yes" if row["same_gpu"] else "", spare=2),
    Column("covers", lambda row: count(row["covers"]), right=True, spare=3),
    Column("first shown", lambda row: day(row["newest"]), spare=4),
    Column("fast_1", lambda row: f"{row['fast_1']:.2f}", right=True, whole=True),
    Column("geometric", lambda row: _ratio(row["geometric_mean"]), right=True, whole=True),
)


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}x"


def _line_row(line: Line) -> dict[str, Any]:
    sample, baseline = line.sample, line.baseline
    return {
        "problem": line.problem.name,
        "number": line.problem.number,
        "state": line.state,
        "runtime_ms": sample.runtime_ms if sample else None,
        "baseline_ms": baseline.measured.mean_ms if baseline else None,
        "speed_up": _band_json(line.speed_up),
        "in_sessions": _band_json(line.in_sessions),
        "peak_fraction": line.peak_fraction,
        "remarks": list(line.remarks),
    }


def _shown_band(band: dict[str, float | None] | None) -> str:
    if band is None:
        return ""
    low, value, high = ("any" if band[name] is None else f"{band[name]:.2f}" for name in ("low", "value", "high"))
    return f"{value}x ({low} to {high})"


def _milliseconds(value: float | None) -> str:
    return "" if value is None else f"{value:.4g} ms"


def _plain_row(name: str) -> Column:
    return Column(name, lambda row: str(row[name]))


def _share_of_peak(row: Row) -> str:
    return "" if row["peak_fraction"] is None else f"{row['peak_fraction']:.0%}"


_LINES = (
    _plain_row("problem"),
    _plain_row("state"),
    Column("kernel", lambda row: _milliseconds(row["runtime_ms"]), right=True, spare=3),
    Column("baseline", lambda row: _milliseconds(row["baseline_ms"]), right=True, spare=2),
    Column("speed-up", lambda row: _shown_band(row["speed_up"]), whole=True),
    Column("another session", lambda row: _shown_band(row["in_sessions"]), spare=1),
    Column("of the floor", _share_of_peak, right=True, spare=4),
    Column("remarks", lambda row: ", ".join(row["remarks"]), spare=5),
)


def _file_row(one: Scored) -> dict[str, Any]:
    made = one.score
    assert made is not None
    return {
        "file": one.file,
        "level": one.level,
        "baseline": str(made.against.name),
        "correct": made.correct,
        "problems": made.problems,
        "fast_1": _fast_1_band(made),
        "geometric": made.means.geometric,
    }


_FILES = (
    _plain_row("file"),
    Column("level", lambda row: str(row["level"]), spare=3),
    Column("baseline", lambda row: str(row["baseline"]), spare=2),
    Column("correct", lambda row: f"{row['correct']} of {row['problems']}", right=True, spare=1),
    Column("fast_1", lambda row: _band(row["fast_1"]), whole=True),
    Column("geometric", lambda row: _band(row["geometric"], 3) if row["geometric"] else "", whole=True),
)


def _score_json(made: Score) -> dict[str, Any]:
    return {
        "against": _set_row(made, [made.against.gpu] if made.against.gpu else []),
        "problems": made.problems,
        "with_result": made.with_result,
        "with_baseline": made.with_baseline,
        "with_both": made.with_both,
        "compiled": made.compiled,
        "correct": made.correct,
        "scored": made.scored,
        "fast_p": [_share_json(made, share) for share in made.shares],
        "speed_up": _means_json(made.means),
        "speed_up_in_sessions": _means_json(made.means_in_sessions),
        "warnings": list(made.warnings),
        "lines": [{**_line_row(line), **_baseline_json(line.baseline)} for line in made.lines],
    }


def _share_json(made: Score, share: Share) -> dict[str, Any]:
    return {
        "threshold": share.threshold,
        "count": share.count,
        "of_all": _band_json(share.of(made.problems)),
        "of_all_in_sessions": _band_json(share.of_in_sessions(made.problems)),
        "of_both": _band_json(share.of(made.with_both)),
        "of_both_in_sessions": _band_json(share.of_in_sessions(made.with_both)),
        "decided_by": [one.number for one in share.decided_by],
        "decided_by_sessions": [one.number for one in share.decided_by_sessions],
    }


def _means_json(means: Means) -> dict[str, Any]:
    return {name: _band_json(getattr(means, name)) for name in ("geometric", "median", "arithmetic")}


def _band_json(band: Band | None) -> dict[str, float | None] | None:
    """Infinity, which JSON has not, is null."""
    if band is None:
        return None
    return {name: value if math.isfinite(value) else None for name, value in vars(band).items()}


def _baseline_json(baseline: Baseline | None) -> dict[str, Any]:
    return {} if baseline is None else {"baseline_run_id": baseline.run_id, "baseline_revision": baseline.revision}
