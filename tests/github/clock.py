"""Time as a test wants it: waiting moves it on and takes none."""

from __future__ import annotations

from datetime import datetime
from threading import Lock

NOON = datetime.fromisoformat("2026-03-05T12:00:00+00:00").timestamp()


class Clock:
    """Seconds since 1970, for server and client alike; ``slept`` keeps every wait."""

    def __init__(self, now: float = NOON) -> None:
        self.now = now
        self.slept: list[float] = []
        self._lock = Lock()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.now += seconds
            self.slept.append(seconds)
