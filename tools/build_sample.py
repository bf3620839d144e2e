"""Build the shipped sample from git repositories: ``python -m tools.build_sample OWNER/REPO=PATH ... [--to DIR]``.

Each repository becomes one lineage of the sample, as ``kbw ingest git:PATH`` would read it; ``OWNER/REPO//ROOT`` where
it keeps its figures below a folder of several, ``PATH@REF`` for another commit than the checked-out one. Only facts go
into the sample: no module text, no timing file. What its modules cost is no part of it: see ``tools/build_costs.py``.
Whether the facts say all that the files say is asked of the readers: where a reading of the facts differs from the
reading of the bytes, nothing is written.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import polars as pl
from polars.testing import assert_frame_equal

from flows.sources.interface import Blob, Revision
from flows.sources.kinds import SourceOptions
from flows.sources.roots import settle
from flows.sources.sample import FIGURES, SAMPLE_TABLES, SHIPPED, timing_json
from flows.sources.spec import open_source
from transforms.history.declared import declared
from transforms.layout import Layout
from transforms.problems.reader import ModuleReading, read_module
from transforms.problems.stated import read_stated_module
from transforms.timings.reader import TimingReadings, read_timings
from warehouse.home import Home
from warehouse.landing import Landing


@dataclass(frozen=True)
class _Shown:
    """What one repository shows: its revisions, its head, their files, and the bytes of all that is read of them."""

    source: str
    layout: Layout
    revisions: tuple[Revision, ...]
    head: Revision
    trees: Mapping[str, Mapping[str, str]]
    blobs: Mapping[str, bytes]

    @property
    def commits(self) -> Iterator[tuple[int | None, Revision]]:
        """The revisions by position, then a head that is none of them."""
        yield from enumerate(self.revisions)
        if self.head not in self.revisions:
            yield None, self.head


def build(repositories: Mapping[str, str], target: Path) -> None:
    """Write the sample's Parquet files, sorted and compressed, so that equal repositories give equal files.

    ``repositories`` are paths by lineage name. Raises AssertionError where facts would not say what the bytes say.
    """
    shown = [_look(name, path) for name, path in repositories.items()]
    tables = {
        "lineages": [(one.source, one.layout.root, one.layout.modules) for one in shown],
        "revisions": [row for one in shown for row in _revisions(one)],
        "trees": sorted({row for one in shown for row in _trees(one)}),
        "timings": list(_timings(shown)),
        "problems": sorted(_problems(shown)),
    }
    target.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        frame = pl.DataFrame(rows, schema=SAMPLE_TABLES[name], orient="row")
        frame.write_parquet(target / f"{name}.parquet", compression="zstd", compression_level=19, statistics=False)


def _look(name: str, path: str) -> _Shown:
    repository, _, root = name.partition("//")
    with tempfile.TemporaryDirectory(prefix="kbw-sample-") as folder:
        home = Home(Path(folder))
        with closing(open_source(f"git:{path}", home, SourceOptions(name=repository))) as source:
            settle(Landing(home.landing), source, root or None, anew=True)
            chain = source.revisions(())
            trees = {one.id: dict(source.files(one)) for one in (*chain.new, chain.head)}
            layout = source.layout
            wanted = {blob for files in trees.values() for path, blob in files.items() if not layout.is_harness(path)}
            blobs = {blob.id: blob.data for blob in source.read(sorted(wanted)) if isinstance(blob, Blob)}
            return _Shown(source.name, layout, chain.new, chain.head, trees, blobs)


def _revisions(shown: _Shown) -> Iterator[tuple[Any, ...]]:
    for position, revision in shown.commits:
        said = declared(shown.trees[revision.id], shown.blobs, shown.layout)
        at = revision.committed_at.astimezone(UTC).replace(tzinfo=None)
        yield (
            shown.source, position, revision.id, at, said.requirements_torch, said.readme_torch, said.readme_cuda,
        )  # fmt: skip


def _trees(shown: _Shown) -> Iterator[tuple[str, str, str]]:
    """What declares is left out: the facts of the revision say it."""
    for revision, files in shown.trees.items():
        for path, blob in files.items():
            if path not in shown.layout.declaring:
                yield revision, path, blob


def _timings(shown: Iterable[_Shown]) -> Iterator[tuple[Any, ...]]:
    blobs = {
        blob: one.blobs[blob]
        for one in shown
        for files in one.trees.values()
        for path, blob in files.items()
        if one.layout.is_figures(path)
    }
    for blob, data in sorted(blobs.items()):
        rows = [(blob, *row) for row in _entries(json.loads(data))]
        stated = timing_json(pl.DataFrame(rows, schema=SAMPLE_TABLES["timings"], orient="row"))
        _assert_same(blob, read_timings([(blob, data)]), read_timings([(blob, stated)]))
        yield from rows


def _entries(document: Mapping[str, Mapping[str, Mapping[str, Any] | None]]) -> Iterator[tuple[Any, ...]]:
    """Each entry's level, key, figures, and all else that it says as JSON text."""
    for level, entries in document.items():
        if not entries:
            yield (level, None, *[None] * len(FIGURES), None)
        for key, entry in entries.items():
            more = {name: value for name, value in (entry or {}).items() if name not in FIGURES}
            text = json.dumps(more, separators=(",", ":"), ensure_ascii=False) if more else None
            yield (level, key, *((entry or {}).get(name) for name in FIGURES), text)


def _assert_same(blob: str, read: TimingReadings, stated: TimingReadings) -> None:
    for name in ("entries", "refusals", "unnamed"):
        in_order = [table.sort("level", "problem_key") for table in (getattr(read, name), getattr(stated, name))]
        try:
            assert_frame_equal(*in_order)
        except AssertionError as error:
            error.add_note(f"{name} of the timing file {blob}: the sample's facts cannot say what it says")
            raise


def _problems(shown: Iterable[_Shown]) -> Iterator[tuple[str, str]]:
    done = set()
    for one in shown:
        for files in one.trees.values():
            for path, blob in files.items():
                named = one.layout.module_path(path)
                if named is None or blob in done:
                    continue
                done.add(blob)
                reading = read_module(one.blobs[blob], *named)
                facts = json.dumps(_stated(reading), separators=(",", ":"), ensure_ascii=False)
                assert read_stated_module(facts.encode(), *named) == reading, path
                yield blob, facts


def _stated(reading: ModuleReading) -> dict[str, Any]:
    facts = {"sha256": reading.sha256, "size_bytes": reading.size_bytes, "code_digest": reading.code_digest}
    if reading.problem is None:
        return {**facts, "compute_digest": None, "reason": reading.reason, "detail": reading.detail}
    return {**facts, **reading.problem.as_json()}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", metavar="OWNER/REPO=PATH")
    parser.add_argument("--to", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    build(dict(one.split("=", 1) for one in arguments.repositories), arguments.to)
    for path in sorted(arguments.to.glob("*.parquet")):
        print(f"{path.stat().st_size:>9,} bytes  {path.name}")


if __name__ == "__main__":
    main()
