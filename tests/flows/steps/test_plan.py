"""What is derived anew: the series that differ; everything where the database is made from nothing."""

from __future__ import annotations

from flows.sources.git import GitSource
from flows.steps.discover import discover
from flows.steps.fetch import LandedSource, fetch
from flows.steps.plan import Wanted, plan, wanted
from tests.histories import COMPILED, EAGER, LAB, GitHistory, ingest_git, timing_path, timings

EAGER_SERIES, COMPILED_SERIES = ("H100_lab", EAGER), ("H100_lab", COMPILED)


def planned_after(workspace, history, started):
    source = GitSource(str(history.path), None, LAB)
    found = discover(workspace, source)
    (one,) = wanted(workspace, [LandedSource(found, fetch(workspace, source, found, started), started)])
    source.close()
    return plan(workspace, one)


def test_of_a_new_source_every_series_is_derived(workspace, history, started):
    planned = planned_after(workspace, history, started)
    assert planned.series == {EAGER_SERIES}
    assert (planned.published, len(planned.needed.timings), planned.refused) == (0, 2, {})
    assert [one.revision for one in planned.history.revisions] == [history.id(1), history.id(2)]
    assert planned.history.head.revision == history.id(3)


def test_of_a_published_source_only_the_series_that_differ(workspace, history, started):
    ingest_git(workspace.home, history)
    history.commit("2025-01-04", {timing_path(mode=COMPILED): timings(n19_ReLU=0.5)})
    planned = planned_after(workspace, history, started)
    assert (planned.series, planned.published) == ({COMPILED_SERIES}, 2)


def test_without_a_source_at_hand_all_that_landed_is_derived(workspace, history, tmp_path):
    other = GitHistory(tmp_path / "other")
    other.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5)})
    ingest_git(workspace.home, history)
    ingest_git(workspace.home, other, name="lab/other")
    assert wanted(workspace, []) == [Wanted(LAB), Wanted("lab/other")]
    planned = plan(workspace, Wanted("lab/other"))
    assert (planned.history.source, planned.published) == ("lab/other", 0)


def test_what_a_former_lineage_showed_is_derived_with_it(workspace, history, started):
    ingest_git(workspace.home, history)
    history.branch("main", 1)
    history.commit("2025-01-04", {timing_path(mode=COMPILED): timings(n19_ReLU=2.0)})
    planned = planned_after(workspace, history, started)
    assert planned.series == {EAGER_SERIES, COMPILED_SERIES}
    assert planned.published == 1
