"""Snapshots: the published database as one Parquet file per table and view (DESIGN.md section 12, issue of exports).

Byte-identical when repeated from the same database, except for the views that depend on the clock.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from transforms.contracts.objects import NOT_IN_SNAPSHOTS, OBJECTS
from warehouse.database import Reader
from warehouse.files import flush_to_disk
from warehouse.home import WarehouseError

SUMS = "SHA256SUMS"
NOTICE = "LICENSE-KernelBench"
PATIENCE_S = 60.0
"""How long an export waits for another one to check or move its folder, which takes a moment."""

_LINE = re.compile(rf"([0-9a-f]{{64}})  ([a-z0-9_]+\.parquet|{NOTICE})")


def export(database: Path, target: Path) -> list[str]:
    """Write the snapshot beside ``target`` and move it into place; the names of its files.

    Where ``target`` is a symbolic link, what it points to is replaced, and the link stays. Raises WarehouseError when
    there is something that no export wrote, or another export does not let go of the folder.
    """
    target = Path(os.path.realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone_in(target.parent):
        _refuse_foreign(target)
    # a folder of its own name, so that nothing of anyone else is in the way
    beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".building", dir=target.parent))
    try:
        names = _write(database, beside / "new")
        with _alone_in(target.parent):
            _refuse_foreign(target)
            _move_into_place(beside / "new", target, beside / "old")
    finally:
        if target.exists() or not (beside / "old").exists():
            shutil.rmtree(beside, ignore_errors=True)
    return names


def _write(database: Path, folder: Path) -> list[str]:
    folder.mkdir()
    _write_tables(database, folder)
    (folder / NOTICE).write_bytes(_notice())
    names = sorted(path.name for path in folder.iterdir())
    sums = "".join(f"{_sha256(folder / name)}  {name}\n" for name in names)
    (folder / SUMS).write_text(sums, encoding="utf-8")
    for path in folder.iterdir():
        flush_to_disk(path)
    return [*names, SUMS]


def _notice() -> bytes:
    return (files("flows.sources") / "sample_data" / "LICENSE").read_bytes()


def _refuse_foreign(target: Path) -> None:
    reason = _foreign(target)
    if reason:
        raise WarehouseError(
            f"{target}: is no export ({reason}), nothing was replaced; name an empty or new folder, or remove it first"
        )


def _foreign(target: Path) -> str:
    """What keeps a target from being replaced, empty where nothing does."""
    if not os.path.lexists(target):
        return ""
    if not target.is_dir():
        return "it is a file or leads nowhere"
    if Path.cwd().is_relative_to(target):
        return "it is the folder you are in, or one above it"
    found = sorted(path.name for path in target.iterdir())
    return _unlike_its_list(target, found) if found else ""


def _unlike_its_list(target: Path, found: list[str]) -> str:
    """What in a folder differs from what an export wrote there.

    An export is known by its list: Parquet files and our notice, each as it was written. Other folders have checksums
    too, and what someone changed in ours is theirs.
    """
    sums = target / SUMS
    if sums.is_symlink() or not sums.is_file():
        return f"it holds {found[0]!r} and no {SUMS}"
    listed = _listed(sums)
    if listed.get(NOTICE) != hashlib.sha256(_notice()).hexdigest():
        return f"its {SUMS} is not of an export"
    for name in sorted({*found, *listed} - {SUMS}):
        if name not in listed:
            return f"{name!r} is not of it"
        if (target / name).is_symlink() or not (target / name).is_file():
            return f"{name!r} is missing or no file"
        if _sha256(target / name) != listed[name]:
            return f"{name!r} was changed"
    return ""


def _listed(sums: Path) -> dict[str, str]:
    """The digests of a list by file name; empty where it names anything but an export's files."""
    lines = [_LINE.fullmatch(line) for line in sums.read_text(encoding="utf-8", errors="replace").splitlines()]
    return {line[2]: line[1] for line in lines if line} if all(lines) else {}


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other exports from checking and moving in ``folder`` meanwhile; ends with its process, leaves no file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not _locked(descriptor):
            if time.monotonic() > deadline:
                raise WarehouseError(f"{folder}: another export is at work here; wait for it, or name another folder")
            time.sleep(0.02)
        yield
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write_tables(database: Path, folder: Path) -> None:
    """Every table and view, its rows in the order of its contract."""
    reader = Reader(database)
    try:
        for name, contract in OBJECTS.items():
            if name not in NOT_IN_SNAPSHOTS:
                reader.copy(name, contract.order, folder / f"{name}.parquet")
    finally:
        reader.close()


def _move_into_place(new: Path, target: Path, aside: Path) -> None:
    """A folder cannot be replaced in one step: the old one steps aside, and comes back where the new one fails."""
    if target.exists():
        target.rename(aside)
    try:
        new.rename(target)
    except BaseException:
        if aside.exists():
            aside.rename(target)
        raise


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
