"""All of landing is read, and what is not as it was kept is named (DESIGN.md section 3). Nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from warehouse.home import WarehouseError
from warehouse.landing.damage import DAMAGED, LandingDamaged, bytes_of, set_aside
from warehouse.landing.names import file_name, name_of
from warehouse.landing.records import Lineage, Tree
from warehouse.landing.seals import Broken, is_sealed
from warehouse.landing.store import FOLDERS, MARKER, BlobForm, Landing, read_log

What = Literal["lost", "damaged", "unknown"]
"""``lost``: something names it and it is not there. ``damaged``: it is not what was kept. ``unknown``: no name of
landing's own."""


@dataclass(frozen=True)
class Finding:
    """One file that is not as it should be: what it is to whom, its path in landing, and what to do.

    ``sources`` are the lineages that need it; none: nothing is derived from it.
    """

    what: What
    file: str
    sources: tuple[str, ...]
    said: str

    @property
    def remedy(self) -> str:
        """What repairs it: of several sources that need it any one gives it again."""
        aside = [] if self.what == "lost" else ["kbw check --landing --set-aside"]
        again = [f"ingest {self.sources[0]} again"] if self.sources else []
        return ", then ".join([*aside, *again])


@dataclass
class Audit:
    """What reading all of landing gave. ``has_digests``: not of a landing that no ingest has brought up to date."""

    files: int = 0
    has_digests: bool = True
    kept_aside: int = 0
    findings: list[Finding] = field(default_factory=list)


Listener = Callable[[str], None]


def audit(root: Path, listener: Listener = lambda words: None) -> Audit:
    """Read all of the landing at ``root``: every digest, and that lineages and trees name what is there."""
    found = Audit(has_digests=(root / MARKER).exists() or not root.exists())
    found.kept_aside = sum(1 for path in (root / DAMAGED).rglob("*") if path.is_file())
    _Auditor(root, found, listener).run()
    found.findings.sort(key=lambda one: (one.sources[:1], one.file))
    return found


def set_findings_aside(root: Path, found: Audit) -> list[Path]:
    """Move what is damaged or unknown away, so that the next ingest asks for it again; to be called under the lock."""
    paths = [root / one.file for one in found.findings if one.what != "lost"]
    return [set_aside(root, path) for path in paths if path.exists() or path.is_symlink()]


class _Auditor:
    """One reading. Blobs last: then it is known who needs them."""

    def __init__(self, root: Path, found: Audit, listener: Listener) -> None:
        self._root = root
        self._found = found
        self._say = listener
        self._landing = Landing(root)
        self._needed: dict[str, set[str]] = {}  # blob to the sources that show it
        self._shown_at: dict[str, str] = {}
        self._seen: set[str] = set()

    def run(self) -> None:
        lineages = self._lineages()
        for source, folder in self._entries("trees"):
            self._say(f"reading the trees of {source or folder.name}")
            self._trees(source, folder, lineages.get(source or ""))
        for source, lineage in lineages.items():
            self._commits(source, lineage)
        self._records()
        for form in FOLDERS:
            self._blobs(form)
        for blob in sorted(self._needed.keys() - self._seen):
            path = self._root / FOLDERS["bytes"] / blob[:2] / blob[2:]
            self._add("lost", path, self._needed[blob], self._at(blob))

    def _lineages(self) -> dict[str, Lineage]:
        lineages = {}
        for source, path in self._entries("lineages", ".json"):
            lineage = None
            with suppress(LandingDamaged):
                lineage = self._landing.lineage(source) if source is not None else None
            if lineage is not None:
                lineages[lineage.source] = lineage
            elif source is not None:
                self._add("damaged", path, [source], "the lineage: which revisions there are, and what was told")
        return lineages

    def _trees(self, source: str | None, folder: Path, lineage: Lineage | None) -> None:
        if source is None:
            return
        lineage_file = self._root / "lineages" / f"{file_name(source)}.json"
        if lineage is None and not lineage_file.exists():
            said = "the lineage: it was lost, or the first ingest was broken off"
            self._add("lost", lineage_file, [source], said)
        for path in sorted(self._files(folder)):
            self._found.files += 1
            try:
                tree = self._landing.tree(source, path.stem)
            except LandingDamaged:
                self._add("damaged", path, [source], f"what revision {path.stem[:12]} showed")
            except WarehouseError:
                self._add("unknown", path, [], "no name of a revision")
            else:
                self._note_needed(source, tree, lineage)

    def _note_needed(self, source: str, tree: Tree, lineage: Lineage | None) -> None:
        """Of a revision that no lineage names nothing is needed: an ingest was broken off."""
        for path, blob in tree.files.items() if lineage and tree.revision in lineage.commits else ():
            if lineage and not lineage.layout.is_harness(path) and blob not in lineage.refused:
                self._needed.setdefault(blob, set()).add(source)
                self._shown_at.setdefault(blob, path)

    def _commits(self, source: str, lineage: Lineage) -> None:
        for commit in lineage.commits:
            path = self._root / "trees" / file_name(source) / f"{commit}.json"
            if not path.exists() and not path.is_symlink():
                self._add("lost", path, [source], f"what revision {commit[:12]} showed")

    def _records(self) -> None:
        kept = {record.ingest_id for record in self._landing.ingests()}
        for ingest_id, path in self._entries("ingests", ".json"):
            if ingest_id is not None and ingest_id not in kept:
                self._add("damaged", path, [], "a record of the log of ingests; nothing is derived from it")
        for ingest_id, path in self._entries("fetches", ".jsonl"):
            if ingest_id is not None and not self._is_log(ingest_id, path):
                self._add("damaged", path, [], "a fetch log: where blobs came from; nothing is derived from it")

    def _is_log(self, ingest_id: str, path: Path) -> bool:
        try:
            data = bytes_of(path)
            if not is_sealed(data) and not self._found.has_digests:
                return True
            read_log(ingest_id, data)
        except (LandingDamaged, Broken, FileNotFoundError):
            return False
        return True

    def _blobs(self, form: BlobForm) -> None:
        for folder in sorted(self._files(self._root / FOLDERS[form])):
            self._say(f"reading {FOLDERS[form]}/{folder.name}")
            for path in sorted(self._files(folder)):
                self._found.files += 1
                self._blob(path, folder.name + path.name, form)

    def _blob(self, path: Path, blob: str, form: BlobForm) -> None:
        self._seen.add(blob)
        try:
            self._landing.check(blob, form)
        except LandingDamaged:
            self._add("damaged", path, self._needed.get(blob, ()), self._at(blob))
        except WarehouseError:
            self._add("unknown", path, [], "no name of a blob")

    def _at(self, blob: str) -> str:
        return self._shown_at.get(blob, "a file that no lineage shows")

    def _entries(self, folder: str, ending: str = "") -> Iterator[tuple[str | None, Path]]:
        """What is in a folder of landing, with the name that it belongs to; what belongs to none is named."""
        for path in sorted(self._files(self._root / folder)):
            if ending:
                self._found.files += 1
            name = name_of(path.name.removesuffix(ending)) if path.name.endswith(ending) else None
            if name is None:
                self._add("unknown", path, [], f"no name of what is kept in {folder}")
            yield name, path

    def _files(self, folder: Path) -> list[Path]:
        """What is in a folder, but for what a process that writes has not finished."""
        if not folder.is_dir():
            if folder.exists():
                self._add("damaged", folder, [], "no folder")
            return []
        return [path for path in folder.iterdir() if not path.name.startswith(".")]

    def _add(self, what: What, path: Path, sources: Collection[str], said: str) -> None:
        file = path.relative_to(self._root).as_posix()
        self._found.findings.append(Finding(what, file, tuple(sorted(sources)), said))
