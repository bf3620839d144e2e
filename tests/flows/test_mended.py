"""What is lost of a lineage is asked for again; what may come another time is not given up."""

from __future__ import annotations

import pytest

from flows.mended import with_every_tree
from flows.sources.git import GitSource
from flows.sources.interface import SourceError
from tests.histories import LAB, ingest_git, one_figure, timing_path, timings
from warehouse.home import Home
from warehouse.landing import Landing


class Unwilling(GitSource):
    """A source that does not give the files of one commit, for a reason that may pass or not."""

    def __init__(self, path: str, withheld: str, *, may_pass: bool) -> None:
        super().__init__(path, None, LAB, accept_rewritten=True)
        self._withheld, self._may_pass = withheld, may_pass

    def files(self, revision):
        if revision.id == self._withheld:
            error = SourceError("not now")
            error.may_pass = self._may_pass
            raise error
        return super().files(revision)


@pytest.fixture
def rewritten(tmp_path):
    """A home with a lineage that was rewritten, its repository, and the commit that is only in its former history."""
    home, history = Home(tmp_path / "home"), one_figure(tmp_path)
    former = history.id(history.commit("2025-01-02", {timing_path(): timings(n19_ReLU=0.9)}))
    ingest_git(home, history)
    history.branch("main", 1)
    history.commit("2025-01-03", {timing_path(): timings(n19_ReLU=0.8)})
    ingest_git(home, history)
    return home, history, former


def mended(home, history, lost: str, *, may_pass: bool):
    (home.landing / "trees" / "lab%2FKernelBench" / f"{lost}.json").unlink()
    landing = Landing(home.landing)
    source = Unwilling(str(history.path), lost, may_pass=may_pass)
    try:
        return with_every_tree(landing, source, landing.lineage(LAB))
    finally:
        source.close()


def test_what_only_a_former_history_showed_is_given_up_where_it_cannot_come_again(rewritten):
    home, history, former = rewritten
    found = mended(home, history, former, may_pass=False)
    assert found.gone == (former,)
    assert former not in found.lineage.commits
    assert len(found.lineage.former) == 1, "it is counted still"


def test_what_may_come_another_time_is_not_given_up(rewritten):
    home, history, former = rewritten
    with pytest.raises(SourceError, match="not now"):
        mended(home, history, former, may_pass=True)


def test_what_the_source_still_contains_it_must_give(rewritten):
    home, history, _ = rewritten
    with pytest.raises(SourceError, match="not now"):
        mended(home, history, history.id(1), may_pass=False)
