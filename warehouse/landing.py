"""Landing: every blob kept byte for byte, write-once, under its git id (DESIGN.md section 3).

    landing/blobs/ab/cdef...          a blob as committed; its bytes hash to its name
    landing/stated/ab/cdef...         what a source that does not carry the blob says of it (the sample)
    landing/trees/<source>/<rev>.json path -> blob of one revision, with its date
    landing/lineages/<source>.json    which revisions a source showed, in order, and its head; and what it showed
                                      before it was rewritten
    landing/fetches/<ingest>.jsonl    the fetch log: what came when, how, how large, with its SHA-256
    landing/ingests/<ingest>.json     the log of ingests

The whole database can be made again from here alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Literal
from urllib.parse import quote

import msgspec

from transforms.layout import TOP, Layout
from warehouse.files import write_once
from warehouse.home import WarehouseError

BlobForm = Literal["bytes", "stated"]
"""``bytes``: the blob as committed, checked against its git id. ``stated``: what a source that does not carry the
blob says of it (a timing file rendered from its figures, the facts of a problem module)."""

_FOLDERS: dict[BlobForm, str] = {"bytes": "blobs", "stated": "stated"}


class Tree(msgspec.Struct, frozen=True):
    """What one revision of a source showed: ``path -> blob id`` of the files that are tracked."""

    revision: str
    committed_at: datetime
    files: dict[str, str]


class Refused(msgspec.Struct, frozen=True):
    """A blob that could not be had, where it was asked for, and what came instead."""

    revision: str
    path: str
    detail: str


class FormerLineage(msgspec.Struct, frozen=True):
    """What a source showed until its branch was rewritten, whole: revisions, oldest first, and head.

    ``noticed_at`` (UTC) is when the ingest began that found another history in its place.
    """

    revisions: list[str]
    head: str
    noticed_at: datetime


class Told(msgspec.Struct, frozen=True):
    """What a person said beside a source: later ingests of its lineage go by it (DESIGN.md section 2).

    ``source`` is how the source was written where its lineage was given a name by hand, so that the name is known when
    it is written again; ``problems`` names the lineage whose modules were measured, perhaps with a revision;
    ``observed`` says that a person, not the files, says when a state was measured.
    """

    source: str | None = None
    problems: str | None = None
    observed: bool = False


class Lineage(msgspec.Struct, frozen=True):
    """The revisions of a source, oldest first, and the newest commit seen of its ref.

    ``refused`` are the blobs of these that could not be had; they are asked for again by every ingest, as long as a
    commit that can be reached shows them. ``former`` is what it showed before, one for each rewrite.

    ``root`` and ``modules`` are its layout, as found or told when it was first ingested. Where the modules of another
    lineage were measured, that is ``problems``, and ``measured`` gives for each commit the commit of that lineage.
    """

    source: str
    url: str | None
    revisions: list[str]
    head: str
    refused: dict[str, Refused] = {}
    former: list[FormerLineage] = msgspec.field(name="earlier", default_factory=list)  # its name on disk
    root: str = TOP.root
    modules: str = TOP.modules
    told: Told = Told()
    problems: str | None = None
    measured: dict[str, str] = {}

    @property
    def layout(self) -> Layout:
        """What the paths of its trees are."""
        return Layout(self.root, self.modules)

    @property
    def commits(self) -> list[str]:
        """Every commit of it of which a tree has landed, each once: revisions, head, those of former lineages."""
        former = (commit for one in self.former for commit in (*one.revisions, one.head))
        return list(dict.fromkeys([*self.revisions, self.head, *former]))


class Fetched(msgspec.Struct, frozen=True):
    """One line of the fetch log."""

    source: str
    revision: str
    path: str
    blob: str
    sha256: str
    size_bytes: int
    fetched_at: datetime
    transport: str


class IngestRecord(msgspec.Struct, frozen=True):
    """What one ingest did, as it appears in the ``ingests`` table. Times in UTC, durations in seconds."""

    ingest_id: str
    source: str
    started_at: datetime
    finished_at: datetime
    seconds: float
    head: str
    rebuilt: bool
    revisions_new: int
    requests: int
    blobs_fetched: int
    files_read: int
    files_refused: int
    runs: int
    runs_present: int
    runs_new: int
    runs_withdrawn: int
    entries_refused: int
    step_seconds: str
    revisions_unreachable: int = msgspec.field(default=0, name="revisions_lost")
    runs_unreachable: int = msgspec.field(default=0, name="runs_lost")
    runs_stale: int | None = None


def git_blob_id(data: bytes) -> str:
    """The id git gives a blob: SHA-1 over its header and bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class Landing:
    """The write-once store of one warehouse."""

    def __init__(self, root: Path, beneath: Landing | None = None) -> None:
        """Keep everything under ``root``. ``beneath`` is read where ``root`` has nothing, and never written to."""
        self._root = root
        self._beneath = beneath

    def missing(self, blobs: Iterable[str]) -> list[str]:
        """Those blobs that have not landed in either form, sorted."""
        have = set[str]().union(*(self._have(form) for form in _FOLDERS))
        absent = sorted(set(blobs) - have)
        return self._beneath.missing(absent) if self._beneath else absent

    def put(self, blob: str, data: bytes, form: BlobForm) -> None:
        """Keep a blob. Raises WarehouseError when bytes do not hash to the id they came under."""
        if form == "bytes" and git_blob_id(data) != blob:
            raise WarehouseError(f"blob {blob}: the bytes received are not those of this id; they were not kept")
        write_once(self._blob_path(blob, form), data)

    def read(self, blobs: Sequence[str]) -> Iterator[tuple[str, bytes, BlobForm]]:
        """``(id, data, form)`` of landed blobs; bytes go before what was only stated.

        Raises WarehouseError for a blob that is not there, or (it is then removed) is damaged.
        """
        for blob in blobs:
            found = self._find(blob)
            if found is None:
                raise WarehouseError(f"blob {blob} is not in {self._root}; ingest its source again to refetch it")
            yield blob, *found

    def size(self, blob: str) -> int:
        """Bytes of a landed blob; 0 when it is not there."""
        for form in _FOLDERS:
            path = self._blob_path(blob, form)
            if path.exists():
                return path.stat().st_size
        return self._beneath.size(blob) if self._beneath else 0

    def put_tree(self, source: str, tree: Tree) -> None:
        """Keep what a revision showed."""
        write_once(self._tree_path(source, tree.revision), msgspec.json.encode(tree))

    def tree(self, source: str, revision: str) -> Tree:
        """What a revision showed; raises WarehouseError when it is not known."""
        path = self._tree_path(source, revision)
        try:
            return msgspec.json.decode(path.read_bytes(), type=Tree)
        except FileNotFoundError:
            if self._beneath:
                return self._beneath.tree(source, revision)
            raise WarehouseError(f"{source} has no landed revision {revision}") from None
        except msgspec.MsgspecError:
            raise WarehouseError(f"{path}: damaged; remove it and ingest {source} again") from None

    def put_lineage(self, lineage: Lineage) -> None:
        """Say which revisions a source showed: the moment from which they count."""
        write_once(self._lineage_path(lineage.source), msgspec.json.encode(lineage))

    def lineage(self, source: str) -> Lineage | None:
        """The revisions of a source; None when it was never ingested."""
        try:
            return _decode_lineage(self._lineage_path(source))
        except FileNotFoundError:
            return self._beneath.lineage(source) if self._beneath else None

    def lineages(self) -> list[Lineage]:
        """Of every source that ever landed, by name."""
        here = [_decode_lineage(path) for path in (self._root / "lineages").glob("[!.]*.json")]
        below = self._beneath.lineages() if self._beneath else []
        named = {lineage.source: lineage for lineage in [*below, *here]}
        return [named[source] for source in sorted(named)]

    @contextmanager
    def fetch_log(self, ingest_id: str) -> Iterator[Callable[[Fetched], None]]:
        """Add lines to the fetch log of one ingest; no file where nothing comes.

        Each is written at once, to be called before the blob lands: a kill between the two leaves a line too many,
        never a blob of which nobody knows where it came from.
        """
        path = self._root / "fetches" / f"{ingest_id}.jsonl"
        with ExitStack() as held:
            log: IO[bytes] | None = None

            def add(line: Fetched) -> None:
                nonlocal log
                if log is None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    log = held.enter_context(path.open("ab", buffering=0))
                log.write(msgspec.json.encode(line) + b"\n")

            yield add

    def log_ingest(self, record: IngestRecord) -> None:
        """Add one ingest to the log of ingests."""
        write_once(self._root / "ingests" / f"{record.ingest_id}.json", msgspec.json.encode(record))

    def ingests(self) -> list[IngestRecord]:
        """The log of ingests, oldest first."""
        paths = sorted((self._root / "ingests").glob("[!.]*.json"))
        below = self._beneath.ingests() if self._beneath else []
        return below + [msgspec.json.decode(path.read_bytes(), type=IngestRecord) for path in paths]

    def _have(self, form: BlobForm) -> set[str]:
        folder = self._root / _FOLDERS[form]
        return {path.parent.name + path.name for path in folder.glob("??/[!.]*")}

    def _find(self, blob: str) -> tuple[bytes, BlobForm] | None:
        for form in _FOLDERS:
            path = self._blob_path(blob, form)
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue
            if form == "bytes" and git_blob_id(data) != blob:
                path.unlink()
                raise WarehouseError(f"{path}: damaged on disk and removed; ingest its source again to refetch it")
            return data, form
        return self._beneath._find(blob) if self._beneath else None

    def _blob_path(self, blob: str, form: BlobForm) -> Path:
        return self._root / _FOLDERS[form] / blob[:2] / blob[2:]

    def _tree_path(self, source: str, revision: str) -> Path:
        return self._root / "trees" / quote(source, safe="") / f"{revision}.json"

    def _lineage_path(self, source: str) -> Path:
        return self._root / "lineages" / f"{quote(source, safe='')}.json"


def fetched_line(
    source: str, first_shown: Mapping[str, tuple[str, str]], blob: str, data: bytes, at: datetime, transport: str
) -> Fetched:
    """The log line of a blob; ``first_shown`` gives the revision and path under which it was asked for."""
    revision, path = first_shown[blob]
    return Fetched(source, revision, path, blob, hashlib.sha256(data).hexdigest(), len(data), at, transport)


def _decode_lineage(path: Path) -> Lineage:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lineage)
    except msgspec.MsgspecError:
        raise WarehouseError(f"{path}: damaged; remove it and ingest its source again") from None
