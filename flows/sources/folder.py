"""``dir:PATH``: a user's own host (DESIGN.md section 2).

A folder that holds ``results/timing/`` (and perhaps ``KernelBench/``), or host folders. It has one state at a time:
its revision is the digest of its content; what it showed before stays in the lineage that the warehouse keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from flows.sources.interface import Blob, Chain, Revision, SourceError, is_tracked
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import TOP
from warehouse.home import Home
from warehouse.landing import Landing, git_blob_id

_TIMING = f"{TOP.timings}/"


class FolderSource:
    """A lineage whose revisions are the states in which the folder was found."""

    kind = "dir"
    requests_made: Mapping[str, int] = {}
    url: str | None = None

    def __init__(
        self,
        path: str,
        name: str | None = None,
        observed_at: datetime | None = None,
        modules: Mapping[str, str] | None = None,
    ) -> None:
        """Read the folder's state; raises SourceError when it holds no timing file.

        ``observed_at`` (UTC) is when it was measured; by default the newest timing file's time of change. ``modules``
        are the problem modules, ``path -> blob``, that were measured; by default those in the folder.
        """
        self._root = Path(path)
        self._content = _tracked(self._root)
        self._blobs = {file: git_blob_id(data) for file, data in self._content.items()}
        self._files = {**self._blobs, **(modules or {})}
        self.name = name or self._root.resolve().name
        at = observed_at or _newest_change(self._root, self._content)
        self._revision = Revision(_content_digest(self._files), at)

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source: the state found now, unless it is the one known last.

        A state that the folder was in before and has come back to is a revision of its own.
        """
        here = self._revision
        if known and known[-1] in (here.id, _again(here.id, known[:-1])):
            return Chain(new=(), head=Revision(known[-1], here.committed_at))
        if here.id in known:
            here = Revision(_again(here.id, known), here.committed_at)
        return Chain(new=(here,), head=here)

    def files(self, revision: Revision) -> Mapping[str, str]:  # noqa: ARG002  (it has one state)
        """See Source."""
        return self._files

    def read(self, blobs: Sequence[str]) -> Iterator[Blob]:
        """See Source. Modules of another source are already landed and are not asked for."""
        by_id = {blob: self._content[file] for file, blob in self._blobs.items()}
        for blob in blobs:
            yield Blob(blob, by_id[blob])

    def close(self) -> None:
        """Nothing is held open."""


def from_spec(path: str, options: SourceOptions, opening: Opening) -> FolderSource:
    """See flows.sources.kinds.Opener. ``problems`` is a source of the warehouse whose modules were measured."""
    at = _moment(options.observed_at) if options.observed_at else None
    modules = _modules_of(opening.home, options.problems) if options.problems else None
    return FolderSource(path, options.name, at, modules)


def _moment(text: str) -> datetime:
    """A date or time as a person writes it, in UTC where no zone is given; raises SourceError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise SourceError(f"{text}: not a date or time; write 2026-03-05 or 2026-03-05T08:38:15Z") from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _modules_of(home: Home, problems: str) -> dict[str, str]:
    """``path -> blob`` of the problem modules that a landed source showed, at its head or at ``SOURCE@REV``."""
    landing = Landing(home.landing)
    name, _, revision = problems.rpartition("@") if "@" in problems else (problems, "", "")
    lineage, wanted = landing.lineage(problems), ""
    if lineage is None:
        lineage, wanted = landing.lineage(name), revision
    if lineage is None:
        known = ", ".join(one.source for one in landing.lineages()) or "none yet; ingest one first"
        raise SourceError(f"{problems}: no such source in the warehouse; there is: {known}")
    matching = [
        one for one in dict.fromkeys([*lineage.revisions, lineage.head]) if one.startswith(wanted or lineage.head)
    ]
    if len(matching) != 1:
        raise SourceError(f"{problems}: {len(matching)} known revisions of {lineage.source} begin with {wanted}")
    files = landing.tree(lineage.source, matching[0]).files
    return {path: blob for path, blob in files.items() if TOP.module_path(path) is not None}


def _tracked(root: Path) -> dict[str, bytes]:
    """The folder's files that the warehouse reads, under the paths they would have in a repository."""
    if not root.is_dir():
        raise SourceError(f"{root}: no such folder; name one that holds results/timing/ or host folders")
    base = "" if (root / TOP.timings).is_dir() else _TIMING
    found = {}
    for path in sorted(root.rglob("*")):
        name = base + path.relative_to(root).as_posix()
        if is_tracked(name) and not path.is_symlink() and path.is_file():
            found[name] = path.read_bytes()
    if not any(map(TOP.is_figures, found)):
        raise SourceError(f"{root}: holds no results/timing/<host>/baseline_time_<mode>.json")
    return found


def _newest_change(root: Path, content: Mapping[str, bytes]) -> datetime:
    base = root if (root / TOP.timings).is_dir() else None
    timings = [name for name in content if TOP.is_figures(name)]
    paths = [base / name if base else root / name.removeprefix(_TIMING) for name in timings]
    return datetime.fromtimestamp(max(int(path.stat().st_mtime) for path in paths), UTC)


def _again(content: str, known: Sequence[str]) -> str:
    """The id of a state that is not the first of this content: told apart by what the folder showed before."""
    return hashlib.sha256(f"{content} after {' '.join(known)}".encode()).hexdigest()[:40]


def _content_digest(files: Mapping[str, str]) -> str:
    lines = "".join(f"{path}\0{blob}\n" for path, blob in sorted(files.items()))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()[:40]
