"""A transfer's end: by when its bytes must have come, and how many they may be.

The timeouts of ``requests`` are for one silence: a server that sends a byte a second never meets them, in a body or in
headers, and lines that delimit the body are read by the libraries below without a limit. So each response reads its
socket through a counter that holds the time left, and every byte on the wire passes it.
"""

from __future__ import annotations

import io
import time
from contextvars import ContextVar
from http.client import HTTPResponse
from socket import socket
from typing import Any

from requests import PreparedRequest
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool

from flows.sources.github.errors import Again, TooLarge


class Bounds:
    """The bounds of one transfer, for the part of it that is on its way: first the head of the answer, then more."""

    def __init__(self, name: str, host: str, seconds: float, size: int) -> None:
        """``name``, the source's, and ``host`` are for messages."""
        self._name, self._host = name, host
        self.allow(seconds, size)

    def allow(self, seconds: float, size: int) -> None:
        """From now on so long, and so many bytes."""
        self._seconds, self._size = seconds, size
        self._until, self._left = time.monotonic() + seconds, size

    def time_left(self) -> float:
        """Seconds; raises Again where none are left."""
        left = self._until - time.monotonic()
        if left > 0:
            return left
        raise self.late()

    def late(self) -> Again:
        """What to raise where no time is left."""
        return Again(f"{self._host} is too slow: the answer was not whole within {self._seconds:g} s")

    def spend(self, count: int) -> None:
        """Count bytes that came; raises TooLarge where they are too many."""
        self._left -= count
        if self._left < 0:
            raise TooLarge(
                f"{self._name}: {self._host} sends more than {self._size >> 10} KiB where that much cannot be"
            )


BOUNDS: ContextVar[Bounds] = ContextVar("bounds")
"""Of the request that this thread is about to send: the libraries between have no argument that would reach so far."""


class BoundedAdapter(HTTPAdapter):
    """Pooled connections whose answers keep to ``BOUNDS``."""

    def get_connection_with_tls_context(
        self,
        request: PreparedRequest,
        verify: bool | str,
        proxies: dict[str, str] | None = None,
        cert: tuple[str, str] | str | None = None,
    ) -> HTTPConnectionPool:
        """See HTTPAdapter."""
        pool = super().get_connection_with_tls_context(request, verify, proxies, cert)
        if "response_class" not in vars(pool.ConnectionCls):
            pool.ConnectionCls = type("Bounded", (pool.ConnectionCls,), {"response_class": _BoundedResponse})
        return pool


class _BoundedResponse(HTTPResponse):
    """An answer that is read within the bounds of the request that it belongs to."""

    def __init__(self, sock: socket, *arguments: Any, **more: Any) -> None:
        super().__init__(sock, *arguments, **more)
        self.fp = io.BufferedReader(_BoundedReader(self.fp.detach(), sock, BOUNDS.get()))

    def begin(self) -> None:
        """Read the head. No cookie is kept, and none read: what reads them prints tracebacks of odd ones."""
        super().begin()
        for name in ("Set-Cookie", "Set-Cookie2"):
            del self.headers[name]


class _BoundedReader(io.RawIOBase):
    """The bytes of a socket. Its own timeout, for one silence, is shortened to the time that is left."""

    def __init__(self, raw: Any, connection: socket, bounds: Bounds) -> None:
        """``raw`` reads from the connection, and keeps it open until it is closed."""
        self._raw = raw
        self._connection = connection
        self._silence = connection.gettimeout()
        self._bounds = bounds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """What has come; raises TimeoutError where nothing comes, Again and TooLarge at the bounds."""
        left = self._bounds.time_left()
        self._connection.settimeout(left if self._silence is None else min(self._silence, left))
        count: int | None = None
        try:
            count = self._raw.readinto(buffer)
        except TimeoutError:
            if self._silence is not None and self._silence <= left:
                raise
        if count is None:
            raise self._bounds.late()
        self._bounds.spend(count)
        return count

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()
