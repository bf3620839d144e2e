"""All that a source gives, to be held beside what git gives."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from flows.sources.git import GitSource
from flows.sources.interface import Blob, Chain, RefusedBlob, Source
from tests.histories import LAB


@dataclass
class Everything:
    chain: Chain
    trees: dict[str, dict[str, str]]
    blobs: dict[str, bytes]
    refused: dict[str, str]


def everything(source: Source) -> Everything:
    """Chain, trees and every blob, asked for as an ingest asks."""
    chain = source.revisions(())
    trees = {revision.id: dict(source.files(revision)) for revision in [*chain.new, chain.head]}
    got = list(source.read(sorted({blob for files in trees.values() for blob in files.values()})))
    blobs = {blob.id: blob.data for blob in got if isinstance(blob, Blob)}
    refused = {blob.id: blob.detail for blob in got if isinstance(blob, RefusedBlob)}
    assert len(got) == len(blobs) + len(refused), "a blob came twice"
    return Everything(chain, trees, blobs, refused)


def everything_by_git(path: Path) -> Everything:
    with closing(GitSource(str(path), None, LAB)) as source:
        return everything(source)
