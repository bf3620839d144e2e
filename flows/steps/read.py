"""Steps: timing files are read, in parts; then problem modules and declaring texts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from flows.steps.plan import Plan
from flows.steps.workspace import Workspace
from warehouse.landing import BlobForm

if TYPE_CHECKING:
    from transforms.history.reading import Read
    from transforms.problems.reader import ModuleReading
    from transforms.timings.reader import TimingReadings

_PART_BYTES = 32 * 2**20
"""Timing files are read in parts of about this size, so that reading can fan out and memory stays bounded."""


def timing_parts(workspace: Workspace, planned: Plan) -> list[tuple[str, ...]]:
    """The timing blobs to read, in parts that can be read apart."""
    parts: list[list[str]] = [[]]
    size = 0
    for blob in planned.needed.timings:
        if blob in planned.refused:
            continue
        if size > _PART_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(blob)
        size += workspace.landing.size(blob)
    return [tuple(part) for part in parts]


def read_timing_part(workspace: Workspace, blobs: Sequence[str]) -> TimingReadings:
    """Read one part's timing files: entries, refusals, files."""
    from transforms.timings.reader import read_timings

    return read_timings([(blob, data) for blob, data, _ in workspace.landing.read(blobs)])


def read_beside(workspace: Workspace, planned: Plan, parts: Iterable[TimingReadings]) -> Read:
    """Read the problem modules and declaring texts beside the timing files, and put all readings together."""
    from transforms.history.reading import Read, merge, not_fetched, not_fetched_module

    paths: dict[str, list[str]] = {}
    for path, blob in planned.needed.modules:
        paths.setdefault(blob, []).append(path)
    layout = planned.history.head.layout
    modules = {}
    for blob, data, form in workspace.landing.read([blob for blob in paths if blob not in planned.refused]):
        for path in paths[blob]:
            named = layout.module_path(path)
            assert named is not None, path
            modules[path, blob] = read_landed(data, form, *named)
    for blob in paths.keys() & planned.refused.keys():
        for path in paths[blob]:
            modules[path, blob] = not_fetched_module(path, planned.refused[blob].detail, layout)
    texts = workspace.landing.read([blob for blob in planned.needed.texts if blob not in planned.refused])
    unread = {blob: planned.refused[blob].detail for blob in planned.needed.timings if blob in planned.refused}
    return Read(
        merge([*parts, not_fetched(unread)]),
        modules,
        {blob: data for blob, data, _ in texts},
    )


def read_landed(data: bytes, form: BlobForm, level: str, file: str) -> ModuleReading:
    """Read a module from its landed bytes, or from what a source that does not carry them stated of it."""
    from transforms.problems.reader import read_module
    from transforms.problems.stated import read_stated_module

    return (read_stated_module if form == "stated" else read_module)(data, level, file)
