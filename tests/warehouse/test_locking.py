"""One ingest at a time: the lock dies with its process, and what lies beside it is not believed."""

from __future__ import annotations

import os

import pytest

from warehouse.home import WarehouseError
from warehouse.locking import only_ingest


def test_who_comes_second_is_told_who_is_at_work(home):
    with only_ingest(home), pytest.raises(WarehouseError, match=rf"process {os.getpid()}\)"), only_ingest(home):
        pass


@pytest.mark.parametrize("garbage", [b"\xff\xfe", b"", b"../..", b"*", "²".encode(), b"9" * 10_000, b"12\n13"])
def test_garbage_where_the_number_of_a_process_should_be_stops_nobody(home, garbage):
    home.root.mkdir()
    holder = home.lock.with_suffix(".pid")
    holder.write_bytes(garbage)
    kept = home.root / ".file.1"
    kept.write_bytes(b"of another")
    with only_ingest(home):
        assert holder.read_text() == str(os.getpid())
        holder.write_bytes(garbage)
        with pytest.raises(WarehouseError, match=r"another ingest is at work \(process \w+\)"), only_ingest(home):
            pass
    assert kept.read_bytes() == b"of another"
