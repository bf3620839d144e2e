"""Where an ingest works."""

from __future__ import annotations

from flows.steps.workspace import Started, Workspace
from warehouse.home import Home
from warehouse.landing import Lineage


def test_a_rehearsal_reads_what_has_landed_and_writes_beside_it(tmp_path):
    real = Workspace.real(Home(tmp_path / "home"))
    real.landing.put_lineage(Lineage("lab/x", None, ["r1"], "r1"))
    rehearsal = Workspace.rehearsal(real.home, Home(tmp_path / "scratch"))
    assert (real.is_real, rehearsal.is_real, rehearsal.base) == (True, False, real.home)
    assert rehearsal.landing.lineage("lab/x") == real.landing.lineage("lab/x")
    rehearsal.landing.put_lineage(Lineage("lab/y", None, ["r1"], "r1"))
    assert real.landing.lineage("lab/y") is None


def test_ingests_are_named_in_the_order_in_which_they_begin():
    first, second = Started.now(), Started.now()
    assert first.ingest_id < second.ingest_id
    assert first.at <= second.at
