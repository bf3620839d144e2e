"""The facts of a repository, in the form from which ``tools/build_sample.py`` builds a sample."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from flows.sources.git import GitSource
from flows.sources.interface import Blob
from tests.histories import LAB
from transforms.history.declared import declared
from transforms.layout import TOP
from transforms.problems.reader import read_module
from transforms.timings.paths import timing_path

_COLUMNS = ("mean", "std", "min", "max", "num_trials", "hardware", "device")


def write_facts(folder: Path, repository: Path) -> Path:
    """Write down what each revision of a repository shows, measures and declares; the folder."""
    folder.mkdir()
    with closing(GitSource(str(repository), None, LAB)) as source:
        revisions = source.revisions(()).new
        trees = {revision.id: dict(source.files(revision)) for revision in revisions}
        wanted = sorted({blob for files in trees.values() for blob in files.values()})
        texts = {blob.id: blob.data for blob in source.read(wanted) if isinstance(blob, Blob)}
    rows = []
    for revision in revisions:
        said = declared(trees[revision.id], texts)
        software = {name: getattr(said, name) for name in ("requirements_torch", "readme_torch", "readme_cuda")}
        rows.append({"revision": revision.id, "committed_at": revision.committed_at.isoformat(), **software})
    (folder / "revisions.json").write_text(json.dumps(rows))
    shown = [(revision, path, blob) for revision, files in trees.items() for path, blob in files.items()]
    shown = [(revision, path, blob) for revision, path, blob in shown if path not in TOP.declaring]
    _write_csv(folder / "trees.csv.gz", ("revision", "path", "blob"), shown)
    measured = sorted({blob for _, path, blob in shown if timing_path(path)})
    figures = [(blob, *row) for blob in measured for row in _figures(json.loads(texts[blob]))]
    _write_csv(folder / "timings.csv.gz", ("blob", "level", "key", *_COLUMNS), figures)
    modules = {blob: named for _, path, blob in shown if (named := TOP.module_path(path))}
    with gzip.open(folder / "problems.jsonl.gz", "wt", encoding="utf-8") as file:
        for blob, named in sorted(modules.items()):
            file.write(json.dumps({"blob": blob, **_problem(texts[blob], *named)}) + "\n")
    return folder


def _figures(document: Mapping[str, Mapping[str, Mapping[str, Any] | None]]) -> Iterator[tuple[Any, ...]]:
    for level, entries in document.items():
        for key, entry in entries.items():
            yield (level, key, *((entry or {}).get(name, "") for name in _COLUMNS))


def _problem(data: bytes, level: str, file: str) -> dict[str, Any]:
    reading = read_module(data, level, file)
    assert reading.problem is not None, f"facts are of modules that can be read: {reading.detail}"
    stated = {"sha256": reading.sha256, "size_bytes": reading.size_bytes, "code_digest": reading.code_digest}
    return {"level": level, "file": file, **stated, **reading.problem.as_json()}


def _write_csv(path: Path, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
