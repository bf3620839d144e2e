"""What a person hands a command to read."""

from __future__ import annotations

import sys
from pathlib import Path

from warehouse.home import WarehouseError

LARGEST = 64 * 2**20
"""Bytes: more than any manifest or query has, and little enough that a device without an end does no harm."""


def given_text(name: str) -> str:
    """The text of a file, or for ``-`` of standard input; raises WarehouseError where it is none, or without end."""
    if name == "-":
        if sys.stdin is None:
            raise WarehouseError("standard input is closed and there is nothing else to read; name a file")
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        with Path(name).expanduser().open("rb") as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise WarehouseError(f"{name}: holds more than {LARGEST // 2**20} MiB; that much is not read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WarehouseError(f"{name}: not UTF-8: {error.reason} at byte {error.start}") from None
