"""The order of the steps, what each took, and what is noted when one fails."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import datetime, tzinfo

import pytest
from msgspec.structs import replace

from flows import sequence
from flows.sequence import Asked, Directly, Timed, ingest, ingest_together, rebuild
from flows.sources.git import GitSource
from flows.sources.interface import SourceError
from flows.sources.sample import SampleSource
from flows.steps.plan import Plan
from flows.steps.publish import Published, publish
from flows.steps.validate import Derived, validate
from flows.steps.workspace import Workspace
from tests.histories import GitHistory, failed_checks, query, timing_path, timings
from warehouse.heartbeat import Heartbeat
from warehouse.home import Home, WarehouseError
from warehouse.landing import Landing
from warehouse.publish import ChecksFailed

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


@pytest.fixture
def one_damaged(home, opened, monkeypatch):
    """Two lineages landed and published; then one's landed state cannot be read, as after a fault of the disk."""
    sources = {name: opened(name, {timing_path(): timings(n19_ReLU=1.0)}) for name in ("bad", "good")}
    ingest_together(home, list(map(Asked, sources.values())), Directly())

    def derived(planned: Plan, *rest: object) -> Derived:
        if planned.history.source == "lab/bad":
            raise ValueError("too many\nfigures")
        return validate(planned, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(sequence, "validate", derived)
    return sources


WHY = "lab/bad: nothing new of it was published: ValueError: too many figures"


def test_a_lineage_that_cannot_be_derived_is_named_by_a_rebuild_and_stops_no_other(home, one_damaged, monkeypatch):
    outcome = rebuild(home, Directly())
    assert [str(failure) for failure in outcome.left_out] == [WHY]
    assert query(home, "select source from sources") == [("lab/good",)]
    assert Heartbeat.read(home.heartbeat).of("lab/bad").last_error == WHY
    monkeypatch.undo()
    assert ingest(home, one_damaged["bad"], Directly()).published is not None
    assert query(home, "select source from sources order by all") == [("lab/bad",), ("lab/good",)]
    assert Heartbeat.read(home.heartbeat).of("lab/bad").last_error is None


def test_a_lineage_that_cannot_be_derived_stops_no_ingest_of_another_after_an_upgrade(home, one_damaged):
    """Other rules make the whole database anew: also of the lineage that nobody asked."""
    replace(Heartbeat.read(home.heartbeat), rules_version="older").write(home.heartbeat)
    outcome = ingest(home, one_damaged["good"], Directly())
    assert [str(failure) for failure in outcome.left_out] == [WHY]
    assert query(home, "select source from sources") == [("lab/good",)]
    assert ingest(home, one_damaged["good"], Directly()).published is None


def test_of_sources_that_are_asked_together_one_that_cannot_be_derived_is_named_and_asked_again(home, one_damaged):
    home.database.unlink()
    for _ in range(2):
        done = ingest_together(home, list(map(Asked, one_damaged.values())), Directly())
        assert [str(failure) for failure in done.failures] == [WHY]
        assert [outcome.discovered.source for outcome in done.outcomes if outcome.discovered] == ["lab/good"]
        assert query(home, "select source from ingests order by all") == [("lab/bad",), ("lab/good",), ("lab/good",)]


@pytest.mark.parametrize("lost", [True, False], ids=["lost", "damaged"])
def test_a_lineage_that_landing_lost_is_named_and_its_next_ingest_makes_it_anew(home, opened, lost):
    sources = {name: opened(name, {timing_path(): timings(n19_ReLU=1.0)}) for name in ("a", "b")}
    ingest_together(home, list(map(Asked, sources.values())), Directly())
    lineage = home.landing / "lineages" / "lab%2Fa.json"
    lineage.unlink() if lost else lineage.write_bytes(lineage.read_bytes().replace(b"lab/a", b"lab/z"))
    outcome = rebuild(home, Directly())
    assert [str(failure) for failure in outcome.left_out] == [
        "lab/a: nothing new of it was published: its lineage is lost from landing, or damaged; ingest it again"
    ]
    assert query(home, "select source from sources") == [("lab/b",)]
    assert ingest(home, sources["a"], Directly()).published is not None
    assert query(home, "select source from sources order by all") == [("lab/a",), ("lab/b",)]
    assert rebuild(home, Directly()).left_out == ()


def test_where_nothing_can_be_derived_the_published_file_stays(home, one_damaged):
    before = home.database.read_bytes()
    replace(Heartbeat.read(home.heartbeat), rules_version="older").write(home.heartbeat)
    (home.landing / "lineages" / "lab%2Fgood.json").unlink()
    shutil.rmtree(home.landing / "trees" / "lab%2Fgood")
    with pytest.raises(SourceError, match="too many figures"):
        ingest(home, one_damaged["bad"], Directly())
    with pytest.raises(SourceError, match="too many figures"):
        rebuild(home, Directly())
    assert home.database.read_bytes() == before


@pytest.mark.parametrize("first", ["lab/bad", "lab/x"])
def test_a_lineage_that_the_database_refuses_is_left_out_and_the_others_are_published(home, opened, monkeypatch, first):
    names = sorted(["bad", "x", "y"], key=lambda name: name != first.removeprefix("lab/"))
    sources = [opened(name, {timing_path(): timings(n19_ReLU=1.0)}) for name in names]

    def published(workspace: Workspace, derived: Sequence[Derived], *rest: object, **named: object) -> Published:
        if any(one.source == "lab/bad" for one in derived):
            raise ChecksFailed("not published: check one_holder found 1 bad rows")
        return publish(workspace, derived, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(sequence, "publish", published)
    done = ingest_together(home, list(map(Asked, sources)), Directly())
    assert [str(failure) for failure in done.failures] == [
        "lab/bad: nothing new of it was published: not published: check one_holder found 1 bad rows"
    ]
    assert query(home, "select source from ingests order by all") == [("lab/x",), ("lab/y",)]
    assert failed_checks(home) == {}
    monkeypatch.undo()
    assert ingest_together(home, list(map(Asked, sources)), Directly()).failures == []
    assert query(home, "select source from sources order by all") == [("lab/bad",), ("lab/x",), ("lab/y",)]


@pytest.mark.parametrize("hours", [-2, 2, 24 * 365 * 40])
def test_a_clock_that_is_set_during_an_ingest_makes_no_wrong_duration(home, monkeypatch, hours):
    """As it was found: the clock stepped back, the duration was negative, and nothing could be published any more."""

    class Shifted:
        @staticmethod
        def now(zone: tzinfo) -> datetime:
            return datetime.fromtimestamp(time.time() + hours * 3600, zone)

    with monkeypatch.context() as patch:
        patch.setattr("flows.steps.workspace.datetime", Shifted)
        ingest(home, SampleSource(), Directly())
    ((seconds, apart),) = query(home, "select seconds, epoch(finished_at) - epoch(started_at) from ingests")
    assert 0 < seconds < 60
    assert apart == pytest.approx(seconds, abs=1e-3)
    rebuild(home, Directly())
    assert failed_checks(home) == {}


def test_a_record_of_an_ingest_that_no_table_can_hold_ends_no_later_one(home, opened, caplog):
    """Homes exist whose log says that an ingest took less than no time."""
    source = opened("x", {timing_path(): timings(n19_ReLU=1.0)})
    ingest(home, source, Directly())
    (record,) = Landing(home.landing).ingests()
    Landing(home.landing).log_ingest(replace(record, ingest_id="20240101T000000000000Z-1", seconds=-3600.0))
    rebuild(home, Directly())
    assert query(home, "select ingest_id from ingests") == [(record.ingest_id,)]
    assert Landing(home.landing).ingests() == [record]
    assert "20240101T000000000000Z-1 is set aside: seconds: " in caplog.text
    assert len(list((home.landing / "damaged").rglob("20240101T000000000000Z-1*"))) == 1


def test_no_record_of_an_ingest_lands_before_its_database_is_known_to_be_good(home, opened, monkeypatch):
    def bad(_: object) -> None:
        raise ChecksFailed("not published")

    with monkeypatch.context() as patch, pytest.raises(ChecksFailed):
        patch.setattr("warehouse.publish.Building.check", bad)
        ingest(home, opened("x", {timing_path(): timings(n19_ReLU=1.0)}), Directly())
    assert Landing(home.landing).ingests() == []


def test_a_failed_ingest_leaves_a_word_in_the_heartbeat_and_the_lock_free(home, monkeypatch):
    def broken(*_: object) -> None:
        raise OSError("the cable was cut")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="cable"):
        patch.setattr(sequence, "fetch", broken)
        ingest(home, SampleSource(), Directly())
    assert Heartbeat.read(home.heartbeat).of("ScalingIntelligence/KernelBench").last_error == "the cable was cut"
    assert ingest(home, SampleSource(), Directly()).published is not None


def test_where_no_lineage_can_be_read_they_are_named_and_the_published_file_stays(home, opened):
    ingest(home, opened("x", {timing_path(): timings(n19_ReLU=1.0)}), Directly())
    before = home.database.read_bytes()
    (home.landing / "lineages" / "lab%2Fx.json").write_text("{}")
    with pytest.raises(WarehouseError, match="no lineage that landed can be read; ingest again: lab/x"):
        rebuild(home, Directly())
    assert home.database.read_bytes() == before


def test_nothing_that_landed_cannot_be_rebuilt(home):
    with pytest.raises(WarehouseError, match="nothing has landed"):
        rebuild(home, Directly())
