"""The order of the steps, what each took, and what is noted when one fails."""

from __future__ import annotations

import pytest

from flows import sequence
from flows.sequence import Directly, Timed, ingest, rebuild
from flows.sources.sample import SampleSource
from flows.steps.workspace import Workspace
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
