"""Where an ingest works, and when it began: what every step may need."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime

from warehouse.home import Home
from warehouse.landing import Landing


@dataclass(frozen=True)
class Workspace:
    """Where an ingest works: the home and landing it may write to, and the home whose published file it starts from."""

    home: Home
    landing: Landing
    base: Home

    @classmethod
    def real(cls, home: Home) -> Workspace:
        """Work in a home itself, whose lock is held."""
        return cls(home, Landing(home.landing, locked=True), home)

    @classmethod
    def rehearsal(cls, home: Home, scratch: Home) -> Workspace:
        """Read from ``home``, write to ``scratch`` only."""
        return cls(scratch, Landing(scratch.landing, beneath=Landing(home.landing)), home)

    @property
    def is_real(self) -> bool:
        """Whether what is made here counts."""
        return self.home == self.base


@dataclass(frozen=True)
class Started:
    """An ingest that was begun ``at`` a moment of the wall clock, which may be set while it runs."""

    ingest_id: str
    at: datetime
    _reading: float

    @classmethod
    def now(cls) -> Started:
        """Begin now, in this process."""
        at = datetime.now(UTC)
        return cls(f"{at:%Y%m%dT%H%M%S%f}Z-{os.getpid()}", at, time.monotonic())

    @property
    def seconds(self) -> float:
        """Since it began, by a clock that nobody sets."""
        return round(time.monotonic() - self._reading, 6)
