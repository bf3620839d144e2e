"""What may stand beside the figures, or once for all of a file or level: the unit and the precision (DESIGN section 4).

Both are the writer's own words, so usual spellings are known. What is said in an entry goes before what its level says,
and that before what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from transforms.timings.document import Number, Value

__all__ = [
    "BESIDE",
    "MILLISECONDS",
    "PRECISIONS",
    "Beside",
    "in_milliseconds",
    "is_said",
    "known_precision",
    "precision_of_mode",
]

BESIDE = ("unit", "precision", "dtype")
"""Keys that are read as such where their value is a string; dtype is another word for precision."""

MILLISECONDS = 0
_POWERS = {
    **dict.fromkeys(("ns", "nsec", "nanosecond", "nanoseconds"), -6),
    **dict.fromkeys(("us", "\u00b5s", "\u03bcs", "usec", "microsecond", "microseconds"), -3),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), MILLISECONDS),
    **dict.fromkeys(("s", "sec", "second", "seconds"), 3),
}
"""The power of ten that turns a figure of a unit into milliseconds."""

PRECISIONS = {
    **dict.fromkeys(("bf16", "bfloat16"), "bf16"),
    **dict.fromkeys(("fp16", "float16", "half", "f16"), "fp16"),
    **dict.fromkeys(("fp32", "float32", "float", "f32"), "fp32"),
    **dict.fromkeys(("fp64", "float64", "double", "f64"), "fp64"),
}
"""The names of precisions by their usual spellings; as `workloads.dtype` has them."""


@dataclass(frozen=True)
class Beside:
    """What is said of some figures beside them; None where nothing is."""

    unit: str | None = None
    precision: str | None = None

    def within(self, fields: Mapping[str, Value]) -> Beside:
        """What holds further in, where `fields` may say otherwise."""
        said = {name: value for name in BESIDE if is_said(value := fields.get(name)) and isinstance(value, str)}
        precision = said.get("precision", said.get("dtype"))
        return Beside(said.get("unit", self.unit), known_precision(precision) if precision else self.precision)

    @property
    def power(self) -> int | None:
        """The power of ten that turns figures into milliseconds; None: the unit is not known."""
        return MILLISECONDS if self.unit is None else _POWERS.get(self.unit.strip().lower())


def is_said(value: Value) -> bool:
    """Whether a value is the word of a unit or precision: a string, and no number."""
    return isinstance(value, str) and not isinstance(value, Number)


def known_precision(said: str) -> str:
    """The name of a precision: the usual one, else as it was written, in lower case."""
    plain = said.strip().lower().removeprefix("torch.")
    return PRECISIONS.get(plain, plain)


def precision_of_mode(mode: str) -> str | None:
    """The precision with which a mode ends, `bf16` of `torch_bf16`; None where it names none."""
    stem, _, ending = mode.rpartition("_")
    return PRECISIONS.get(ending.lower()) if stem and ending != "float" else None


def in_milliseconds(written: str, power: int) -> float:
    """A figure as it is written, in milliseconds: the double nearest to the decimal that was meant."""
    return float(written) if power == MILLISECONDS else float(Decimal(written).scaleb(power))
