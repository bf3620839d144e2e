"""The order of the steps, what each took, and what is noted when one fails."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing

import pytest

from flows import sequence
from flows.sequence import Asked, Directly, Timed, ingest, ingest_together, rebuild
from flows.sources.git import GitSource
from flows.sources.interface import SourceError
from flows.sources.sample import SampleSource
from flows.steps.workspace import Workspace
from tests.histories import GitHistory, query, timing_path, timings
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home, WarehouseError

WHOLE = ["tidy", "discover", "fetch", "plan", "read_timing_part", "read_beside", "normalise", "validate", "publish"]


def doubled(number: int, *, more: int = 0) -> int:
    return 2 * number + more


def joined(workspace: Workspace, item: str) -> str:
    return f"{workspace.home.root.name}/{item}"


def test_a_step_is_told_and_called_with_what_it_takes(tmp_path):
    told: list[str] = []
    call = Timed(Directly(told.append))
    assert call(doubled, 2, more=1) == 5
    assert call.each(joined, Workspace.real(Home(tmp_path / "home")), ["a", "b"]) == ["home/a", "home/b"]
    assert told == ["doubled", "joined"]
    assert list(call.seconds) == told


def test_the_time_of_a_step_that_fails_is_known_too():
    call = Timed(Directly())
    with pytest.raises(TypeError):
        call(doubled, "two", more=1)  # type: ignore[arg-type]
    assert call.seconds["doubled"] >= 0


def test_an_ingest_takes_its_steps_in_order_and_the_next_only_checks(home):
    told: list[str] = []
    outcome = ingest(home, SampleSource(), Directly(told.append))
    assert told == WHOLE
    assert list(outcome.seconds) == WHOLE[1:]
    told.clear()
    assert ingest(home, SampleSource(), Directly(told.append)).published is None
    assert told == ["tidy", "discover", "beat"]
    told.clear()
    rebuild(home, Directly(told.append))
    assert told == WHOLE[3:]


@pytest.fixture
def opened(tmp_path):
    """Opens a repository of one commit as a source of its name."""
    with ExitStack() as stack:

        def open_with(name: str, files: Mapping[str, str]) -> GitSource:
            made = GitHistory(tmp_path / name)
            made.commit("2025-01-01", files)
            return stack.enter_context(closing(GitSource(str(made.path), None, f"lab/{name}")))

        yield open_with


BAD = "results/timing/H100_bad/baseline_time_torch.json"


def test_sources_that_are_asked_together_are_published_once_and_each_tells_its_own(home, opened):
    """What landed before, and nobody asked, is told with the first where the database is made anew."""
    first, second, before = (
        opened(name, {timing_path(): timings(n19_ReLU=mean), BAD: text})
        for name, mean, text in (("first", 1.0, "{}"), ("second", 2.0, "<html>"), ("before", 3.0, "<html>"))
    )
    ingest(home, before, Directly())
    home.database.unlink()
    told: list[str] = []
    done = ingest_together(home, [Asked(first), Asked(second)], Directly(told.append))
    assert [told.count(step) for step in ("discover", "fetch", "publish")] == [2, 2, 1]
    assert done.failures == []
    assert [[each.source for each in one.derived] for one in done.outcomes] == [
        ["lab/before", "lab/first"],
        ["lab/second"],
    ]
    assert [one.refused_files for one in done.outcomes] == [[(BAD, "not_json"), (BAD, "empty")], [(BAD, "not_json")]]


def test_of_sources_that_are_asked_together_one_that_cannot_be_read_stops_no_other(home, opened):
    empty = Asked(opened("empty", {"README.md": "nothing"}))
    done = ingest_together(home, [empty, Asked(opened("x", {timing_path(): timings(n19_ReLU=1.0)}))], Directly())
    (failure,) = done.failures
    assert str(failure) == "lab/empty: no commit of HEAD holds anything under results/timing"
    assert query(home, "select source from sources") == [("lab/x",)]
    with pytest.raises(SourceError, match="lab/empty"):
        _ = ingest_together(home, [empty], Directly()).only


def test_a_failed_ingest_leaves_a_word_in_the_heartbeat_and_the_lock_free(home, monkeypatch):
    def broken(*_: object) -> None:
        raise OSError("the cable was cut")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="cable"):
        patch.setattr(sequence, "fetch", broken)
        ingest(home, SampleSource(), Directly())
    assert Heartbeat.read(home.heartbeat).of("ScalingIntelligence/KernelBench").last_error == "the cable was cut"
    assert ingest(home, SampleSource(), Directly()).published is not None


def test_nothing_that_landed_cannot_be_rebuilt(home):
    with pytest.raises(WarehouseError, match="nothing has landed"):
        rebuild(home, Directly())
