"""Where a source keeps its files: its root, and the modules that belong to it (DESIGN.md section 2).

Looked for once, in the tree of the head, or in the newest commit that had a root; from then on the lineage remembers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from flows.sources.interface import Source, SourceError
from transforms.layout import TOP, Layout, layout_of, module_folders, roots, unread
from warehouse.landing import Landing, Lineage


@dataclass(frozen=True)
class Surroundings:
    """What the tree of a head holds beside what is read of it.

    ``roots`` are others than the one that is read; ``module_folders`` are the places of modules where none of them is
    the lineage's; ``unread`` are the files named as timing files are that are not read, those of other roots too.
    """

    roots: tuple[str, ...] = ()
    module_folders: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def settle(landing: Landing, source: Source, root: str | None, *, anew: bool) -> None:
    """Let a source read at the root of its lineage, under its name.

    ``root`` is the one that was named, as a path from the top; ``anew`` looks for it as if nothing were remembered.
    Raises SourceError where there are several and none is named, and for one that is not there.
    """
    named = None if root is None else _as_path(root)
    if not anew and (lineage := _remembered(landing, source.name, named)) is not None:
        source.read_at(lineage.layout, lineage.source)
        return
    for listing in source.listings():
        if found := roots(listing):
            break
    else:
        found = [] if named is None else [named]
        listing = next(source.listings())
    chosen = _chosen(source.name, found, named)
    layout = layout_of(chosen, module_folders(listing))
    source.read_at(layout, source.name if len(found) < 2 else lineage_name(source.name, chosen))


def lineage_name(repository: str, root: str) -> str:
    """The name of the lineage at one of several roots of a repository."""
    return f"{repository}//{root}" if root else repository


def surroundings(source: Source) -> Surroundings:
    """What the head's tree holds beside what is read of it."""
    listing = next(source.listings())
    return Surroundings(
        tuple(root for root in roots(listing) if root != source.layout.root),
        _undecided(module_folders(listing), source.layout),
        tuple(unread(listing, source.layout)),
    )


def _undecided(folders: Collection[str], layout: Layout) -> tuple[str, ...]:
    return () if layout.modules in folders or len(folders) < 2 else tuple(folders)


def _remembered(landing: Landing, name: str, root: str | None) -> Lineage | None:
    """The lineage that was read before, at a root that was named or at the only one that was read."""
    named = landing.lineage(name)
    if named is not None and root in (None, named.root):
        return named
    if root is not None:
        return landing.lineage(lineage_name(name, root))
    below = [one for one in landing.lineages() if one.source.startswith(f"{name}//")]
    return below[0] if len(below) == 1 else None


def _chosen(name: str, found: Collection[str], named: str | None) -> str:
    if named is not None and named not in found:
        raise SourceError(f"{name}: no root {_told(named)}; figures stand in {_listed(found)}")
    if named is not None:
        return named
    if TOP.root in found or not found:
        return TOP.root
    if len(found) > 1:
        raise SourceError(f"{name}: figures stand in {_listed(found)}, each a lineage of its own; name one with --root")
    (only,) = found
    return only


def _as_path(root: str) -> str:
    """A root as a person writes it, as paths have it: ``.`` and ``./KBench/``."""
    path = PurePosixPath(root).as_posix()
    return "" if path == "." else path


def _listed(found: Collection[str]) -> str:
    return ", ".join(map(_told, found))


def _told(root: str) -> str:
    """A root as ``--root`` takes it."""
    return root or "."
