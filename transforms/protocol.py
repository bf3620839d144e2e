"""How upstream measures: the public index's document, carried as data, and its identity (DESIGN.md section 8)."""

from __future__ import annotations

import copy
from functools import cache

from transforms import registry
from transforms.manifests.digests import Document, digest


def protocol() -> Document:
    """The document as it stands; the caller's own copy."""
    return copy.deepcopy(registry.protocol())


@cache
def protocol_digest() -> str:
    """Its interoperable digest, over ``apiVersion, kind, spec``: its metadata is a label."""
    return digest(registry.protocol())


def protocol_id() -> str:
    """Its native identity: the same digest without the algorithm's name."""
    return protocol_digest().partition(":")[2]
