"""How long a server is waited for, how often it is asked, and how large an archive of it may be."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_ARCHIVE = 2**30
"""As it comes, packed. Clones of lineages are tens of MB, results and all."""


@dataclass(frozen=True)
class Patience:
    """How long to wait for what, in seconds, and how often to try."""

    connect_s: float = 10
    read_s: float = 60
    """For one silence, and for the whole head of an answer."""
    transfer_s: float = 600
    """For the body of an answer, or of a file."""
    archive_s: float = 1200
    complaint_s: float = 10
    """For the body of a refusal: its status says enough."""
    attempts: int = 6
    longest_backoff_s: float = 30
    longest_wait_s: float = 900
    """In all, where GitHub asks for it; where it asks for more, the ingest ends and says when to come back."""
    request_s: float = 1500
    """After so long a request is not sent once more: time for the waits, and for a transfer."""
    source_s: float = 7200
    """After so long no request is sent: a first ingest takes minutes, and hours where limits end it in between."""
    requests: int = 20_000
    """Of one source, from its opening to its end; GitHub's limit is 5,000 an hour with a token."""
