"""A digest before what is kept, compared on reading: of whatever has no git id (DESIGN.md section 3).

A sealed file is a line of JSON that holds the SHA-256, and what is kept, byte for byte. What it is and whose goes into
the digest, so that a file under another's name is seen too.
"""

from __future__ import annotations

import hashlib
import re

_SEAL = re.compile(rb'\{"sha256":"([0-9a-f]{64})"\}\n')
_LENGTH = len('{"sha256":""}\n') + 64


class Broken(Exception):
    """The digest is not that of what it stands before, or there is none."""


def seal(kind: str, name: str, body: bytes) -> bytes:
    """Put its digest before ``body``, which is the ``kind`` of thing that is kept under ``name``."""
    return b'{"sha256":"%s"}\n%s' % (_digest(kind, name, body), body)


def unseal(kind: str, name: str, data: bytes, *, or_plain: bool = False) -> bytes:
    """What was sealed as this kind, under this name; raises Broken. ``or_plain``: also what was kept without a seal."""
    found = _SEAL.match(data)
    if found is None and or_plain:
        return data
    body = data[_LENGTH:]
    if found is None or found[1] != _digest(kind, name, body):
        raise Broken
    return body


def is_sealed(data: bytes) -> bool:
    """Whether a digest stands before what is kept; it need not be right."""
    return _SEAL.match(data) is not None


def _digest(kind: str, name: str, body: bytes) -> bytes:
    return hashlib.sha256(b"%s\0%s\0%s" % (kind.encode(), name.encode(), body)).hexdigest().encode()
