"""How often Python looks for garbage while much is made and nothing is thrown away."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS_BETWEEN_LOOKS = 100_000
"""Python's own 700 has it look a hundred times while modules are imported, a twentieth of a short command's time, and
hundreds of times while an ingest parses modules, a tenth of its time."""


@contextmanager
def looked_for_rarely() -> Iterator[None]:
    """Garbage is looked for when a hundred thousand objects are new, and afterwards as before."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS_BETWEEN_LOOKS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
