"""The fast way through a timing file: for files in the shape upstream writes, which is nearly all of them."""

import msgspec

from transforms.timings.document import is_level
from transforms.timings.rows import UNREAD, Entry, Remark, Rows

__all__ = ["read_typed"]

Levels = dict[str, dict[str, Entry | None]]

_DECODER = msgspec.json.Decoder(Levels)
_NULL = Remark(value=None, fault="not_measured", detail="the entry is null")
_STATISTICS = 5
"""Keys that every measured entry has; hardware and device are counted where they stand."""


def read_typed(file: int, data: bytes) -> Rows | None:
    """A file's entries, or None when it has to be read carefully.

    `data` starts after the byte order mark. Whatever could make a rule of DESIGN section 4 apply before the figures are
    compared, save a null entry, is left to the careful reader: other keys, other types, keys that stand twice.
    """
    try:
        document = _DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return None
    if not document or not all(map(is_level, document)):
        return None
    rows = Rows()
    for level, entries in document.items():
        _add(file, level, entries, rows)
    return rows if _holds_all(document, rows, data) else None


def _add(file: int, level: str, entries: dict[str, Entry | None], rows: Rows) -> None:
    if not all(entries.values()):
        first = len(rows.keys)
        rows.remarks |= {first + i: _NULL for i, entry in enumerate(entries.values()) if entry is None}
    rows.add_level(file, level, entries, [entry or UNREAD for entry in entries.values()])


def _holds_all(document: Levels, rows: Rows, data: bytes) -> bool:
    r"""Whether the text holds no key and no string beyond those that were read: none was overwritten by its like.

    A colon of a JSON text stands behind a key or in a string. A text that names anything twice has more colons than was
    read accounts for, never fewer, unless one that was read is written `\u003a`: then there is a backslash.
    """
    if b"\\" in data:
        return False
    strings = rows.columns["hardware"] + rows.columns["device"]
    if None in strings:
        strings = [text for text in strings if text is not None]
    texts = [*document, *rows.keys, *strings]
    # Each text is a key or follows one; a measured entry has its statistics beside.
    colons = len(texts) + _STATISTICS * (len(rows.keys) - len(rows.remarks))
    return data.count(b":") == colons + "".join(texts).count(":")
