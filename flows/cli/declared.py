"""What a revision declares, as a person says it: software and timing scripts (the rows of ``declared_at``)."""

from __future__ import annotations

from flows.cli.lookup import DIGITS
from flows.cli.render import Row


def software(row: Row) -> str:
    """What was declared, with a conflict as what it is: unknown."""
    if row["toolchain_conflict"]:
        return (
            f"unknown, requirements say {row['requirements_torch']} and the README says PyTorch {row['readme_torch']}"
        )
    return str(row["toolchain"] or "none")


def harness(row: Row) -> str:
    """The timing scripts, by the beginning of their digest, and whether they clear the cache."""
    if row["harness_digest"] is None:
        return "none"
    known = {True: "clear the L2 cache", False: "time with a warm cache", None: "what they do is not known"}
    return f"{row['harness_digest'][:DIGITS]} ({known[row['harness_l2_cleared']]})"
