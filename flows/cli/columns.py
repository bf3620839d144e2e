"""Columns of tables that several commands show, or that are built of the same parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from flows.cli.render import Column, Row, count, day, duration, interval, ratio, text

_NAMED = 2
"""So many sources are named, more are counted."""
_SHORT = 8

PROBLEM = Column("problem", lambda row: problem_name(row))
HOST = Column("host", lambda row: str(row["host"]))
GPU = Column("GPU", lambda row: str(row["gpu"]))
MODE = Column("mode", lambda row: str(row["mode"]))
SOURCE = Column("source", lambda row: str(row["source"]))
IMPLEMENTATION = Column("implementation", lambda row: str(row["implementation"]))
HELD_BY = Column("held by", lambda row: str(row["implementation"]))
MEAN = Column("mean", lambda row: duration(row["mean_ns"]), right=True, whole=True)
INTERVAL = Column("mean, 95 % interval", lambda row: interval(row["mean_ns"], half_ns(row)), right=True, whole=True)
"""The interval is widened by rounding, as it is wherever two figures are compared."""
VERSUS_EAGER = Column("vs eager", lambda row: ratio(row["vs_baseline"]), right=True, spare=4)
OBSERVED = Column("observed", lambda row: day(row["observed_at"]), spare=2)
SEVERITY = Column("severity", lambda row: str(row["severity"] or ""), spare=1)
AT_HEAD_OF = Column("at head of", lambda row: listed(row["at_head_of"]), spare=1)

RECORDS = (
    PROBLEM,
    HOST,
    Column("GPU", lambda row: str(row["product"] or row["hardware"] or "not reported"), spare=3),
    HELD_BY,
    INTERVAL,
    VERSUS_EAGER,
    Column("margin", lambda row: ratio(row["margin_ratio"]), right=True, spare=5),
    Column("clear", lambda row: text(row["clear"]), spare=6),
    Column("clear between sessions", lambda row: text(row["clear_between_sessions"]), spare=7),
    OBSERVED,
    replace(SEVERITY, spare=0),
)
"""The rows of ``sql/queries/records.sql``."""

HEALTH = (
    SOURCE,
    Column("health", lambda row: str(row["status"])),
    Column("checked (UTC)", lambda row: text(row["checked_at"]), shorter=lambda row: day(row["checked_at"])),
    Column("changed", lambda row: text(row["changed_at"]), spare=4),
    Column("next due", lambda row: text(row["due_at"]), spare=3),
    Column("newest revision", lambda row: day(row["newest_revision_at"]), spare=2),
    Column("files", lambda row: count(row["files_present"]), right=True, spare=5),
    Column("refused", lambda row: count(row["files_refused"]), right=True, spare=1),
    Column("requests", lambda row: text(row["requests"]), right=True, spare=6),
    Column("last error", lambda row: str(row["last_error"] or "")),
)
"""The rows of ``sql/queries/source_health.sql``."""


def half_ns(row: Row) -> float:
    """Half of the interval in which a mean lies: of its 95 % interval, and of what rounding hides."""
    return float(row["ci95_half_ns"] + row["rounding_ns"])


def problem_name(row: Row) -> str:
    """``level3/28_VisionTransformer``."""
    return f"{row['level']}/{row['problem'].removesuffix('.py')}"


def gpu_name(row: Row) -> str:
    """``NVIDIA A100 SXM4 40 GB``: enough to tell cards of one product apart."""
    if row["product"] is None:
        return str(row["hardware"] or "GPU not reported")
    memory = f"{row['memory_gb']} GB" if row["memory_gb"] else None
    return " ".join(str(part) for part in (row["product"], row["form_factor"], memory) if part)


def with_source(columns: Iterable[Column], sources: Sequence[str]) -> tuple[Column, ...]:
    """Columns, and the source of each row where there are several: with one there is nothing to tell apart."""
    return (*columns, source_column(sources)) if len(sources) > 1 else tuple(columns)


def source_column(sources: Sequence[str]) -> Column:
    """The source of a row; where room is wanting, its owner alone, if that is the owner of no other."""
    owners = Counter(name.partition("/")[0] for name in sources)

    def shorter(row: Row) -> str:
        owner = str(row["source"]).partition("/")[0]
        return owner if owners[owner] == 1 else str(row["source"])

    return Column("source", lambda row: str(row["source"]), shorter=shorter)


def listed(sources: Sequence[str]) -> str:
    """Names of sources as words: one or two by name, of more how many there are."""
    if len(sources) <= _NAMED:
        return " and ".join(sources)
    return f"{sources[0]} and {len(sources) - 1} more"


def short(digest: str) -> str:
    """The digits by which computations, or codes, of one problem are told apart."""
    return digest[:_SHORT]


def computation_heading(computation: str, inputs: Sequence[str] | None, heads: Sequence[str], codes: int = 1) -> str:
    """A computation in a line: what it takes, and at which heads it stands."""
    counted = f", {codes} codes" if codes > 1 else ""
    taken = ", ".join(inputs) if inputs else "inputs not known"
    stands = f"at head of {listed(heads)}" if heads else "at no head any more"
    return f"Computation {short(computation)}{counted} · {taken} · {stands}"


def copies(number: int) -> str:
    """``1 copy``, ``90 copies``."""
    return f"{count(number)} {'copy' if number == 1 else 'copies'}"
