"""The published schemas are those of the code, and manifests are as they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.transforms.manifests.made_up import PIN, PROBLEM, RUN
from tools.build_schemas import SCHEMAS, texts
from transforms.manifests.digests import Document
from transforms.manifests.documents import environment, manifests
from transforms.manifests.schemas import schemas

MANIFESTS = {document["kind"]: document for document in manifests(RUN, PROBLEM, PIN).values()}

every_kind = pytest.mark.parametrize("kind", schemas())


def errors(document: Document) -> list[str]:
    validator = Draft202012Validator(schemas()[document["kind"]])
    return [error.message for error in validator.iter_errors(document)]


def test_there_is_a_schema_per_kind() -> None:
    assert set(schemas()) == set(MANIFESTS)


def test_the_published_files_are_those_of_the_code() -> None:
    """Else: python tools/build_schemas.py."""
    published = {path.name: path.read_text(encoding="utf-8") for path in Path(SCHEMAS).iterdir()}
    assert published == texts()


@every_kind
def test_a_schema_is_a_schema(kind: str) -> None:
    Draft202012Validator.check_schema(schemas()[kind])


@every_kind
def test_a_manifest_is_as_its_schema_says(kind: str) -> None:
    assert errors(MANIFESTS[kind]) == []


@pytest.mark.parametrize("hardware", [None, "Contraption 9", "Tesla T4"])
def test_other_gpus_are_as_the_schema_says(hardware: str | None) -> None:
    assert errors(environment("my_box", hardware)) == []


def test_a_workload_without_scalars_and_a_run_of_days_are_as_the_schemas_say() -> None:
    plain = manifests(
        replace(RUN, mean=1e12, max=1e12), replace(PROBLEM, scalars={}), replace(PIN, repository_url=None)
    )
    assert [errors(document) for document in plain.values()] == [[]] * 6


def without_a_member(value: object) -> Iterator[object]:
    """A document with one member less, for every member that may not be missing."""
    if isinstance(value, dict):
        for member, item in value.items():
            rest = {name: other for name, other in value.items() if name != member}
            if member not in OPTIONAL:
                yield rest
            if member not in NAMED_BY_THE_PROBLEM:
                yield from ({**rest, member: less} for less in without_a_member(item))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from ([*value[:position], less, *value[position + 1 :]] for less in without_a_member(item))


OPTIONAL = {"scalars", "uri", "vendor", "product", "formFactor", "architecture"}
NAMED_BY_THE_PROBLEM = {"axes", "tensors", "scalars"}


@every_kind
def test_no_other_member_may_be_missing(kind: str) -> None:
    """A constant neither: the manifest without it has another digest."""
    validator = Draft202012Validator(schemas()[kind])
    broken = list(without_a_member(MANIFESTS[kind]))
    assert len(broken) > 5
    for document in broken:
        assert not validator.is_valid(document), document


@every_kind
def test_no_member_may_be_added(kind: str) -> None:
    assert errors({**MANIFESTS[kind], "digest": "sha256:0"})
    assert errors({**MANIFESTS[kind], "spec": {**MANIFESTS[kind]["spec"], "more": 1}})


@pytest.mark.parametrize("claimed", ["sha256:0", "ab" * 32, "sha256:" + "AB" * 32, None])
def test_a_reference_is_a_digest(claimed: str | None) -> None:
    run = MANIFESTS["BenchmarkRun"]
    assert errors({**run, "spec": {**run["spec"], "workloadDigest": claimed}})
