"""Everything a published database holds, by name: each with its contract."""

from __future__ import annotations

from itertools import chain

from transforms.contracts import lineages, measurements, problems, rankings, registry, runs
from transforms.contracts.columns import Kind
from transforms.contracts.contract import Contract

OBJECTS: dict[str, Contract] = {
    one.name: one
    for one in chain(
        lineages.CONTRACTS,
        problems.CONTRACTS,
        runs.CONTRACTS,
        rankings.CONTRACTS,
        measurements.CONTRACTS,
        registry.CONTRACTS,
    )
}
"""Every table and view."""


def of_kind(kind: Kind) -> dict[str, Contract]:
    """The objects of one kind."""
    return {name: one for name, one in OBJECTS.items() if one.kind == kind}


TABLES = of_kind("table")
"""Made in ``transforms``: held to their contracts before every publish."""

DERIVED = of_kind("derived")
"""Stored, but made by SQL: the checks in ``sql/checks`` hold their rows, a test their columns, types and keys."""

VIEWS = of_kind("view")
"""Worked out at each reading; held as the derived ones are."""

MACROS: dict[str, Contract] = {
    "leaderboard_as_of": rankings.LEADERBOARD,
    "records_as_of": rankings.RECORDS,
    "repeatability_as_of": measurements.REPEATABILITY,
    "staleness_as_of": runs.STALENESS,
}
"""Worked out for the moment that a reader names (UTC, without a time zone attached): what they answer is what the
object answers whose contract they share. The other macros of ``sql/macros`` serve these."""

NOT_IN_SNAPSHOTS = frozenset({"source_health"})
"""How things stand with the one who asks, at the moment of asking: of no use to a reader of a copy."""
