"""The careful way through a timing file: every entry is taken as it is written, and what is wrong is said."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import rfc8785

from transforms.measures import JSON_INTEGER_LIMIT
from transforms.timings.beside import BESIDE, MILLISECONDS, Beside, in_milliseconds, is_said
from transforms.timings.document import (
    EXCERPT,
    Number,
    Pairs,
    Value,
    compact,
    is_level,
    kind,
    names_twice,
    plain,
    printable,
    read_document,
    strings,
)
from transforms.timings.rows import INT64, UNREAD, Entry, Remark, Rows

__all__ = ["read_carefully"]

STATISTICS = ("mean", "std", "min", "max", "num_trials")
DURATIONS = STATISTICS[:4]
TEXTS = ("hardware", "device")
ORDINARY = frozenset(STATISTICS + TEXTS)
PASSED = ("ok", "passed", "success")

Fields = dict[str, Value]
Fault = tuple[str, str]
"""A reason of DESIGN section 4 and its detail."""


def read_carefully(file: int, data: bytes) -> tuple[Rows, list[str]]:
    """A file's entries, each with a remark, and the top-level keys beside levels. Raises document.FileRefused.

    A key or level that stands twice is one row, with all its occurrences in the remark.
    """
    top = read_document(data)
    stands = Counter(key for key, _ in top)
    of_file = Beside().within({key: value for key, value in top if not is_level(key)})
    rows = Rows()
    for level, found in _occurrences(top).items():
        said = {key for key in BESIDE if len(found.get(key, ())) == 1 and is_said(found[key][0])}
        of_level = of_file.within({key: found[key][0] for key in said})
        keys = {key: values for key, values in found.items() if key not in said}
        read = [_read_key(level, key, values, stands[level] > 1, of_level) for key, values in keys.items()]
        rows.remarks |= {len(rows.keys) + i: remark for i, (_, remark) in enumerate(read)}
        rows.add_level(file, printable(level), map(printable, keys), [entry for entry, _ in read])
    return rows, list(dict.fromkeys(printable(key) for key, _ in top if not is_level(key)))


def _occurrences(top: Pairs) -> dict[str, dict[str, list[Value]]]:
    """Level -> key -> every value that is written for it."""
    levels: dict[str, dict[str, list[Value]]] = {}
    for level, entries in top:
        if is_level(level) and isinstance(entries, Pairs):
            keys = levels.setdefault(level, {})
            for key, value in entries:
                keys.setdefault(key, []).append(value)
    return levels


def _read_key(level: str, key: str, values: list[Value], level_repeated: bool, beside: Beside) -> tuple[Entry, Remark]:
    if len(values) > 1:
        return UNREAD, Remark(values, "duplicate_key", f"{len(values)} entries of one key")
    value = values[0]
    if level_repeated:
        return UNREAD, Remark(value, "duplicate_key", f"{printable(level)} stands more than once")
    if twice := names_twice(value):
        return UNREAD, Remark(value, "duplicate_key", f"{_cut(twice)} stands twice in the entry")
    if not (_is_text(level) and _is_text(key)):
        return UNREAD, Remark(value, "bad_problem_name", "a lone surrogate in the name")
    return _read_entry(value, beside)


def _read_entry(value: Value, beside: Beside) -> tuple[Entry, Remark]:
    fault = next(_faults(value, beside), None)
    if fault or not isinstance(value, Pairs):
        return UNREAD, Remark(value, *(fault or ()))
    fields = dict(value)
    said = beside.within(fields)
    power = said.power or MILLISECONDS
    trials = _trials(fields["num_trials"])
    mean, std, low, high = (in_milliseconds(str(fields[name]), power) for name in DURATIONS)
    hardware, device = (_text_field(fields, name) for name in TEXTS)
    entry = Entry(mean, std, low, high, trials or 0, hardware, device)
    if trials is None:
        return entry, Remark(value, "bad_trial_count", f"num_trials is {_shown(fields['num_trials'])}")
    metrics = _unusual_metrics(fields, entry, said)
    return entry, Remark(value, metrics=metrics, precision=said.precision, median=_median(fields, power))


def _faults(value: Value, beside: Beside) -> Iterator[Fault]:
    """What keeps the figures of an entry from being read, in the order of DESIGN section 4."""
    if value is None:
        yield "not_measured", "the entry is null"
    if not isinstance(value, Pairs):
        yield "wrong_type", f"the entry is {kind(value)}, not an object"
        return
    fields = dict(value)
    if fields.get("error") is not None:
        yield "not_measured", f"error is {_shown(fields['error'])}"
    yield from (("wrong_type", detail) for detail in _wrong_types(fields))
    if fields.get("status") not in (None, *PASSED):
        yield "failed", f"status is {_shown(fields['status'])}"
    said = beside.within(fields)
    if said.power is None or not is_said(fields.get("unit", "ms")):
        unit = _shown(fields["unit"]) if "unit" in fields else _cut(printable(said.unit or ""))
        yield "unknown_unit", f"unit is {unit}, none of ns, us, ms, s"
    if missing := [name for name in STATISTICS if name not in fields]:
        yield "missing_statistic", f"no {', '.join(missing)}"
    if endless := [name for name in STATISTICS if _is_endless(name, fields[name])]:
        yield "not_finite", ", ".join(f"{name} is {_shown(fields[name])}" for name in endless)


def _wrong_types(fields: Fields) -> Iterator[str]:
    for name in STATISTICS:
        if name in fields and not isinstance(fields[name], Number):
            yield f"{name} is {_shown(fields[name])}, not a number"
    for name in TEXTS:
        value = fields.get(name)
        if isinstance(value, Number) or not isinstance(value, str | None):
            yield f"{name} is {_shown(value)}, not a string"
    for name, value in fields.items():
        if not all(map(_is_text, (name, *strings(value)))):
            yield f"a lone surrogate in {_cut(printable(name))}"


def _is_endless(name: str, figure: Value) -> bool:
    """NaN, an infinity, or past the largest double. A long whole number of trials is a bad count instead."""
    if not isinstance(figure, Number) or (name == "num_trials" and figure.is_integer):
        return False
    return not math.isfinite(float(figure))


def _trials(written: Value) -> int | None:
    """A whole number of trials that 64 bits hold, or None: 100 and 100.0 are, 12.5 and 1e30 are not."""
    figure = float(str(written))
    if not figure.is_integer() or abs(figure) > INT64.stop:
        return None
    trials = int(str(written)) if isinstance(written, Number) and written.is_integer else int(figure)
    return trials if trials in INT64 else None


def _text_field(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def _median(fields: Fields, power: int) -> float | None:
    """The median of the trials in milliseconds, where the entry says one that can be."""
    written = fields.get("median")
    if not isinstance(written, Number) or not math.isfinite(float(written)):
        return None
    return in_milliseconds(str(written), power)


def _unusual_metrics(fields: Fields, entry: Entry, said: Beside) -> str | None:
    """The source metrics of an entry with keys of its own, or whose device is null; None for all others.

    The figures are in milliseconds; another unit in which they were reported is noted as `reported_unit`.
    """
    metrics: dict[str, Any] = {name: plain(value) for name, value in fields.items() if name not in ORDINARY}
    if said.power:
        metrics.pop("unit", None)
        metrics["reported_unit"] = said.unit
    if not metrics and fields.get("device", "") is not None:
        return None
    metrics |= {name: getattr(entry, name) for name in DURATIONS}
    # As in `rules`: a count that no double holds is written as a string.
    metrics["num_trials"] = entry.num_trials if entry.num_trials <= JSON_INTEGER_LIMIT else str(entry.num_trials)
    if "device" in fields:
        metrics["device"] = entry.device
    return rfc8785.dumps(metrics).decode()


def _is_text(text: str) -> bool:
    """Whether the text has no lone surrogate."""
    return text.isascii() or printable(text) == text


def _shown(value: Value) -> str:
    return _cut(compact(value))


def _cut(text: str) -> str:
    return text[:EXCERPT]
