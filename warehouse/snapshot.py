"""Snapshots: the published database as one Parquet file per table and view (DESIGN.md section 12, issue of exports).

Byte-identical when repeated from the same database, except for the views that depend on the clock.
"""

from __future__ import annotations

import hashlib
import shutil
from importlib.resources import files
from pathlib import Path

from transforms.contracts.objects import NOT_IN_SNAPSHOTS, OBJECTS
from warehouse.database import Reader
from warehouse.files import flush_to_disk
from warehouse.home import WarehouseError

SUMS = "SHA256SUMS"


def export(database: Path, target: Path) -> list[str]:
    """Write the snapshot beside ``target`` and move it into place; the names of its files.

    Raises WarehouseError when ``target`` holds something that no export wrote.
    """
    _refuse_foreign(target)
    beside = target.with_name(f".{target.name}.building")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        _write_tables(database, beside)
        (beside / "LICENSE-KernelBench").write_bytes((files("flows.sources") / "sample_data" / "LICENSE").read_bytes())
        names = sorted(path.name for path in beside.iterdir())
        sums = "".join(f"{_sha256(beside / name)}  {name}\n" for name in names)
        (beside / SUMS).write_text(sums, encoding="utf-8")
        for path in beside.iterdir():
            flush_to_disk(path)
        _move_into_place(beside, target)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return [*names, SUMS]


def _refuse_foreign(target: Path) -> None:
    if target.exists() and not (target.is_dir() and (not any(target.iterdir()) or (target / SUMS).exists())):
        raise WarehouseError(f"{target}: exists and is no export; name an empty or new folder")


def _write_tables(database: Path, folder: Path) -> None:
    """Every table and view, its rows in the order of its contract."""
    reader = Reader(database)
    try:
        for name, contract in OBJECTS.items():
            if name not in NOT_IN_SNAPSHOTS:
                reader.copy(name, contract.order, folder / f"{name}.parquet")
    finally:
        reader.close()


def _move_into_place(beside: Path, target: Path) -> None:
    """A folder cannot be replaced in one step: the old one steps aside first, and goes when the new one stands."""
    aside = target.with_name(f".{target.name}.old")
    shutil.rmtree(aside, ignore_errors=True)
    if target.exists():
        target.rename(aside)
    beside.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
