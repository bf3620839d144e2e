"""Reasons as a person says them: why a figure is stale, why it or its problem is another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_SENTENCES = {
    "unreachable": "the branch was rewritten and shows it no more",
    "withdrawn": "withdrawn on {withdrawn}",
    "problem_changed": "the problem's code has changed since{change}",
    "binding_doubtful": "faster than the hardware permits for the code beside it, like others of its file",
    "toolchain_changed": "the repository declares another PyTorch or CUDA since",
    "harness_changed": "the timing scripts have changed since",
    "age": "{age} days old",
    "source_unchecked": "the source has not been checked lately",
}

CHANGES = {
    "measured_again": "measured again, the code is equal",
    "inputs_redrawn": "inputs are drawn otherwise, the computation is the same",
    "inputs_changed": "other shapes, dtypes or constructor arguments",
    "computation_changed": "on equal inputs something else is computed",
    "returned": "the same figures were put back",
    "gone": "there is no such problem any more",
}
"""Why a figure or a problem is another one, as ``baseline_history`` and ``workload_changes`` say it."""

REASONS = tuple(_SENTENCES)
"""Every reason that there is."""

SEVERITIES = {
    "error": "does not answer for today's code",
    "warn": "may not: another toolchain or harness since, or a source unchecked",
    "note": "only old",
}
"""How grave a reason is, the gravest first, and what that means for who wants to use a figure today."""

_UNRANKED = {
    "unreachable": "the branch was rewritten and shows it no more",
    "module_missing": "no module of that name beside the figures",
    "module_not_python": "the module is not Python",
    "copy": "the same figures appeared earlier in another source",
    "binding_doubtful": "taken on other code than the module beside it, by what the hardware permits",
}


def severities_explained() -> list[str]:
    """A line for each severity, that says what it means."""
    return [f"  {severity}: {meaning}" for severity, meaning in SEVERITIES.items()]


def why_unranked(reasons: Iterable[str]) -> str:
    """Why a run holds no record, from its ``ineligible_reasons``."""
    return "; ".join(_UNRANKED.get(reason, reason) for reason in reasons)


def by_severity(counts: Mapping[str, int], nothing: int | None = None) -> str:
    """``10 error, 494 warn, 496 note``; what nothing is said against goes first, where it is counted."""
    told = [f"nothing against {nothing:,}"] if nothing else []
    return ", ".join([*told, *(f"{counts[name]:,} {name}" for name in SEVERITIES if counts[name])]) or "none"


def why_changed(change: str | None) -> str:
    """Why a figure or a problem is another one; null: it cannot be told."""
    return CHANGES[change] if change else "how the code changed cannot be told"


def in_words(row: Mapping[str, Any]) -> str:
    """The reasons of one run as sentences.

    From its ``reasons`` (or ``stale_reasons``), ``age_days``, ``withdrawn_at`` and ``change`` (or ``equivalent``).
    """
    reasons = row.get("reasons") or row.get("stale_reasons") or []
    withdrawn = row.get("withdrawn_at")
    facts = {
        "withdrawn": withdrawn.date().isoformat() if withdrawn else "a date unknown",
        "change": _change(row),
        "age": row["age_days"],
    }
    return "; ".join(_SENTENCES.get(reason, reason).format(**facts) for reason in reasons)


def _change(row: Mapping[str, Any]) -> str:
    if row.get("equivalent"):
        return ", the computation has not"
    return f" ({CHANGES[row['change']]})" if row.get("change") else ""
