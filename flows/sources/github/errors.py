"""How asking GitHub fails, and how what an answer holds is shown in a message."""

from __future__ import annotations

import requests
import urllib3

from flows.sources.github.patience import Patience
from flows.sources.interface import SourceError

_LONGEST_SHOWN = 80


class Again(Exception):
    """A failure that may pass. Never raised to a caller of the client, except while an archive is read."""


class Denied(SourceError):
    """The host has an answer, and it is no: 4xx. ``status`` says which."""

    def __init__(self, words: str, status: int = 0) -> None:
        """Say it in words."""
        super().__init__(words)
        self.status = status


class GaveUp(SourceError):
    """A failure that did not pass."""

    may_pass = True


class TooLarge(SourceError):
    """An answer of a size that none should have."""


def shown(text: str, longest: int = _LONGEST_SHOWN) -> str:
    """The beginning of a text from a server, in one line, with what is no plain character escaped."""
    return "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text[:longest])[:longest]


def what_broke(error: Exception, patience: Patience) -> str:
    """An error of the network in words of our own."""
    said: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
        (requests.exceptions.ConnectTimeout, f"no connection within {patience.connect_s:g} s"),
        ((requests.exceptions.ReadTimeout, urllib3.exceptions.ReadTimeoutError), f"silent for {patience.read_s:g} s"),
        (requests.exceptions.ProxyError, "the proxy does not let it through"),
        (requests.exceptions.SSLError, "its certificate is not accepted"),
        (requests.exceptions.ChunkedEncodingError, "the connection broke in the middle of an answer"),
        (requests.exceptions.ContentDecodingError, "the answer is damaged"),
        (urllib3.exceptions.ProtocolError, "the connection broke in the middle of an answer"),
        (requests.exceptions.ConnectionError, "no connection, or one that broke"),
    )
    unknown = f"what came cannot be read ({type(error).__name__})"
    return next((words for kind, words in said if isinstance(error, kind)), unknown)
