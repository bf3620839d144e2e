"""``dir:PATH``: a user's own host (DESIGN.md section 2).

A folder that holds ``results/timing/`` (and perhaps ``KernelBench/``), or host folders. It has one state at a time:
its revision is the digest of its content; what it showed before stays in the lineage that the warehouse keeps.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from flows.sources.interface import Blob, Chain, Revision, SourceError
from flows.sources.kinds import Opening, SourceOptions
from transforms.layout import TOP, Layout, path_text, roots
from warehouse.landing import git_blob_id

_TIMING = f"{TOP.timings}/"


class FolderSource:
    """A lineage whose revisions are the states in which the folder was found."""

    kind = "dir"
    requests_made: Mapping[str, int] = {}
    url: str | None = None

    def __init__(self, path: str, name: str | None = None, observed_at: datetime | None = None) -> None:
        """Name a folder; raises SourceError where there is none, or one that git can date and nobody else does.

        ``observed_at`` (UTC) is when its state was measured; by default the newest timing file's time of change.
        """
        self._root = Path(path)
        if not self._root.is_dir():
            raise SourceError(f"{path}: no such folder; name one that holds results/timing/ or host folders")
        if observed_at is None:
            _refuse_work_tree(self._root)
        self._observed_at = observed_at
        self.name = name or path_text(os.fsencode(self._root.resolve().name))
        self.layout = TOP

    def listings(self) -> Iterator[Collection[str]]:
        """See Source. A folder has no older commits."""
        yield self._paths

    def read_at(self, layout: Layout, name: str) -> None:
        """See Source."""
        self.layout, self.name = layout, name

    def revisions(self, known: Sequence[str]) -> Chain:
        """See Source: the state found now, unless it is the one known last. Raises SourceError without timing files.

        A state that the folder was in before and has come back to is a revision of its own.
        """
        if not any(map(self.layout.is_figures, self._content)):
            raise SourceError(f"{self._root}: holds no {self.layout.timings}/<host>/baseline_time_<mode>.json")
        found = _content_digest(self._files)
        here = Revision(found, self._observed_at or self._newest_change())
        if known and known[-1] in (found, _again(found, known[:-1])):
            return Chain(new=(), head=Revision(known[-1], here.committed_at))
        if found in known:
            here = Revision(_again(found, known), here.committed_at)
        return Chain(new=(here,), head=here)

    def files(self, revision: Revision) -> Mapping[str, str]:  # noqa: ARG002  (it has one state)
        """See Source."""
        return self._files

    def read(self, blobs: Sequence[str]) -> Iterator[Blob]:
        """See Source."""
        by_id = {blob: self._content[file] for file, blob in self._files.items()}
        for blob in blobs:
            if blob in by_id:
                yield Blob(blob, by_id[blob])

    def close(self) -> None:
        """Nothing is held open."""

    @cached_property
    def _paths(self) -> dict[str, Path]:
        """The folder's files, under the paths they would have in a repository: host folders stand for the timings."""
        found = (path for path in sorted(self._root.rglob("*")) if not path.is_symlink() and path.is_file())
        files = {_text(path.relative_to(self._root)): path for path in found}
        if (self._root / TOP.timings).is_dir() or roots(files):
            return files
        return {_TIMING + name: path for name, path in files.items()}

    @cached_property
    def _content(self) -> dict[str, bytes]:
        return {name: path.read_bytes() for name, path in self._paths.items() if self.layout.is_tracked(name)}

    @cached_property
    def _files(self) -> dict[str, str]:
        return {name: git_blob_id(data) for name, data in self._content.items()}

    def _newest_change(self) -> datetime:
        changes = (path.stat().st_mtime for name, path in self._paths.items() if self.layout.is_figures(name))
        return datetime.fromtimestamp(int(max(changes)), UTC)


def from_spec(path: str, options: SourceOptions, opening: Opening) -> FolderSource:  # noqa: ARG001  (nothing to keep)
    """See flows.sources.kinds.Opener."""
    return FolderSource(path, options.name, _moment(options.observed_at) if options.observed_at else None)


def _moment(text: str) -> datetime:
    """A date or time as a person writes it, in UTC where no zone is given; raises SourceError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise SourceError(f"{text}: not a date or time; write 2026-03-05 or 2026-03-05T08:38:15Z") from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _refuse_work_tree(folder: Path) -> None:
    """A checkout dates every file by when it was checked out; git knows when it was committed."""
    at = folder.resolve()
    top = next((one for one in (at, *at.parents) if (one / ".git").exists()), None)
    if top is None:
        return
    below = at.relative_to(top).as_posix()
    root = f" --root {below}" if below != "." and (at / TOP.timings).is_dir() else ""
    raise SourceError(
        f"{folder}: stands in the git work tree {top}, whose commits say when its files changed: ingest "
        f"git:{top}{root}, or say when it was measured with --observed-at"
    )


def _again(content: str, known: Sequence[str]) -> str:
    """The id of a state that is not the first of this content: told apart by what the folder showed before."""
    return hashlib.sha256(f"{content} after {' '.join(known)}".encode()).hexdigest()[:40]


def _content_digest(files: Mapping[str, str]) -> str:
    lines = "".join(f"{path}\0{blob}\n" for path, blob in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:40]


def _text(path: Path) -> str:
    """A path as other sources would name it: names on disk need not be UTF-8."""
    return path_text(os.fsencode(path.as_posix()))
