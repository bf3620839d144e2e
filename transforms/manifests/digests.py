"""A manifest's digest: SHA-256 over the RFC 8785 canonical JSON of `apiVersion`, `kind` and `spec`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import msgspec
import polars as pl
import rfc8785

from transforms.identities import sha256_hex
from transforms.manifests.kinds import ALGORITHM, Manifest

Document = dict[str, Any]
"""`apiVersion`, `kind`, `spec`, `metadata`."""

HASHED = ("apiVersion", "kind", "spec")
"""The members that a digest is over: a manifest keeps its digest under another name or title."""

_MARK = re.compile(r'"\{(\w+)\}"')


def canonical(document: Mapping[str, Any]) -> bytes:
    """What a digest is over. A missing member is a KeyError, a value without canonical JSON a ValueError."""
    return rfc8785.dumps({member: document[member] for member in HASHED})


def digest(document: Mapping[str, Any]) -> str:
    """A manifest's identity: `sha256:` and 64 hex digits."""
    return f"{ALGORITHM}:{hashlib.sha256(canonical(document)).hexdigest()}"


def marks(*names: str) -> dict[str, Any]:
    """Something to stand in a document's body for each of these facts, see `digest_column`."""
    return {name: f"{{{name}}}" for name in names}


def digest_column(marked: Manifest, facts: Mapping[str, pl.Expr]) -> pl.Expr:
    """The digests of many manifests that differ only where `marked` has marks.

    `facts` are canonical JSON by the marks' names. The text of the marked manifest is cut at its marks and
    put together again around the columns, so that no Python runs per row. Null where a fact is null.
    """
    first, *rest = _MARK.split(canonical(msgspec.to_builtins(marked)).decode())
    parts = [pl.lit(first)]
    for name, after in zip(rest[::2], rest[1::2], strict=True):
        parts += [facts[name], pl.lit(after)]
    return pl.concat_str(pl.lit(f"{ALGORITHM}:"), sha256_hex(pl.concat_str(parts)))
