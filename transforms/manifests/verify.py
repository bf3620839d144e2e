"""Recompute the digests that manifests claim, and say which hold.

Two things claim a digest: a digest beside a manifest, and a manifest that refers to another. Digests of
module files are not recomputed, their bytes are not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from transforms.manifests.digests import HASHED, digest
from transforms.manifests.kinds import ALGORITHM

REFERENCES = {
    ("operationSpecDigest",): "OperationSpec",
    ("operation", "specDigest"): "OperationSpec",
    ("workloadDigest",): "WorkloadCase",
    ("implementationDigest",): "ImplementationRevision",
    ("environmentDigest",): "ExecutionEnvironment",
    ("protocolDigest",): "BenchmarkProtocol",
}
"""Where a body names another manifest by its digest, and of which kind that is."""

_DIGEST = "digest"
_WRAPPED = "manifest"


@dataclass(frozen=True)
class Verdict:
    """One claimed digest.

    `recomputed` is that of the manifest it is claimed of. It is None where that manifest has no canonical
    JSON, or where several manifests could be meant and the claim is none of theirs.
    """

    name: str
    """Where the claim stands: `run.spec.protocolDigest`."""
    claimed: str
    recomputed: str | None

    @property
    def holds(self) -> bool:
        """Whether the claim is what the manifest gives."""
        return self.claimed == self.recomputed


@dataclass(frozen=True)
class _Claim:
    """A digest as it is written (whatever that is), and where."""

    name: str
    digest: object


@dataclass
class _Group:
    """The manifests anywhere within one object or list, by kind: what a reference in it may mean."""

    digests: dict[str, set[str | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Found:
    """A manifest, where it stands, what is claimed of it, and the groups it is in, innermost first."""

    path: str
    manifest: Mapping[str, Any]
    digest: str | None
    claims: tuple[_Claim, ...]
    groups: tuple[_Group, ...]


def verify(document: object) -> list[Verdict]:
    """A verdict per claimed digest, in the order of the document; none where it claims none.

    The document is parsed JSON: a manifest (with a member `digest`, if it has one), an object with `digest`
    and `manifest`, an object of manifests by their digests, the manifests of one run by name (`run`,
    `protocol`, `environment`, ...), or lists and objects of any of these. A reference means the manifest of
    its kind in the smallest object or list around it that has one, or, among several, the one with that
    digest; where there is none of its kind it is not judged. ValueError: the document is nested too deeply.
    """
    try:
        found = list(_manifests(document, "", (), ()))
    except RecursionError:
        raise ValueError("nested too deeply for a set of manifests") from None
    for one in found:
        for group in one.groups:
            group.digests.setdefault(str(one.manifest["kind"]), set()).add(one.digest)
    return [verdict for one in found for verdict in (*_claimed(one), *_referred(one))]


def _manifests(
    value: object,
    path: str,
    claims: tuple[_Claim, ...],
    groups: tuple[_Group, ...],
) -> Iterator[_Found]:
    """Every manifest within a value; `claims` are those that stand around it."""
    if _is_manifest(value):
        own = (_Claim(_at(path, _DIGEST), value[_DIGEST]),) if _DIGEST in value else ()
        yield _Found(path, value, _digest(value), (*claims, *own), groups)
    elif isinstance(value, Mapping):
        yield from _members(value, path, groups)
    elif isinstance(value, list):
        inner = (_Group(), *groups)
        for position, item in enumerate(value):
            yield from _manifests(item, f"{path}[{position}]", (), inner)


def _members(value: Mapping[Any, Any], path: str, groups: tuple[_Group, ...]) -> Iterator[_Found]:
    """A wrapper (`digest`, `manifest`) is no group: what its manifest refers to stands beside it."""
    wrapped = _DIGEST in value and _is_manifest(value.get(_WRAPPED))
    inner = groups if wrapped else (_Group(), *groups)
    for member, item in value.items():
        where = _at(path, str(member))
        claims: tuple[_Claim, ...] = ()
        if wrapped and member == _WRAPPED:
            claims = (_Claim(_at(path, _DIGEST), value[_DIGEST]),)
        elif str(member).startswith(f"{ALGORITHM}:"):
            claims = (_Claim(where, member),)
        yield from _manifests(item, where, claims if _is_manifest(item) else (), inner)


def _is_manifest(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping) and all(member in value for member in HASHED)


def _digest(manifest: Mapping[str, Any]) -> str | None:
    """None for what has no canonical JSON: NaN, integers beyond 2^53, lone surrogates, endless nesting."""
    try:
        return digest(manifest)
    except (ValueError, RecursionError):
        return None


def _claimed(one: _Found) -> Iterator[Verdict]:
    for claim in one.claims:
        if claim.digest is not None:
            yield Verdict(claim.name, str(claim.digest), one.digest)


def _referred(one: _Found) -> Iterator[Verdict]:
    for steps, kind in REFERENCES.items():
        claimed = _inside(one.manifest["spec"], steps)
        meant = next((group.digests[kind] for group in one.groups if kind in group.digests), None)
        if claimed is not None and meant is not None:
            name, digest_ = _at(one.path, ".".join(("spec", *steps))), str(claimed)
            only = next(iter(meant)) if len(meant) == 1 else None
            yield Verdict(name, digest_, digest_ if digest_ in meant else only)


def _inside(value: object, steps: Sequence[str]) -> object:
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _at(path: str, member: str) -> str:
    return f"{path}.{member}" if path else member
