"""Files of results as people publish them, in; samples and refusals, out.

Five forms are met in public: problem number to a list of samples (what KernelBench writes), the older problem number to
one sample, a report with a list under ``results``, one JSON object per line, and one sample per file. Each may stand
below a level (``level1``). What cannot be read is refused with its place and reason; the rest goes on.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LARGEST_RESULTS = 64 * 2**20
"""Bytes of one file: 250 problems of a hundred samples each, with their compilers' complaints, have less."""

_NUMBER = re.compile(r"\d{1,6}")
_LEVEL = re.compile(r"(?:level_?)?(\d{1,3})", re.IGNORECASE)
_IN_A_NAME = re.compile(
    r"(?:level_?(?P<level>\d+)_)?problem_?(?P<problem>\d+)(?:_sample_?(?P<sample>\d+))?", re.IGNORECASE
)
_SAMPLE = frozenset({"compiled", "correctness", "runtime"})
"""What an object has of which is a sample."""
_DESCRIBED = frozenset({"eval_result", "problem_id", "problem_name"})
"""What an object has that says itself of which problem it is a sample."""
_SHOWN = 80

Object = Mapping[str, Any]


@dataclass(frozen=True)
class Sample:
    """One generated kernel for one problem. Durations in milliseconds, null where none was measured.

    ``runtime_ms`` is what KernelBench's own script divides by: the mean of the trials. ``reference_ms`` is what the
    result itself says of the reference, by whatever baseline.
    """

    level: str | None
    number: int
    sample_id: int
    compiled: bool
    correct: bool
    runtime_ms: float | None = None
    std_ms: float | None = None
    min_ms: float | None = None
    max_ms: float | None = None
    num_trials: int | None = None
    reference_ms: float | None = None
    hardware: str | None = None
    precision: str | None = None

    @property
    def is_timed(self) -> bool:
        """Whether it is correct and was measured: only then there is a speed-up."""
        return self.correct and self.runtime_ms is not None


@dataclass(frozen=True)
class RefusedResult:
    """A part of a file that cannot be read, with the reason and what was found."""

    place: str
    reason: str
    detail: str


@dataclass(frozen=True)
class Results:
    """What a file holds. Each (level, number, sample) stands once."""

    samples: tuple[Sample, ...]
    refused: tuple[RefusedResult, ...]


class _Unreadable(Exception):
    """A part that cannot be read."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class _Found:
    """A sample as it is written, where it stands, and what stands around it."""

    place: str
    level: object
    number: object
    sample_id: object
    value: object


def read_results(data: bytes, name: str = "", level: str | None = None) -> Results:
    """Read a file of results; ``name`` is its own, which may say of what it is; ``level`` that of what says none."""
    samples: list[Sample] = []
    refused: list[RefusedResult] = []
    try:
        documents = _documents(data)
    except _Unreadable as error:
        return Results((), (RefusedResult("the file", error.reason, error.detail),))
    for place, document in documents:
        try:
            found = list(_in_document(place, document, name))
        except _Unreadable as error:
            refused.append(RefusedResult(place or "the file", error.reason, error.detail))
            continue
        for one in found:
            try:
                samples.append(_sample(one, level))
            except _Unreadable as error:
                refused.append(RefusedResult(one.place, error.reason, error.detail))
    kept, twice = _each_once(samples)
    return Results(tuple(kept), (*refused, *twice))


def level_named(word: object) -> str | None:
    """``level3`` for 3, ``3``, ``level_3``; None for what names no level."""
    match = _LEVEL.fullmatch(str(word).strip()) if isinstance(word, int | str) and not isinstance(word, bool) else None
    return f"level{int(match[1])}" if match else None


def _documents(data: bytes) -> list[tuple[str, Any]]:
    """The JSON values of a file, each with its place: one, or one per line."""
    if len(data) > LARGEST_RESULTS:
        raise _Unreadable("too_large", f"{len(data)} bytes, more than {LARGEST_RESULTS}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Unreadable("not_text", f"not UTF-8: {error.reason} at byte {error.start}") from None
    if not text.strip():
        raise _Unreadable("empty", "no bytes")
    try:
        return [("", _parsed(text))]
    except ValueError as error:
        whole = error
    lines = [(f"line {number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    try:
        return [(place, _parsed(line)) for place, line in lines]
    except ValueError:
        raise _Unreadable("not_json", str(whole)) from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise _Unreadable("not_json", "nested too deeply") from None


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that stands twice is kept as such, for nobody can say which is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        for key, times in Counter(key for key, _ in pairs).items():
            if times > 1:
                found[key] = _Twice()
    return found


class _Twice:
    """Stands for the values of a key that stands more than once."""


def _in_document(place: str, document: Any, name: str) -> Iterator[_Found]:
    if isinstance(document, list):
        yield from _in_list(place, document, None)
    elif not isinstance(document, dict):
        raise _Unreadable("unexpected_shape", "neither an object nor a list")
    elif _is_report(document):
        info = document.get("run_info")
        yield from _in_list(place, document["results"], info.get("level") if isinstance(info, dict) else None)
    elif (_SAMPLE | _DESCRIBED) & document.keys():
        yield _described(place or "the file", document, None, name)
    else:
        yield from _by_level(place, document)


def _is_report(document: Object) -> bool:
    return isinstance(document.get("results"), list)


def _by_level(place: str, document: Object) -> Iterator[_Found]:
    levels = {key: value for key, value in document.items() if key.lower().startswith("level") and level_named(key)}
    for key, value in levels.items():
        if isinstance(value, dict):
            yield from _by_number(f"{place} {key}".strip(), value, key)
        else:
            yield _Found(f"{place} {key}".strip(), key, None, None, value)
    if not levels:
        yield from _by_number(place, document, None)


def _by_number(place: str, document: Object, level: object) -> Iterator[_Found]:
    if not any(_NUMBER.fullmatch(key) for key in document):
        raise _Unreadable("unexpected_shape", "names no problem by its number")
    for key, value in document.items():
        here = f"{place} problem {key}".strip()
        if isinstance(value, list):
            for position, sample in enumerate(value):
                yield _Found(
                    f"{here}, sample at {position}", level, key, _member(sample, "sample_id", position), sample
                )
        else:
            yield _Found(here, level, key, _member(value, "sample_id", 0), value)


def _in_list(place: str, values: Sequence[Any], level: object) -> Iterator[_Found]:
    for position, value in enumerate(values):
        here = f"{place} entry {position}".strip()
        if isinstance(value, dict):
            yield _described(here, value, level, "")
        else:
            yield _Found(here, level, None, None, value)


def _described(place: str, value: Object, level: object, name: str) -> _Found:
    """An object that says itself of which problem it is, or whose file's name does."""
    named = _IN_A_NAME.search(name)
    number = value.get("problem_id", named["problem"] if named else None)
    if number is None and isinstance(value.get("problem_name"), str):
        number = value["problem_name"].partition("_")[0]
    inner = value.get("eval_result", value)
    return _Found(
        place,
        value.get("level", level if level is not None else (named["level"] if named else None)),
        number,
        value.get("sample_id", _member(inner, "sample_id", int(named["sample"] or 0) if named else 0)),
        {"precision": value["precision"], **inner} if "precision" in value and isinstance(inner, dict) else inner,
    )


def _member(value: object, name: str, otherwise: object) -> object:
    return value.get(name, otherwise) if isinstance(value, dict) else otherwise


def _sample(found: _Found, level: str | None) -> Sample:
    value = found.value
    if isinstance(value, _Twice):
        raise _Unreadable("duplicate_key", "stands more than once")
    if not isinstance(value, dict):
        raise _Unreadable("wrong_type", f"is {_shown(value)}, not an object")
    if twice := next((key for key, one in value.items() if isinstance(one, _Twice)), None):
        raise _Unreadable("duplicate_key", f"{_shown(twice)} stands more than once")
    if not _SAMPLE & value.keys():
        raise _Unreadable("no_result", "says neither whether it compiled nor whether it is correct")
    stated = level_named(found.level) if found.level is not None else level
    if found.level is not None and stated is None:
        raise _Unreadable("bad_level", f"{_shown(found.level)} is no level")
    compiled, correct = (_truth(value, name) for name in ("compiled", "correctness"))
    figures = _object(value, "runtime_stats")
    metadata = _object(value, "metadata")
    return Sample(
        level=stated,
        number=_whole(found.number, "bad_problem", "the problem's number"),
        sample_id=_whole(found.sample_id, "bad_sample", "sample_id"),
        compiled=compiled or correct,
        correct=correct,
        runtime_ms=_duration(value, "runtime") or _duration(figures, "mean"),
        std_ms=_deviation(figures),
        min_ms=_duration(figures, "min"),
        max_ms=_duration(figures, "max"),
        num_trials=_trials(figures),
        reference_ms=_duration(value, "ref_runtime") or _duration(_object(value, "ref_runtime_stats"), "mean"),
        hardware=_text(metadata, "hardware") or _text(figures, "hardware"),
        precision=_text(value, "precision") or _text(metadata, "precision"),
    )


def _truth(value: Object, name: str) -> bool:
    """Missing is false, as KernelBench takes a missing result."""
    found = value.get(name, False)
    if not isinstance(found, bool):
        raise _Unreadable("wrong_type", f"{name} is {_shown(found)}, neither true nor false")
    return found


def _object(value: Object, name: str) -> Object:
    found = value.get(name) or {}
    if not isinstance(found, dict):
        raise _Unreadable("wrong_type", f"{name} is {_shown(found)}, not an object")
    return found


def _text(value: Object, name: str) -> str | None:
    found = value.get(name)
    return found if isinstance(found, str) and found else None


def _duration(value: Object, name: str) -> float | None:
    """A measured duration; -1, as KernelBench writes it, is none."""
    found = value.get(name)
    if found is None or found == -1:
        return None
    if not _is_number(found):
        raise _Unreadable("wrong_type", f"{name} is {_shown(found)}, not a number")
    if not (math.isfinite(found) and found > 0):
        raise _Unreadable("bad_runtime", f"{name} is {_shown(found)}, no duration")
    return float(found)


def _deviation(figures: Object) -> float | None:
    found = figures.get("std")
    if found is None or found == -1:
        return None
    if not _is_number(found):
        raise _Unreadable("wrong_type", f"std is {_shown(found)}, not a number")
    if not (math.isfinite(found) and found >= 0):
        raise _Unreadable("bad_runtime", f"std is {_shown(found)}, no deviation")
    return float(found)


def _trials(figures: Object) -> int | None:
    found = figures.get("num_trials")
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def _is_number(found: object) -> bool:
    if isinstance(found, bool) or not isinstance(found, int | float):
        return False
    return isinstance(found, float) or abs(found) < 2**63  # a longer whole number is no duration, and may be no double


def _whole(found: object, reason: str, what: str) -> int:
    if isinstance(found, str) and _NUMBER.fullmatch(found):
        return int(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**6:
        return found
    raise _Unreadable(reason, f"{what} is {_shown(found)}")


def _each_once(samples: Sequence[Sample]) -> tuple[list[Sample], list[RefusedResult]]:
    """A sample that stands twice alike is one; of those that differ, none can be believed."""
    distinct = dict.fromkeys(samples)
    times = Counter((one.level, one.number, one.sample_id) for one in distinct)
    refused = [
        RefusedResult(
            f"{level or ''} problem {number}".strip(),
            "duplicate_sample",
            f"sample {sample_id} stands {count} times, not alike",
        )
        for (level, number, sample_id), count in times.items()
        if count > 1
    ]
    return [one for one in distinct if times[one.level, one.number, one.sample_id] == 1], refused


def _shown(value: object) -> str:
    return repr(value)[:_SHOWN] if not isinstance(value, _Twice) else "more than one value"
