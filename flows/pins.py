"""A landed revision as manifests need it: a pin, its problem modules, its timing files."""

from __future__ import annotations

from dataclasses import dataclass

from flows.measured import revision_files
from flows.sources.interface import SourceError
from flows.steps.read import read_landed
from transforms.history.lineage import RevisionFiles, modules_of
from transforms.history.series import series_of
from transforms.manifests.facts import Pin, PinnedProblem
from transforms.problems.reader import ModuleReading
from warehouse.landing import Landing, Lineage

NEWEST = "newest"
"""The pin of the public index: the newest commit that changed something under results/timing."""


@dataclass(frozen=True)
class PinnedRevision:
    """A revision of a landed source, and its position among its revisions."""

    lineage: Lineage
    files: RevisionFiles
    position: int

    @property
    def revision(self) -> str:
        """Its id."""
        return self.files.revision

    @property
    def pin(self) -> Pin:
        """What manifests point to."""
        return Pin(self.lineage.url, self.files.revision, self.files.committed_at, self.files.layout)

    def timing_path(self, host: str, mode: str) -> str | None:
        """Where the figures of a host and mode stand at this revision; null where several files hold them."""
        showing = series_of(self.files).get((host, mode), ())
        return showing[0][0] if len(showing) == 1 else None


def pinned_revision(landing: Landing, source: str, revision: str) -> PinnedRevision:
    """A revision by its id, the beginning of it, or ``newest``; raises SourceError with what there is."""
    lineage = landing.lineage(source)
    if lineage is None:
        known = ", ".join(one.source for one in landing.lineages()) or "nothing yet"
        raise SourceError(f"{source}: not in the warehouse; there is: {known}")
    wanted = lineage.revisions[-1] if revision == NEWEST else revision
    found = [one for one in lineage.revisions if one.startswith(wanted)]
    if len(found) != 1:
        known = ", ".join(one[:12] for one in lineage.revisions)
        raise SourceError(f"{source}: {len(found)} revisions begin with {wanted!r}; there are: {known}")
    return PinnedRevision(lineage, revision_files(landing, lineage, found[0]), lineage.revisions.index(found[0]))


def pinned_problem(landing: Landing, at: PinnedRevision, level: str, file: str) -> PinnedProblem:
    """A problem's module as the revision shows it; raises SourceError when it is missing or cannot be read."""
    found = modules_of(at.files).get((level, file))
    if found is None:
        raise SourceError(f"{level}/{file}: {at.lineage.source} has no such module at {at.revision[:12]}")
    path, blob = found
    reading = read_landed_module(landing, blob, level, file)
    problem = PinnedProblem.of(reading, path)
    if problem is None:
        raise SourceError(f"{path} at {at.revision[:12]}: {reading.reason}: {reading.detail}")
    return problem


def read_landed_module(landing: Landing, blob: str, level: str, file: str) -> ModuleReading:
    """Read a module from its landed bytes, or from what a source that does not carry them stated of it."""
    ((_, data, form),) = landing.read([blob])
    return read_landed(data, form, level, file)
