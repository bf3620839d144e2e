"""Staleness reasons as a person says them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SENTENCES = {
    "withdrawn": "withdrawn on {withdrawn}",
    "problem_changed": "the problem's code has changed since{equivalent}",
    "toolchain_changed": "the repository declares another PyTorch or CUDA since",
    "harness_changed": "the timing scripts have changed since",
    "age": "{age} days old",
    "source_unchecked": "the source has not been looked at lately",
}

REASONS = tuple(_SENTENCES)
"""Every reason that there is."""


def in_words(row: Mapping[str, Any]) -> str:
    """The reasons of one run as sentences.

    From its ``reasons`` (or ``stale_reasons``), ``age_days``, ``withdrawn_at`` and ``equivalent``.
    """
    reasons = row.get("reasons") or row.get("stale_reasons") or []
    withdrawn = row.get("withdrawn_at")
    facts = {
        "withdrawn": withdrawn.date().isoformat() if withdrawn else "a date unknown",
        "equivalent": ", the computation has not" if row.get("equivalent") else "",
        "age": row["age_days"],
    }
    return "; ".join(_SENTENCES.get(reason, reason).format(**facts) for reason in reasons)
