"""Step: figures are bound to code, machine and moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.steps.plan import Plan

if TYPE_CHECKING:
    from transforms.history.normalise import Normalised
    from transforms.history.reading import Read


def normalise(planned: Plan, read: Read) -> Normalised:
    """Bind figures to code, machine and moment."""
    from transforms.history.normalise import normalise

    return normalise(planned.history, planned.series, planned.needed, read)
