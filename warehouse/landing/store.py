"""The store itself: what is put into landing, and what is read from it and believed only where its digest fits."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Literal, TypeVar

import msgspec

from warehouse.files import flush_all, replace_durably, write_once
from warehouse.home import WarehouseError
from warehouse.landing.damage import LandingDamaged, bytes_of, clear_the_way, set_aside
from warehouse.landing.names import file_name, is_id, name_of
from warehouse.landing.records import Fetched, IngestRecord, Lineage, Tree
from warehouse.landing.seals import Broken, seal, unseal

BlobForm = Literal["bytes", "stated"]
"""``bytes``: the blob as committed, checked against its git id. ``stated``: what a source that does not carry the
blob says of it (a timing file rendered from its figures, the facts of a problem module)."""

FOLDERS: dict[BlobForm, str] = {"bytes": "blobs", "stated": "stated"}

MARKER = "format.json"
"""Stands in a landing in which everything is sealed: what is not, is damaged there."""

FORMAT = 2
"""What the marker says; the format of before it was the first."""

Record = TypeVar("Record")


def git_blob_id(data: bytes) -> str:
    """The id git gives a blob: SHA-1 over its header and bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class Landing:
    """The write-once store of one warehouse.

    What is read is compared with its digest; what does not fit, or is not there, raises LandingDamaged.
    """

    def __init__(self, root: Path, beneath: Landing | None = None, *, locked: bool = False) -> None:
        """Keep everything under ``root``. ``beneath`` is read where ``root`` has nothing, and never written to.

        ``locked``: whoever opens it holds the home's lock, and what is kept counts. Then what is found damaged is set
        aside, and files are flushed to disk before a lineage names them.
        """
        self._root = root
        self._beneath = beneath
        self._locked = locked
        self._unflushed: list[Path] = []

    def missing(self, blobs: Iterable[str]) -> list[str]:
        """Those blobs that have not landed in either form, sorted. Told by the names of files alone."""
        have = set[str]().union(*(self._have(form) for form in FOLDERS))
        absent = sorted(set(blobs) - have)
        return self._beneath.missing(absent) if self._beneath else absent

    def put(self, blob: str, data: bytes, form: BlobForm) -> None:
        """Keep a blob. Raises WarehouseError when bytes do not hash to the id they came under."""
        if form == "bytes" and git_blob_id(data) != blob:
            raise WarehouseError(f"blob {blob}: the bytes received are not those of this id; they were not kept")
        self._write(self._blob_path(blob, form), data if form == "bytes" else seal("stated", blob, data))

    def read(self, blobs: Sequence[str]) -> Iterator[tuple[str, bytes, BlobForm]]:
        """``(id, data, form)`` of landed blobs; bytes go before what was only stated.

        Raises LandingDamaged for a blob that is not there, or is not what its id or digest says.
        """
        for blob in blobs:
            found = self._find(blob)
            if found is None:
                raise LandingDamaged(f"blob {blob} is not in {self._root}; ingest its source again to refetch it")
            yield blob, *found

    def check(self, blob: str, form: BlobForm) -> None:
        """Read what landed in one form; raises LandingDamaged, and WarehouseError for what is no blob's id."""
        with suppress(FileNotFoundError):
            self._in(form, blob)

    def size(self, blob: str) -> int:
        """Bytes of a landed blob's file; 0 when it is not there."""
        for form in FOLDERS:
            path = self._blob_path(blob, form)
            if path.exists():
                return path.stat().st_size
        return self._beneath.size(blob) if self._beneath else 0

    def put_tree(self, source: str, tree: Tree) -> None:
        """Keep what a revision showed. Raises WarehouseError for one that names what is no blob."""
        path = self._tree_path(source, tree.revision)
        for blob in set(tree.files.values()):
            if not is_id(blob):
                raise WarehouseError(f"{source}: revision {tree.revision} shows {blob[:60]!r}, which is no blob's id")
        self._write(path, seal("tree", _of_revision(source, tree.revision), msgspec.json.encode(tree)))

    def tree(self, source: str, revision: str) -> Tree:
        """What a revision showed; raises LandingDamaged when it is not known, or damaged."""
        path = self._tree_path(source, revision)
        try:
            tree = self._record("tree", _of_revision(source, revision), path, Tree)
        except FileNotFoundError:
            if self._beneath:
                return self._beneath.tree(source, revision)
            raise LandingDamaged(f"{source} has no landed revision {revision}; ingest it again") from None
        return self._if_named(tree.revision == revision, tree, path)

    def put_lineage(self, lineage: Lineage) -> None:
        """Say which revisions a source showed: the moment from which they count. What it names is on disk by then."""
        path = self._lineage_path(lineage.source)
        data = seal("lineage", lineage.source, msgspec.json.encode(lineage))
        if not self._locked:
            self._write(path, data)
            return
        if not (self._root / MARKER).exists():
            mark(self._root)
        flush_all(self._unflushed, self._root)
        self._unflushed = []
        clear_the_way(self._root, path)
        write_once(path, data, move=replace_durably)

    def lineage(self, source: str) -> Lineage | None:
        """The revisions of a source; None when it was never ingested, or its lineage has just been set aside."""
        try:
            path = self._lineage_path(source)
        except WarehouseError:
            return None  # no such name was ever put
        try:
            lineage = self._record("lineage", source, path, Lineage)
            return self._if_named(lineage.source == source, lineage, path)
        except FileNotFoundError:
            return self._beneath.lineage(source) if self._beneath else None
        except LandingDamaged:
            if not self._locked:
                raise
            return None

    def lineages(self) -> list[Lineage]:
        """Of every source that ever landed, by name; of those that can be read: what is damaged stops no other."""
        named = {lineage.source: lineage for lineage in self._beneath.lineages()} if self._beneath else {}
        for source in _named_in(self._root / "lineages", ".json"):
            with suppress(LandingDamaged):
                if (lineage := self.lineage(source)) is not None:
                    named[source] = lineage
        return [named[source] for source in sorted(named)]

    def lost(self) -> list[str]:
        """The sources of which trees landed and no lineage can be read, by name.

        It was lost or set aside, or the first ingest of the source was broken off.
        """
        landed = set(_named_in(self._root / "trees"))
        return sorted(landed - {lineage.source for lineage in self.lineages()})

    @contextmanager
    def fetch_log(self, ingest_id: str) -> Iterator[Callable[[Fetched], None]]:
        """Add lines to the fetch log of one ingest; no file where nothing comes.

        Each is written at once, to be called before the blob lands: a kill between the two leaves a line too many,
        never a blob of which nobody knows where it came from.
        """
        path = self._root / "fetches" / f"{file_name(ingest_id)}.jsonl"
        with ExitStack() as held:
            log: IO[bytes] | None = None

            def add(line: Fetched) -> None:
                nonlocal log
                if log is None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    log = held.enter_context(path.open("ab", buffering=0))
                    self._unflushed.append(path)
                log.write(seal("fetch", ingest_id, msgspec.json.encode(line)) + b"\n")

            yield add

    def log_ingest(self, record: IngestRecord) -> None:
        """Add one ingest to the log of ingests."""
        path = self._root / "ingests" / f"{file_name(record.ingest_id)}.json"
        self._write(path, seal("ingest", record.ingest_id, msgspec.json.encode(record)))

    def ingests(self) -> list[IngestRecord]:
        """The log of ingests, oldest first. A record that cannot be read is left out: nothing is derived from it."""
        records = self._beneath.ingests() if self._beneath else []
        for ingest_id in _named_in(self._root / "ingests", ".json"):
            path = self._root / "ingests" / f"{file_name(ingest_id)}.json"
            with suppress(LandingDamaged, FileNotFoundError):
                record = self._record("ingest", ingest_id, path, IngestRecord)
                records.append(self._if_named(record.ingest_id == ingest_id, record, path))
        return records

    def set_ingest_aside(self, ingest_id: str) -> None:
        """Set a record of an ingest aside which can be read, and which no log can hold."""
        path = self._root / "ingests" / f"{file_name(ingest_id)}.json"
        if self._locked and path.exists():
            set_aside(self._root, path)

    def _have(self, form: BlobForm) -> set[str]:
        try:
            folders = [entry for entry in os.scandir(self._root / FOLDERS[form]) if entry.is_dir()]
        except (FileNotFoundError, NotADirectoryError):
            return set()
        return {folder.name + file.name for folder in folders for file in os.scandir(folder) if file.is_file()}

    def _find(self, blob: str) -> tuple[bytes, BlobForm] | None:
        for form in FOLDERS:
            with suppress(FileNotFoundError):
                return self._in(form, blob), form
        return self._beneath._find(blob) if self._beneath else None

    def _in(self, form: BlobForm, blob: str) -> bytes:
        """A blob as it landed in one form; raises FileNotFoundError and LandingDamaged."""
        path = self._blob_path(blob, form)
        data = self._bytes(path)
        if form == "stated":
            return self._unsealed("stated", blob, path, data)
        return self._if_named(git_blob_id(data) == blob, data, path)

    def _record(self, kind: str, name: str, path: Path, shape: type[Record]) -> Record:
        """What was kept of this kind under this name; raises FileNotFoundError and LandingDamaged."""
        body = self._unsealed(kind, name, path, self._bytes(path))
        try:
            return msgspec.json.decode(body, type=shape)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise self._damaged(path) from None

    def _bytes(self, path: Path) -> bytes:
        try:
            return bytes_of(path)
        except LandingDamaged:
            raise self._damaged(path) from None

    def _unsealed(self, kind: str, name: str, path: Path, data: bytes) -> bytes:
        try:
            return unseal(kind, name, data, or_plain=not (self._root / MARKER).exists())
        except Broken:
            raise self._damaged(path) from None

    def _if_named(self, is_so: bool, found: Record, path: Path) -> Record:
        """What was found, where it names itself as its file does."""
        if not is_so:
            raise self._damaged(path)
        return found

    def _damaged(self, path: Path) -> LandingDamaged:
        """What to raise for a file that is not what was kept; under the lock it is set aside."""
        if not self._locked:
            return LandingDamaged(f"{path}: damaged; ingest its source again")
        return LandingDamaged(f"{path}: damaged, and kept as {set_aside(self._root, path)}; ingest its source again")

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_once(path, data)
        except (IsADirectoryError, NotADirectoryError, FileExistsError):
            clear_the_way(self._root, path)
            write_once(path, data)
        self._unflushed.append(path)

    def _blob_path(self, blob: str, form: BlobForm) -> Path:
        if not is_id(blob):
            raise WarehouseError(f"{blob[:60]!r}: no blob's id; it has 40 hexadecimal digits")
        return self._root / FOLDERS[form] / blob[:2] / blob[2:]

    def _tree_path(self, source: str, revision: str) -> Path:
        if not is_id(revision):
            raise WarehouseError(f"{source}: {revision[:60]!r} is no revision's id; it has 40 hexadecimal digits")
        return self._root / "trees" / file_name(source) / f"{revision}.json"

    def _lineage_path(self, source: str) -> Path:
        return self._root / "lineages" / f"{file_name(source)}.json"


def mark(root: Path) -> None:
    """Say that everything in a landing is sealed."""
    write_once(root / MARKER, seal("format", MARKER, b'{"format":%d}' % FORMAT), move=replace_durably)


def read_log(ingest_id: str, data: bytes) -> list[Fetched]:
    """The lines of a fetch log; raises Broken for one that was not written so."""
    lines = data.splitlines(keepends=True)
    sealed = [b"".join(lines[at : at + 2]).removesuffix(b"\n") for at in range(0, len(lines), 2)]
    try:
        return [msgspec.json.decode(unseal("fetch", ingest_id, one), type=Fetched) for one in sealed]
    except msgspec.MsgspecError:
        raise Broken from None


def _of_revision(source: str, revision: str) -> str:
    """Under which name a tree is sealed."""
    return f"{source}\0{revision}"


def _named_in(folder: Path, ending: str = "") -> list[str]:
    """The names to which the files of a folder belong, in the files' order."""
    try:
        files = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(ending))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [name for file in files if (name := name_of(file.removesuffix(ending))) is not None]
