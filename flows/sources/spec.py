"""From what a person writes, ``git:PATH@ref``, to a source."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from flows.sources.interface import Source, SourceError
from flows.sources.kinds import KINDS
from transforms.layout import TOP
from warehouse.home import Home
from warehouse.landing import Landing


def open_source(
    spec: str,
    home: Home,
    name: str | None = None,
    observed_at: str | None = None,
    problems: str | None = None,
    listener: Callable[[str], None] = lambda words: None,
    *,
    remember: bool = True,
    accept_rewritten: bool = False,
) -> Source:
    """Open the source that ``spec`` names; raises SourceError in one line when it cannot be.

    ``observed_at``, a date or time, and ``problems``, a source of the warehouse in ``home`` whose modules were
    measured, belong to ``dir:`` sources. ``listener`` hears of progress and of waits.
    Without ``remember`` nothing is kept that would spare the next look its requests. ``accept_rewritten`` belongs to
    ``git:`` sources.
    """
    kind, _, rest = spec.partition(":")
    if kind != "dir" and (observed_at is not None or problems is not None):
        raise SourceError(f"{spec}: --observed-at and --problems are for dir: sources; others know both themselves")
    if kind != "git" and accept_rewritten:
        raise SourceError(f"{spec}: --accept-rewritten is for git: sources; GitHub is believed without it")
    if spec == "sample":
        from flows.sources.sample import SampleSource

        return SampleSource(name=name)
    if kind == "github" and rest:
        from flows.sources.github import GitHubSource

        repository, _, branch = rest.partition("@")
        return GitHubSource(repository, branch or None, name, home.root / "github" if remember else None, listener)
    if kind == "git" and rest:
        from flows.sources.git import GitSource

        path, ref = _path_and_ref(rest)
        return GitSource(path, ref, name, accept_rewritten=accept_rewritten)
    if kind == "dir" and rest:
        from flows.sources.folder import FolderSource

        at = _moment(observed_at) if observed_at else None
        return FolderSource(rest, name, at, _modules_of(home, problems) if problems else None)
    raise SourceError(f"{spec}: not a source; there are {KINDS}")


def _path_and_ref(rest: str) -> tuple[str, str | None]:
    """``PATH@ref``; an ``@`` that belongs to a path that exists is part of it."""
    if Path(rest).exists() or "@" not in rest:
        return rest, None
    path, _, ref = rest.rpartition("@")
    return path, ref


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
