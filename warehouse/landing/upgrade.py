"""A landing of before there were digests gets them, once, under the lock of an ingest (DESIGN.md section 3).

File by file, each replaced in one step, and the marker last: killed in between, the next ingest goes on with the rest.
Commands that only read take a landing without the marker as it is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from warehouse.files import flush_all, write_once
from warehouse.home import WarehouseError
from warehouse.landing.damage import bytes_of
from warehouse.landing.names import name_of
from warehouse.landing.records import Fetched, IngestRecord, Lineage, Tree
from warehouse.landing.seals import Broken, is_sealed, seal, unseal
from warehouse.landing.store import FORMAT, MARKER, Landing, mark

_UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, WarehouseError)

_log = logging.getLogger(__name__)

_Seals = Callable[[Path, bytes], bytes]
"""From a file and its content without a digest to its content with one; raises one of _UNREADABLE."""


class _Format(msgspec.Struct):
    format: int


def bring_up_to_date(root: Path) -> None:
    """Let everything in landing stand under a digest; to be called under the lock.

    What cannot be read now is left as it is: from now on it is damaged. Raises WarehouseError for a landing that a
    later version wrote.
    """
    if not root.exists():
        return
    marker = root / MARKER
    if marker.exists():
        _refuse_newer(marker)
        return
    _show_hidden(root)
    written = [path for pattern, seals in _sealing(root).items() for path in _sealed(root, pattern, seals)]
    flush_all(written, root)
    mark(root)
    if written:
        _log.warning("%s: %d files that had no digest have one now, which is compared on reading", root, len(written))


def _refuse_newer(marker: Path) -> None:
    found = FORMAT  # also where it cannot be read: that it is there says enough
    with suppress(Broken, *_UNREADABLE):
        found = msgspec.json.decode(unseal("format", MARKER, bytes_of(marker)), type=_Format).format
    if found > FORMAT:
        raise WarehouseError(f"{marker}: written by a later kbw (format {found}, this one knows {FORMAT}); update it")


def _sealing(root: Path) -> dict[str, _Seals]:
    """How files are sealed, by where they are; trees before lineages, which take their dates from them."""
    landing = Landing(root)
    return {
        "trees/*/[!.]*.json": _seal_tree,
        "lineages/[!.]*.json": lambda path, data: _seal_lineage(landing, data),
        "ingests/[!.]*.json": _seal_record,
        "fetches/[!.]*.jsonl": _seal_log,
        "stated/??/[!.]*": lambda path, data: seal("stated", path.parent.name + path.name, data),
    }


def _sealed(root: Path, pattern: str, seals: _Seals) -> Iterator[Path]:
    for path in sorted(root.glob(pattern)):
        with suppress(FileNotFoundError, *_UNREADABLE):
            data = bytes_of(path)
            if not is_sealed(data):
                write_once(path, seals(path, data))
                yield path


def _seal_tree(path: Path, data: bytes) -> bytes:
    tree = msgspec.json.decode(data, type=Tree)
    return seal("tree", f"{name_of(path.parent.name)}\0{tree.revision}", data)


def _seal_lineage(landing: Landing, data: bytes) -> bytes:
    """With the dates of its commits, as far as their trees are there."""
    lineage = msgspec.json.decode(data, type=Lineage)
    dated = {}
    for commit in lineage.commits:
        with suppress(WarehouseError):
            dated[commit] = landing.tree(lineage.source, commit).committed_at
    return seal("lineage", lineage.source, msgspec.json.encode(replace(lineage, dated=dated)))


def _seal_record(path: Path, data: bytes) -> bytes:  # noqa: ARG001  (it names itself)
    return seal("ingest", msgspec.json.decode(data, type=IngestRecord).ingest_id, data)


def _seal_log(path: Path, data: bytes) -> bytes:
    lines = data.splitlines()
    for line in lines:
        msgspec.json.decode(line, type=Fetched)
    return b"".join(seal("fetch", path.stem, line) + b"\n" for line in lines)


def _show_hidden(root: Path) -> None:
    """What was kept under a name that begins with a point was not found again; now such a name is encoded."""
    for path in [*root.glob("lineages/.*.json"), *root.glob("trees/.*")]:
        ending = ".json" if path.suffix == ".json" else ""
        quoted = f"%2E{path.name.removesuffix(ending)[1:]}"
        shown = path.with_name(quoted + ending)
        if name_of(quoted) is not None and not shown.exists():
            path.rename(shown)
