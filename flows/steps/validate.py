"""Step: rows are held to their contracts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flows.steps.plan import Plan

if TYPE_CHECKING:
    import polars as pl

    from transforms.history.normalise import Normalised
    from transforms.history.reading import Read
    from transforms.manifests.facts import Pin, PinnedProblem


@dataclass(frozen=True)
class Derived:
    """One source's rows, held to their contracts, and what reading its files gave."""

    source: str
    tables: dict[str, pl.DataFrame]
    pin: Pin
    pinned: tuple[PinnedProblem, ...]
    files_read: int
    refused_files: tuple[tuple[str, str], ...]  # (path, reason)


def validate(planned: Plan, read: Read, normalised: Normalised) -> Derived:
    """Hold the rows to their contracts; what breaks one goes to quarantine."""
    from transforms.contracts.validate import check_batch

    refused = dict(read.timings.files.drop_nulls("reason").select("blob", "reason").iter_rows())
    # A file that was refused and mended long ago is read again with its series, but it is no news.
    news = [s for s in planned.needed.timeline if s.until is None or s.until > planned.published]
    shown = {(file.path, file.blob) for stretch in news for file in stretch.showing}
    tables = check_batch(normalised.tables)
    return Derived(
        source=normalised.source,
        tables={**tables, "series": normalised.series},
        pin=normalised.pin,
        pinned=normalised.pinned,
        files_read=read.timings.files.height - len(refused),
        refused_files=tuple(sorted((path, refused[blob]) for path, blob in shown if blob in refused)),
    )
