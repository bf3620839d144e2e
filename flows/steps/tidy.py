"""Step: a home is put in order."""

from __future__ import annotations

from transforms.version import rules_version
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home
from warehouse.landing.upgrade import bring_up_to_date


def tidy(home: Home) -> None:
    """Put a home in order before an ingest: what a kill or a careless client left is removed.

    A landing of before there were digests gets them. Raises WarehouseError when the published file is damaged.
    """
    from warehouse.publish import damaged, discard_building, published_is_readable, remove_stray_wal

    bring_up_to_date(home.landing)
    discard_building(home)
    remove_stray_wal(home)
    heartbeat = Heartbeat.read(home.heartbeat)
    if heartbeat.is_current(home, rules_version()):
        if not heartbeat.is_whole(home):
            raise damaged(home, "its bytes are not those that were published")
    elif home.database.exists():
        published_is_readable(home)
