"""From what a person writes, ``git:PATH@ref``, to a source."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from flows.sources.interface import Source, SourceError

KINDS = "sample, git:PATH[@ref], dir:PATH"


def open_source(
    spec: str,
    name: str | None = None,
    observed_at: datetime | None = None,
    modules: Mapping[str, str] | None = None,
) -> Source:
    """Open the source that ``spec`` names; raises SourceError in one line when it cannot be.

    ``observed_at`` and ``modules`` belong to ``dir:`` sources, see FolderSource.
    """
    kind, _, rest = spec.partition(":")
    if kind != "dir" and (observed_at is not None or modules is not None):
        raise SourceError(f"{spec}: --observed-at and --problems are for dir: sources; others know both themselves")
    if spec == "sample":
        from flows.sources.sample import SampleSource

        return SampleSource(name=name)
    if kind == "git" and rest:
        from flows.sources.git import GitSource

        path, ref = _path_and_ref(rest)
        return GitSource(path, ref, name)
    if kind == "dir" and rest:
        from flows.sources.folder import FolderSource

        return FolderSource(rest, name, observed_at, modules)
    raise SourceError(f"{spec}: not a source; there are {KINDS}")


def _path_and_ref(rest: str) -> tuple[str, str | None]:
    """``PATH@ref``; an ``@`` that belongs to a path that exists is part of it."""
    if Path(rest).exists() or "@" not in rest:
        return rest, None
    path, _, ref = rest.rpartition("@")
    return path, ref


def moment(text: str) -> datetime:
    """A date or time as a person writes it, in UTC where no zone is given; raises SourceError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise SourceError(f"{text}: not a date or time; write 2026-03-05 or 2026-03-05T08:38:15Z") from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
