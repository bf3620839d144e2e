"""What is damaged in landing: how it is told, and how it is set aside, never deleted (DESIGN.md section 3)."""

from __future__ import annotations

import errno
import logging
from pathlib import Path

from warehouse.home import WarehouseError

DAMAGED = "damaged"
"""The folder of landing that keeps what was set aside, under the path it had."""

_NO_FILE_TO_READ = frozenset({errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EIO})

_log = logging.getLogger(__name__)


class LandingDamaged(WarehouseError):
    """A file of landing is lost, or is not what was kept. It stops the lineage that needs it, and no other."""


def bytes_of(path: Path) -> bytes:
    """The content of a file; raises FileNotFoundError, and LandingDamaged where no file can be read in its place."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        if path.is_symlink():
            raise LandingDamaged(f"{path}: damaged, a link to nothing") from None
        raise
    except OSError as error:
        if error.errno not in _NO_FILE_TO_READ:
            raise
        raise LandingDamaged(f"{path}: damaged, {(error.strerror or '').lower()}") from None


def set_aside(root: Path, path: Path) -> Path:
    """Move what is at a path of landing away, and say so: for the next ingest of its source it is missing."""
    kept = root / DAMAGED / path.relative_to(root)
    number = 0
    while kept.exists() or kept.is_symlink():
        number += 1
        kept = kept.with_name(f"{path.name}.{number}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    path.rename(kept)
    _log.warning("%s: damaged; it is kept as %s", path, kept)
    return kept


def clear_the_way(root: Path, path: Path) -> None:
    """Set aside what is in the place of a file to be written, or of a folder above it, and is none."""
    for folder in [*path.parents][: len(path.relative_to(root).parts) - 1]:
        if (folder.exists() or folder.is_symlink()) and not folder.is_dir():
            set_aside(root, folder)
    if path.is_dir() and not path.is_symlink():
        set_aside(root, path)
