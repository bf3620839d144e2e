"""A commit's archive as it comes: unpacked within bounds, and read file by file; nothing of it is written.

What packs a gigabyte into a megabyte, a header without end and a million empty members are all archives too. So bytes
are counted on both sides of the unpacking, and what comes between two members apart from them.
"""

from __future__ import annotations

import tarfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, cast

import requests
import urllib3

from flows.sources.github.errors import Again, TooLarge, what_broke
from flows.sources.github.hosts import host_of
from flows.sources.github.patience import LARGEST_ARCHIVE, Patience
from flows.sources.interface import SourceError

LARGEST_UNPACKED = 2**32
"""Four times what may come packed: figures and code pack to a quarter or less."""

MOST_MEMBERS = 1_000_000
"""As many as a tree may have entries."""

LARGEST_HEADER = 2**20
"""What may stand before a member: git writes two or three blocks of 512 bytes; with each come two of filling."""

_PACKED_AT_ONCE = 2**16
_GZIP = 16 + zlib.MAX_WBITS


class Damaged(Exception):
    """An archive that cannot be read."""


class ArchiveStream:
    """The unpacked bytes of an archive: what ``tarfile`` needs of a file. Raises Again where the transfer breaks."""

    def __init__(self, name: str, response: requests.Response, patience: Patience) -> None:
        """``name`` begins messages; ``response`` stays the caller's to close."""
        self._name = name
        self._response = response
        self._patience = patience
        self._unpacker = zlib.decompressobj(_GZIP)
        self._packed_left = LARGEST_ARCHIVE
        self._unpacked_left = LARGEST_UNPACKED
        self.allow(0)

    def allow(self, size: int) -> None:
        """A member of this size comes next, and the header of one more. Raises TooLarge where all would be too much."""
        if size > self._unpacked_left:
            raise self.too_large(f"unpacks to more than {LARGEST_UNPACKED >> 20:,} MiB")
        self._allowed = size + LARGEST_HEADER

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes; none at the end."""
        data = b""
        while not data and not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail or self._packed()
            data = self._unpacker.decompress(packed, size)
            if not packed and not data and not self._unpacker.eof:
                raise Damaged
        self._unpacked_left -= len(data)
        self._allowed -= len(data)
        if self._unpacked_left < 0:
            raise self.too_large(f"unpacks to more than {LARGEST_UNPACKED >> 20:,} MiB")
        if self._allowed < 0:
            raise self.too_large(f"has headers of more than {LARGEST_HEADER >> 20} MiB")
        return data

    def _packed(self) -> bytes:
        try:
            data: bytes = self._response.raw.read(_PACKED_AT_ONCE, decode_content=False)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            words = what_broke(error, self._patience)
        else:
            self._packed_left -= len(data)
            if self._packed_left >= 0:
                return data
            raise self.too_large(f"has more than {LARGEST_ARCHIVE >> 20} MiB")
        raise Again(f"{host_of(self._response.url)}: {words}")

    def too_large(self, what: str) -> TooLarge:
        """What to raise where there is more than can be."""
        return TooLarge(f"{self._name} {what}")


def files_of(stream: ArchiveStream, wanted: Callable[[str], bool], largest: int) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each regular file that is wanted by its name and not larger than ``largest``.

    Raises Damaged where the archive cannot be read: over bytes of a stranger ``tarfile`` raises whatever it meets.
    """
    try:
        yield from _files_of(stream, wanted, largest)
    except (Again, SourceError, Damaged):
        raise
    except Exception:
        damaged = Damaged()
    else:
        return
    raise damaged


def _files_of(stream: ArchiveStream, wanted: Callable[[str], bool], largest: int) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|") as archive:
        passed = 0
        while (member := archive.next()) is not None:
            archive.members.clear()  # type: ignore[attr-defined]  # it keeps each, and a million of them is too much
            passed += 1
            if passed > MOST_MEMBERS:
                raise stream.too_large(f"has more than {MOST_MEMBERS:,} members")
            stream.allow(member.size)
            if member.isreg() and member.size <= largest and wanted(member.name):
                file = archive.extractfile(member)
                yield member.name, file.read() if file else b""
