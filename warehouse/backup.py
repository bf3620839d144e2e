"""Backups: all of a home that cannot be made again, in one file, and back (DESIGN.md section 3).

An archive holds ``landing/``, ``kbw.toml`` and ``heartbeat.json``, and last the SHA-256 of each; without that list it
is none. What is put back is first unpacked and compared beside what is there, and counts from one moment on: a kill
before it leaves the home as it was, and after it whoever takes the home's lock next goes on (``warehouse.locking``).
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from warehouse.files import flush_all, flush_to_disk, replace_durably
from warehouse.home import Home, WarehouseError, WrongUsage
from warehouse.landing.damage import DAMAGED
from warehouse.locking import READY, aside_of, put_in_place, restoring

SETTINGS = "kbw.toml"
SUMS = "SHA256SUMS"
ENDINGS = (".tar.gz", ".tgz", ".tar")

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_PART = 2**20
_BROKEN = (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile)


@dataclass(frozen=True)
class Kept:
    """What a backup holds: its file, how many files are in it, and their bytes."""

    path: Path
    files: int
    size_bytes: int


def backup(home: Home, settings: Path | None, target: Path, at: datetime) -> Kept:
    """Write a backup beside ``target`` and move it into place; in a folder it is named after the moment ``at`` (UTC).

    To be called under the home's lock. ``settings`` is the file that is in force. Raises WarehouseError where nothing
    has landed, WrongUsage for a name that says no form.
    """
    refuse_empty(home)
    path = _named(home, target, at)
    path.parent.mkdir(parents=True, exist_ok=True)
    _discard_leftovers(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}.kbw-backup")
    try:
        files, size = _write(beside, home, settings, packed=path.suffix != ".tar")
        replace_durably(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    return Kept(path, files, size)


def refuse_empty(home: Home) -> None:
    """Raise WarehouseError for a home in which nothing has landed."""
    if not (home.landing / "lineages").is_dir():
        raise WarehouseError(f"{home.root}: nothing has landed, there is nothing to keep; ingest a source first")


def _named(home: Home, target: Path, at: datetime) -> Path:
    if target.is_dir():
        target = target / f"kbw-backup-{at:%Y%m%dT%H%M%SZ}.tar.gz"
    if not target.name.endswith(ENDINGS):
        raise WrongUsage(f"{target}: name a folder, or a file that ends in {', '.join(ENDINGS)}")
    if target.resolve().is_relative_to(home.landing.resolve()):
        raise WrongUsage(f"{target}: lies in landing itself; keep the backup elsewhere, best on another disk")
    return target


def _discard_leftovers(folder: Path) -> None:
    """Remove what a backup left that was killed: its process is no more."""
    for leftover in folder.glob(".*.kbw-backup"):
        process = leftover.name.removesuffix(".kbw-backup").rpartition(".")[2]
        if process.isdecimal() and not Path(f"/proc/{process}").exists():
            leftover.unlink(missing_ok=True)


def _write(path: Path, home: Home, settings: Path | None, *, packed: bool) -> tuple[int, int]:
    sums, size = [], 0
    with ExitStack() as stack:
        plain = stack.enter_context(path.open("xb"))
        file = stack.enter_context(gzip.GzipFile("", "wb", fileobj=plain, mtime=0)) if packed else plain
        tar = stack.enter_context(tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT))
        for name, found in _to_keep(home, settings):
            data = found.read_bytes()
            sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
            size += len(data)
            _add(tar, name, data, int(found.stat().st_mtime))
        _add(tar, SUMS, "".join(sums).encode(), 0)
    return len(sums), size


def _add(tar: tarfile.TarFile, name: str, data: bytes, changed_at: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = len(data), changed_at, 0o644
    tar.addfile(member, io.BytesIO(data))


def _to_keep(home: Home, settings: Path | None) -> Iterator[tuple[str, Path]]:
    """``(name, file)`` of all that is kept. What was set aside as damaged, and half-written files, are not."""
    if home.heartbeat.is_file():
        yield home.heartbeat.name, home.heartbeat
    if settings is not None:
        yield SETTINGS, settings
    for folder, folders, names in os.walk(home.landing):
        below = Path(folder).relative_to(home.landing)
        folders[:] = sorted(one for one in folders if (below / one).as_posix() != DAMAGED)
        for name in sorted(names):
            path = Path(folder, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                yield (PurePosixPath(home.landing.name) / below.as_posix() / name).as_posix(), path


def refuse_no_backup(archive: Path) -> None:
    """Raise WarehouseError for a file that is not there, or is no archive."""
    if not archive.is_file():
        raise WarehouseError(f"{archive}: no such file; name what `kbw backup` wrote")
    if not tarfile.is_tarfile(archive):
        raise WarehouseError(f"{archive}: is no backup of kbw")


def refuse_full(home: Home, archive: Path) -> None:
    """Raise WarehouseError for a home that holds something already."""
    if held := [name for name in _names(home) if (home.root / name).exists()]:
        raise WarehouseError(
            f"{home.root}: holds {', '.join(held)} already; name another home, or `kbw restore {archive} --replace`, "
            "which keeps what is there aside"
        )


def _names(home: Home) -> list[str]:
    """What a restore puts into a home, in this order: readers go over to the new database last."""
    return [home.landing.name, home.heartbeat.name, SETTINGS, home.database.name]


def stage(home: Home, archive: Path) -> Home:
    """Unpack an archive beside what a home holds, and compare every digest; the home that came of it.

    To be called under the home's lock. Raises WarehouseError for what is no whole backup, or leads out of its folder.
    """
    staged = restoring(home)
    staged.root.mkdir(parents=True)
    try:
        sums = _unpack(archive, staged.root)
    except _BROKEN as error:
        raise WarehouseError(f"{archive}: is no whole backup ({error}); nothing was restored") from None
    _compare(archive, sums)
    return staged


def _unpack(archive: Path, folder: Path) -> dict[str, str]:
    """Write the files of an archive; the SHA-256 of each by name, that of the list of digests with its text."""
    found: dict[str, str] = {}
    with tarfile.open(archive, "r:*") as tar:
        for member in tar:
            _refuse_foreign(archive, member, folder, found)
            source = tar.extractfile(member)
            assert source is not None
            if member.name == SUMS:
                found[SUMS] = source.read().decode("utf-8", "replace")
                continue
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            digest = hashlib.sha256()
            with path.open("xb") as file:
                while part := source.read(_PART):
                    digest.update(part)
                    file.write(part)
            os.utime(path, (member.mtime, member.mtime))
            found[member.name] = digest.hexdigest()
    return found


def _refuse_foreign(archive: Path, member: tarfile.TarInfo, folder: Path, found: dict[str, str]) -> None:
    name = PurePosixPath(member.name)
    of_ours = member.name in ("heartbeat.json", SETTINGS, SUMS) or name.parts[:1] == ("landing",)
    plain = member.isfile() and member.name == name.as_posix() and ".." not in name.parts
    if hasattr(tarfile, "data_filter"):  # the first releases of Python 3.11 have none
        try:
            tarfile.data_filter(member, str(folder))
        except tarfile.FilterError as error:
            raise WarehouseError(f"{archive}: leads out of its folder ({error}); nothing was restored") from None
    if not (of_ours and plain) or member.name in found or SUMS in found:
        raise WarehouseError(f"{archive}: {member.name!r} is not what a backup of kbw holds; nothing was restored")


def _compare(archive: Path, found: dict[str, str]) -> None:
    text = found.pop(SUMS, None)
    if text is None:
        raise WarehouseError(f"{archive}: ends before its list of digests; nothing was restored")
    lines = [_LINE.fullmatch(line) for line in text.splitlines()]
    told = {line[2]: line[1] for line in lines if line}
    if wrong := sorted({name for name, _ in told.items() ^ found.items()}):
        raise WarehouseError(
            f"{archive}: {wrong[0]} is not as it was kept ({len(wrong)} files are not); nothing was restored"
        )


def take_place(home: Home, at: datetime) -> Path | None:
    """Let what was staged take the place of what the home holds, which is kept aside; where, if anything was."""
    staged = restoring(home)
    if home.landing.is_mount():
        raise WarehouseError(
            f"{home.landing}: is a disk of its own and cannot be moved aside; restore into another home"
        )
    flush_all([path for path in staged.root.rglob("*") if path.is_file()], staged.root.parent)
    names = _names(home)
    aside = f"before-restore-{at:%Y%m%dT%H%M%SZ}"
    held = any((home.root / name).exists() for name in names)
    beside = staged.root.parent / f".{READY}"
    listed = [f"{'+' if (staged.root / name).exists() else '-'}{name}" for name in names]
    beside.write_text("\n".join([aside, *listed]), encoding="utf-8")
    replace_durably(beside, staged.root.parent / READY)  # from here on it is the new one
    put_in_place(home)
    flush_to_disk(home.root)
    return aside_of(home, aside) if held else None


def discard_staged(home: Home) -> None:
    """Remove what was staged and did not come to count."""
    with suppress(FileNotFoundError):
        shutil.rmtree(restoring(home).root.parent)
