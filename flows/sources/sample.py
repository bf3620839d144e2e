"""``sample``: the facts of the public lineages' whole histories that ship inside the package (DESIGN.md section 14).

Facts, not files: the figures are rendered back into upstream's JSON shape, and of a problem module the source hands
over what the module reader would have read. Everything after the source is the path that any other source takes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from flows.sources.interface import Blob, Chain, Revision, SourceError, github_url, shared
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import Layout
from transforms.registry import upstream
from warehouse.landing import git_blob_id

SHIPPED = Path(__file__).parent / "sample_data"

FIGURES = ("mean", "std", "min", "max", "num_trials", "hardware", "device")
"""What entries of timing files say; whatever else one says stands beside it as JSON text."""

_TEXT = pl.String
SAMPLE_TABLES: Mapping[str, Mapping[str, Any]] = {
    "lineages": dict.fromkeys(("source", "root", "modules"), _TEXT),  # in the order in which they are told
    "revisions": {
        "source": _TEXT,
        "position": pl.Int64,  # null: a head that is no revision
        "revision": _TEXT,
        "committed_at": pl.Datetime("us"),
        "requirements_torch": _TEXT,
        "readme_torch": _TEXT,
        "readme_cuda": _TEXT,
    },
    "trees": dict.fromkeys(("revision", "path", "blob"), _TEXT),  # forks share their commits
    "timings": {
        "blob": _TEXT,
        "level": _TEXT,
        "key": _TEXT,
        **dict.fromkeys(("mean", "std", "min", "max"), pl.Float64),
        "num_trials": pl.Int64,
        "hardware": _TEXT,
        "device": _TEXT,
        "more": _TEXT,
    },
    "problems": {"blob": _TEXT, "facts": _TEXT},
}


class SampleFacts:
    """The facts of every lineage of a sample, each read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def lineages(self) -> dict[str, dict[str, Any]]:
        """Where each lineage keeps its files, by its name, upstream first."""
        return {row["source"]: row for row in self.table("lineages").iter_rows(named=True)}

    @cached_property
    def revisions(self) -> pl.DataFrame:
        """The revisions of all lineages."""
        return self.table("revisions")

    @cached_property
    def trees(self) -> dict[str, pl.DataFrame]:
        """``path, blob`` by commit."""
        parts = self.table("trees").partition_by("revision", as_dict=True, maintain_order=True, include_key=False)
        return {str(key[0]): part for key, part in parts.items()}

    @cached_property
    def timings(self) -> dict[str, pl.DataFrame]:
        """The entries of each timing file by its blob."""
        parts = self.table("timings").partition_by("blob", as_dict=True, maintain_order=True, include_key=False)
        return {str(key[0]): part for key, part in parts.items()}

    @cached_property
    def modules(self) -> dict[str, bytes]:
        """What reading each module would give, by its blob."""
        return {blob: facts.encode() for blob, facts in self.table("problems").iter_rows()}

    def table(self, name: str) -> pl.DataFrame:
        """One table; raises SourceError where it is not there."""
        try:
            return pl.read_parquet(self._folder / f"{name}.parquet")
        except FileNotFoundError as missing:
            raise SourceError(f"{missing.filename or name}: the sample's facts are not there; reinstall") from None


def sample_facts(folder: Path | None = None) -> SampleFacts:
    """The shipped facts, or those in ``folder``, shared by the lineages that are read from it."""
    return _facts_in(folder or SHIPPED)


@cache
def _facts_in(folder: Path) -> SampleFacts:
    return SampleFacts(folder)


class SampleSource:
    """A lineage read from Parquet facts."""

    kind = "sample"
    requests_made: Mapping[str, int] = {}

    def __init__(self, folder: Path | None = None, lineage: str | None = None, name: str | None = None) -> None:
        """Read one lineage of the shipped facts, or of those in ``folder``: upstream, where none is named.

        Raises SourceError where facts are missing.
        """
        self._facts = sample_facts(folder)
        self._lineage = lineage or upstream()
        if self._lineage not in self._facts.lineages:
            raise SourceError(f"{self._lineage}: not in the sample; there is: {', '.join(self._facts.lineages)}")
        told = self._facts.lineages[self._lineage]
        self.name = name or self._lineage
        self.url: str | None = github_url(self.name)
        self.layout = Layout(told["root"], told["modules"])

    def listings(self) -> Iterator[Collection[str]]:
        """See Source. Facts are of tracked files alone."""
        yield self.files(self._head)

    def read_at(self, layout: Layout, name: str) -> None:
        """See Source. The facts are of one root: that of the lineage."""
        self.layout, self.name = layout, name

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source."""
        rows = self._rows.filter(pl.col("position").is_not_null()).select("revision", "committed_at").iter_rows()
        chain = [_revision(*row) for row in rows]
        start = shared(known, [revision.id for revision in chain])
        if start < len(known):
            raise SourceError(
                f"{self.name}: does not contain revision {known[start][:12]}, which the warehouse already holds; "
                "ingest a newer state of it, or give another --name to keep it as a lineage of its own"
            )
        return Chain(new=tuple(chain[start:]), head=self._head)

    def files(self, revision: Revision) -> Mapping[str, str]:
        """See Source. What a revision declares is rendered as the two files that would say it."""
        if revision.id not in self._facts.trees:
            raise SourceError(f"{self.name}: the sample has no revision {revision.id[:12]}; ingest it from elsewhere")
        stated = {path: git_blob_id(text) for path, text in self._declarations(revision.id).items()}
        return {**dict(self._facts.trees[revision.id].iter_rows()), **stated}

    def read(self, blobs: Sequence[str]) -> Iterator[Blob]:
        """See Source."""
        declarations = {
            git_blob_id(text): text
            for revision in self._rows["revision"]
            for text in self._declarations(revision).values()
        }
        for blob in blobs:
            if blob in declarations:
                yield Blob(blob, declarations[blob])
            elif blob in self._facts.timings:
                yield Blob(blob, timing_json(self._facts.timings[blob]), "stated")
            elif blob in self._facts.modules:
                yield Blob(blob, self._facts.modules[blob], "stated")

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def _head(self) -> Revision:
        return _revision(*self._rows.select("revision", "committed_at").row(-1))

    @cached_property
    def _rows(self) -> pl.DataFrame:
        """The revisions in order, then a head that is none: the last is the head."""
        return self._facts.revisions.filter(source=self._lineage).sort("position", nulls_last=True)

    def _declarations(self, revision: str) -> dict[str, bytes]:
        row = self._rows.row(by_predicate=pl.col("revision") == revision, named=True)
        found = {}
        if row["requirements_torch"] is not None:
            found[self.layout.requirements] = f"{row['requirements_torch']}\n".encode()
        if row["readme_torch"] or row["readme_cuda"]:
            said = [f"{what} `{row[key]}`" for what, key in _README_SAYS if row[key]]
            found[self.layout.readme] = f"Measured with {' and '.join(said)}.\n".encode()
        return found


def from_spec(rest: str, options: SourceOptions, opening: Opening) -> SampleSource:  # noqa: ARG001  (nothing to keep)
    """See flows.sources.kinds.Opener."""
    return SampleSource(lineage=rest or None, name=options.name)


def every_lineage() -> list[str]:
    """The lineages that ship, upstream first."""
    return list(sample_facts().lineages)


def _revision(revision: str, committed_at: datetime) -> Revision:
    return Revision(revision, committed_at.replace(tzinfo=UTC))


_README_SAYS = (("PyTorch", "readme_torch"), ("CUDA", "readme_cuda"))


def timing_json(rows: pl.DataFrame) -> bytes:
    """One timing file's figures in upstream's shape; an entry without figures is the null that upstream wrote."""
    document: dict[str, dict[str, Any]] = {}
    for row in rows.iter_rows(named=True):
        level = document.setdefault(row["level"], {})
        if row["key"] is None:
            continue
        said = {name: row[name] for name in FIGURES if row[name] is not None}
        said |= msgspec.json.decode(row["more"]) if row["more"] else {}
        level[row["key"]] = said or None
    return msgspec.json.encode(document)
