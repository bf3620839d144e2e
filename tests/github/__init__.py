"""A small GitHub on loopback, and a clock that tests move."""

from tests.github.clock import Clock
from tests.github.server import Fault, GitHub, Request

__all__ = ["Clock", "Fault", "GitHub", "Request"]
