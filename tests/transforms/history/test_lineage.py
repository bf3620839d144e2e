"""The history of one source: what its revisions show, and what of former histories nothing reaches any more."""

from __future__ import annotations

from datetime import datetime

from transforms.history.lineage import FormerHistory, History, RevisionFiles, modules_of

NOTICED = datetime(2025, 3, 1)


def revision(number: int) -> RevisionFiles:
    return RevisionFiles(f"r{number}", datetime(2025, 1, number), {})


def history(*numbers: int, former: tuple[FormerHistory, ...] = ()) -> History:
    revisions = tuple(map(revision, numbers))
    return History("lab/bench", None, revisions, revisions[-1], former)


def test_modules_are_named_by_level_and_file_and_nothing_else_is_one():
    files = {"KernelBench/level1/19_ReLU.py": "a", "KernelBench/level1/helper.py": "b", "requirements.txt": "c"}
    shown = RevisionFiles("r", datetime(2025, 1, 1), files)
    assert modules_of(shown) == {("level1", "19_ReLU.py"): ("KernelBench/level1/19_ReLU.py", "a")}


def test_a_history_that_was_never_rewritten_has_nothing_out_of_reach():
    assert history(1, 2).unreachable == []
    assert history(1, 2).newest == 1


def test_what_only_a_former_history_shows_is_out_of_reach_by_date():
    former = FormerHistory(history(1, 4, 3), NOTICED)
    found = history(1, 2, former=(former,)).unreachable
    assert [(shown.revision, noticed) for shown, noticed in found] == [("r3", NOTICED), ("r4", NOTICED)]


def test_a_revision_of_two_former_histories_is_gone_since_the_later():
    later = datetime(2025, 4, 1)
    former = (FormerHistory(history(1, 3), NOTICED), FormerHistory(history(1, 3, 4), later))
    found = history(1, 2, former=former).unreachable
    assert [(shown.revision, noticed) for shown, noticed in found] == [("r3", later), ("r4", later)]


def test_a_revision_that_came_back_is_reachable():
    former = (FormerHistory(history(1, 2), NOTICED), FormerHistory(history(1, 3), NOTICED))
    assert [shown.revision for shown, _ in history(1, 2, 4, former=former).unreachable] == ["r3"]
