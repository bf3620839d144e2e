"""Baselines in KernelBench's own shape, and as a lock: with what names each figure, so that a score can be made again.

A lock is a timing file that KernelBench's scripts take as ``baseline_file=``: levels, problems, figures. Beside the
levels stands one member, ``kbw_lock``, with the identity of each figure and of the code that counted then, and a digest
over all of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import rfc8785

from transforms.score.baselines import Baseline, BaselineSet, Problem, SetName
from transforms.score.speedup import Measured

MEMBER = "kbw_lock"
FORMAT = 1
_FIGURES = ("mean", "std", "min", "max", "num_trials")


class NoLock(ValueError):
    """A file that is no lock, or not as it was written; its words say which."""


@dataclass(frozen=True)
class Lock:
    """Baselines that were chosen once, and the problems that counted then."""

    against: BaselineSet
    problems: tuple[Problem, ...]
    about: Mapping[str, Any]


def timing_document(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """KernelBench's shape from rows that have ``level, problem, hardware, source_metrics``, in their order."""
    document: dict[str, Any] = {}
    for row in rows:
        document.setdefault(row["level"], {})[row["problem"]] = _entry(row["source_metrics"], row["hardware"])
    return document


def _entry(reported: str, hardware: str | None) -> dict[str, Any]:
    """An entry as KernelBench writes it: figures in milliseconds, then the machine."""
    figures = json.loads(reported)
    entry = {name: figures[name] for name in _FIGURES if name in figures}
    if hardware is not None:
        entry["hardware"] = hardware
    return entry | ({"device": figures["device"]} if "device" in figures else {})


def lock_document(against: BaselineSet, problems: Sequence[Problem], about: Mapping[str, Any]) -> dict[str, Any]:
    """A lock of those figures of a set that are of the problems' code; ``about`` says of what time and lineage."""
    covered = against.covering(problems, equivalent=False)
    figures = [covered[one.level, one.number] for one in problems if (one.level, one.number) in covered]
    document = timing_document(
        {"level": one.level, "problem": one.problem, "hardware": one.hardware, "source_metrics": one.reported}
        for one in figures
    )
    member = {
        "format": FORMAT,
        "source": against.name.source,
        "host": against.name.host,
        "mode": against.name.mode,
        "gpu": against.gpu,
        "precision": against.precision,
        "about": dict(about),
        "problems": [[one.level, one.number, one.name, one.code_digest, one.compute_digest] for one in problems],
        "figures": {f"{one.level}/{one.problem}": _identity(one) for one in figures},
    }
    return {**document, MEMBER: {**member, "sha256": _digest(document, member)}}


def _identity(one: Baseline) -> dict[str, Any]:
    return {
        "run_id": one.run_id,
        "code_digest": one.code_digest,
        "compute_digest": one.compute_digest,
        "revision": one.revision,
        "observed_at": one.observed_at.isoformat(),
        "torch": one.torch,
        "l2_cleared": one.l2_cleared,
        "low_ms": one.measured.low_ms,
        "high_ms": one.measured.high_ms,
        "limit_ratio": one.limit_ratio,
        "number": one.number,
    }


def _digest(document: Mapping[str, Any], member: Mapping[str, Any]) -> str:
    return hashlib.sha256(rfc8785.dumps([dict(document), dict(member)])).hexdigest()


def read_lock(text: str) -> Lock:
    """A lock from its text; raises NoLock where it is none, of a later form, or changed since it was written."""
    try:
        document = json.loads(text)
        member = document.pop(MEMBER)
        claimed = member.pop("sha256")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise NoLock(f"is no lock: it has no member {MEMBER}; kbw lock writes one") from None
    if member.get("format") != FORMAT:
        raise NoLock(f"is a lock of format {member.get('format')!r}; this release reads {FORMAT}")
    if claimed != _digest(document, member):
        raise NoLock("is not as it was written: its digest is another; lock again")
    figures = tuple(_figures(document, member))
    name = SetName(member["source"], member["host"], member["mode"])
    return Lock(
        BaselineSet(name, member["gpu"], member["precision"], figures),
        tuple(Problem(*one) for one in member["problems"]),
        member["about"],
    )


def _figures(document: Mapping[str, Any], member: Mapping[str, Any]) -> Iterable[Baseline]:
    for key, one in member["figures"].items():
        level, problem = key.split("/", 1)
        entry = document[level][problem]
        yield Baseline(
            run_id=one["run_id"],
            number=one["number"],
            level=level,
            problem=problem,
            code_digest=one["code_digest"],
            compute_digest=one["compute_digest"],
            precision=member["precision"],
            measured=Measured(float(entry["mean"]), one["low_ms"], one["high_ms"]),
            present=True,
            observed_at=datetime.fromisoformat(one["observed_at"]),
            revision=one["revision"],
            torch=one["torch"],
            l2_cleared=one["l2_cleared"],
            limit_ratio=one["limit_ratio"],
            hardware=entry.get("hardware"),
            reported=rfc8785.dumps({name: value for name, value in entry.items() if name != "hardware"}).decode(),
        )
