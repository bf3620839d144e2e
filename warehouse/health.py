"""What is known of sources, whether or not a database is published: the rows of ``kbw sources``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from warehouse import sqlfiles
from warehouse.database import Reader, Result, connect
from warehouse.heartbeat import Beat, Heartbeat
from warehouse.home import Home


def sources_followed(home: Home, followed: Mapping[str, Beat]) -> list[dict[str, Any]]:
    """Every source that is published, was tried, or is ``followed``, what wants a look first.

    Columns as in ``sql/queries/sources_followed.sql``. Of a database that cannot be read the reader's error is raised.
    """
    beats = Heartbeat.read(home.heartbeat)
    if not home.database.exists():
        return _unpublished(beats.with_followed(followed))
    reader = Reader(home.database)
    try:
        published = {row["source"] for row in reader.query("source_names").records()}
        missing = {name: beat for name, beat in followed.items() if name not in published}
        if missing.keys() - beats.sources.keys():
            reader.tell_heartbeat(msgspec.json.encode(beats.with_followed(missing)).decode())
        return reader.query("sources_followed").records()
    finally:
        reader.close()


def _unpublished(beats: Heartbeat) -> list[dict[str, Any]]:
    connection = connect()
    try:
        connection.execute(sqlfiles.folder("macros")["last_checks"].text)
        connection.execute("set variable heartbeat = $1", [msgspec.json.encode(beats).decode()])
        found = connection.execute(sqlfiles.folder("queries")["sources_unpublished"].text)
        return Result([column[0] for column in found.description or []], found.fetchall()).records()
    finally:
        connection.close()
