"""``sample``: the facts of upstream's whole history that ship inside the package (DESIGN.md section 14).

Facts, not files: the figures are rendered back into upstream's JSON shape, and of a problem module the source hands
over what the module reader would have read. Everything after the source is the path that any other source takes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from flows.sources.interface import Blob, Chain, Revision, SourceError, shared
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import TOP, Layout
from transforms.registry import upstream
from warehouse.landing import git_blob_id

_FIGURES = ("mean", "std", "min", "max", "num_trials", "hardware", "device")


class SampleSource:
    """A lineage read from Parquet facts: ``revisions``, ``trees``, ``timings``, ``problems``."""

    kind = "sample"
    requests_made: Mapping[str, int] = {}

    def __init__(self, folder: Path | None = None, name: str | None = None) -> None:
        """Read the shipped facts, or those in ``folder``; raises SourceError where they are missing."""
        self._folder = folder
        self.name = name or upstream()
        self.url: str | None = f"https://github.com/{self.name.partition('@')[0]}"
        self.layout = TOP

    def listings(self) -> Iterator[Collection[str]]:
        """See Source. Facts are of tracked files alone."""
        yield self.files(self.revisions(()).head)

    def read_at(self, layout: Layout, name: str) -> None:
        """See Source. Facts stand where upstream keeps its files."""
        self.layout, self.name = layout, name

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source. The head is the newest revision: of later commits the sample knows nothing."""
        chain = [
            Revision(revision, committed_at.replace(tzinfo=UTC))
            for revision, committed_at in self._revisions.select("revision", "committed_at").iter_rows()
        ]
        start = shared(known, [revision.id for revision in chain])
        if start < len(known):
            raise SourceError(
                f"{self.name}: does not contain revision {known[start][:12]}, which the warehouse already holds; "
                "ingest a newer state of it, or give another --name to keep it as a lineage of its own"
            )
        return Chain(new=tuple(chain[start:]), head=chain[-1])

    def files(self, revision: Revision) -> Mapping[str, str]:
        """See Source. What a revision declares is rendered as the two files that would say it."""
        tree = self._facts("trees").filter(pl.col("revision") == revision.id)
        stated = {path: git_blob_id(text) for path, text in self._declarations(revision.id).items()}
        return {**dict(tree.select("path", "blob").iter_rows()), **stated}

    def read(self, blobs: Sequence[str]) -> Iterator[Blob]:
        """See Source."""
        declarations = {
            git_blob_id(text): text
            for revision in self._revisions["revision"]
            for text in self._declarations(revision).values()
        }
        for blob in blobs:
            if blob in declarations:
                yield Blob(blob, declarations[blob])
            elif blob in self._timings:
                yield Blob(blob, self._timings[blob], "stated")
            elif blob in self._modules:
                yield Blob(blob, self._modules[blob], "stated")

    def close(self) -> None:
        """Nothing is held open."""

    @cached_property
    def _revisions(self) -> pl.DataFrame:
        return self._facts("revisions").sort("position")

    @cached_property
    def _timings(self) -> dict[str, bytes]:
        parts = self._facts("timings").partition_by("blob", as_dict=True, maintain_order=True, include_key=False)
        return {str(key[0]): _timing_json(part) for key, part in parts.items()}

    @cached_property
    def _modules(self) -> dict[str, bytes]:
        return {blob: facts.encode() for blob, facts in self._facts("problems").select("blob", "facts").iter_rows()}

    def _declarations(self, revision: str) -> dict[str, bytes]:
        row = self._revisions.row(by_predicate=pl.col("revision") == revision, named=True)
        found = {}
        if row["requirements_torch"] is not None:
            found[TOP.requirements] = f"{row['requirements_torch']}\n".encode()
        if row["readme_torch"] or row["readme_cuda"]:
            said = [f"{what} `{row[key]}`" for what, key in _README_SAYS if row[key]]
            found[TOP.readme] = f"Measured with {' and '.join(said)}.\n".encode()
        return found

    def _facts(self, name: str) -> pl.DataFrame:
        try:
            if self._folder is not None:
                return pl.read_parquet(self._folder / f"{name}.parquet")
            with as_file(files("flows.sources") / "sample_data" / f"{name}.parquet") as path:
                return pl.read_parquet(path)
        except FileNotFoundError as missing:
            raise SourceError(f"{missing.filename or name}: the sample's facts are not there; reinstall") from None


def from_spec(rest: str, options: SourceOptions, opening: Opening) -> SampleSource:  # noqa: ARG001  (there is one)
    """See flows.sources.kinds.Opener."""
    return SampleSource(name=options.name)


_README_SAYS = (("PyTorch", "readme_torch"), ("CUDA", "readme_cuda"))


def _timing_json(rows: pl.DataFrame) -> bytes:
    """One timing file's figures in upstream's shape; an entry without figures is the null that upstream wrote."""
    document: dict[str, dict[str, Any]] = {}
    for row in rows.iter_rows(named=True):
        level = document.setdefault(row["level"], {})
        if row["key"] is None:
            continue
        measured = {name: row[name] for name in _FIGURES if row[name] is not None}
        level[row["key"]] = measured if row["mean"] is not None else None
    return msgspec.json.encode(document)
