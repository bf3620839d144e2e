"""The chain that the API gives is the one that git gives."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flows.sources.git import GitSource
from flows.sources.github import GitHubSource
from flows.sources.interface import Chain, SourceError
from tests.github import GitHub
from tests.histories import LAB, GitHistory, timing_path, timings

TIMED, OTHER = timing_path(), "src/train.py"


def by_git(path: Path, known: Sequence[str] = (), ref: str | None = None) -> Chain:
    with closing(GitSource(str(path), ref, f"{LAB}@{ref}" if ref else LAB)) as source:
        return source.revisions(known)


def by_github(known: Sequence[str] = (), ref: str | None = None) -> Chain:
    with closing(GitHubSource(LAB, ref, LAB)) as source:
        return source.revisions(known)


def figures(mean: float) -> dict[str, str | bytes | None]:
    return {TIMED: timings(n19_ReLU=mean)}


def merge(
    history: GitHistory, date: str, *branches: str, taking: str, changes: dict[str, str | bytes | None] | None = None
) -> int:
    """Merge branches into the first; the result is the tree of ``taking``, with ``changes``."""
    tips = [history._tips[branch] for branch in branches]
    ours, theirs = history._trees[tips[0] - 1], history._trees[history._tips[taking] - 1]
    wanted = {**theirs, **{path: str(text).encode() for path, text in (changes or {}).items()}}
    differing = {
        path: wanted.get(path) for path in sorted(ours.keys() | wanted.keys()) if ours.get(path) != wanted.get(path)
    }
    return history._add(branches[0], date, tuple(tips), differing)


def ids(history: GitHistory, *marks: int) -> list[str]:
    return [history.id(mark) for mark in marks]


def new(chain: Chain) -> list[str]:
    return [revision.id for revision in chain.new]


def agreed(history: GitHistory, known: Sequence[str] = (), ref: str | None = None) -> list[str]:
    """The new revisions of a history, on which git and the API agree; with their dates, and with the head."""
    by_hand = by_git(history.path, known, ref)
    assert by_github(known, ref) == by_hand
    return new(by_hand)


def test_a_side_branch_that_changes_figures_counts_as_its_merge(history, github):
    assert agreed(history) == ids(history, 1, 5, 6)
    assert by_github().head.id == history.id(7)


def test_a_side_branch_that_changes_no_figures_does_not_count(history, github):
    history.branch("docs")
    history.commit("2025-02-01", {"README.md": "Reworded."}, branch="docs")
    history.commit("2025-02-02", figures(7.0))
    history.merge("2025-02-03", "docs")
    assert agreed(history) == ids(history, 1, 5, 6, 9)


def test_a_merge_that_takes_back_what_its_branch_changed_does_not_count(history, github):
    history.branch("trial")
    history.commit("2025-02-01", figures(7.0), branch="trial")
    history.commit("2025-02-02", {OTHER: "1"})
    merge(history, "2025-02-03", "main", "trial", taking="main")
    assert agreed(history) == ids(history, 1, 5, 6)


def test_a_merge_that_takes_the_side_hides_no_revision_of_the_first_parent(history, github):
    """Such a merge leads the list of commits away from the first parent: neither it nor what it undid is listed."""
    history.branch("old")
    history.commit("2025-02-01", {OTHER: "1"}, branch="old")
    undone = history.commit("2025-02-02", figures(7.0))
    undoing = merge(history, "2025-02-03", "main", "old", taking="old")
    history.commit("2025-02-04", {OTHER: "2"})
    assert history.path
    listed = [
        commit["sha"] for commit in github.repository.log(history.id(history._tips["main"]), "results/timing", False)
    ]
    assert not {history.id(undone), history.id(undoing)} & set(listed), "they were listed: the test would prove nothing"
    assert agreed(history) == ids(history, 1, 5, 6, undone, undoing)


def test_a_merge_that_changes_figures_itself_counts(history, github):
    history.branch("side2")
    history.commit("2025-02-01", {OTHER: "1"}, branch="side2")
    history.commit("2025-02-02", {"README.md": "2"})
    own = history.merge("2025-02-03", "side2", changes=figures(8.0))
    assert agreed(history) == [*ids(history, 1, 5, 6), history.id(own)]


def test_an_octopus_merge_counts_once(history, github):
    for name, mode in (("a", "torch_a"), ("b", "torch_b"), ("c", "torch_c")):
        history.branch(name, 6)
        history.commit("2025-02-01", {timing_path(mode=mode): timings(n19_ReLU=2.0)}, branch=name)
    octopus = merge(
        history, "2025-02-05", "main", "a", "b", "c", taking="main", changes={timing_path(mode="torch_a"): "{}"}
    )
    assert agreed(history) == [*ids(history, 1, 5, 6), history.id(octopus)]


def test_pages_are_followed_to_the_first_commit(tmp_path, monkeypatch):
    history = GitHistory(tmp_path / "long")
    for day in range(230):
        changes = figures(1.0 + day) if day % 2 else {OTHER: str(day)}
        history.commit(f"2025-01-01T{day // 60:02}:{day % 60:02}:00", changes)
    with GitHub(history.path, LAB) as github:
        github.set_environment(monkeypatch)
        assert len(agreed(history)) == 115
        pages = [request for request in github.requests if request.path.endswith("/commits")]
        assert len(pages) == 3 + 2


def test_only_as_many_pages_are_asked_for_as_there_is_news(tmp_path, monkeypatch):
    history = GitHistory(tmp_path / "long")
    for day in range(230):
        history.commit(f"2025-01-01T{day // 60:02}:{day % 60:02}:00", figures(1.0 + day))
    with GitHub(history.path, LAB) as github:
        github.set_environment(monkeypatch)
        known = new(by_git(history.path))[:-3]
        assert len(agreed(history, known)) == 3
        pages = [request for request in github.requests if request.path.endswith("/commits")]
        assert len(pages) == 2


def test_a_branch_and_a_tag_and_a_commit_are_refs(history, github):
    for ref in ("side", history.id(6)):
        agreed(history, ref=ref)


def test_a_ref_with_a_slash_is_one(history, github):
    history.branch("feature/a-b#c", 6)
    history.commit("2025-02-01", {OTHER: "1"}, branch="feature/a-b#c")
    assert agreed(history, ref="feature/a-b#c") == ids(history, 1, 5, 6)


def test_a_list_that_lags_behind_hides_no_revision(history, github):
    """GitHub's list of commits that touched a path may come from a copy that is behind."""
    github.stale_listing = history.id(5)
    assert agreed(history) == ids(history, 1, 5, 6)
    github.stale_listing = history.id(1)
    assert agreed(history, ids(history, 1, 5)) == ids(history, 6)


@pytest.mark.parametrize("known", [[], [1], [1, 5], [1, 5, 6]])
def test_what_is_known_is_not_told_again(history, github, known):
    known = ids(history, *known)
    agreed(history, known)


def test_a_branch_without_figures_is_refused(history, github):
    history._add("empty", "2025-01-01", (), {"README.md": b"Nothing."})
    assert history.path
    with pytest.raises(SourceError, match=r"no commit of empty holds anything under results/timing"):
        by_github(ref="empty")


def test_of_a_rewritten_branch_the_revisions_after_the_fork_are_new_and_those_it_lacks_are_lost(history, github):
    known = new(by_github())
    history.branch("main", 2)
    added = history.commit("2025-03-01", figures(9.0))
    assert agreed(history, known) == [history.id(added)]
    assert by_github(known).unreachable == tuple(ids(history, 5, 6))


def test_a_branch_that_was_wound_back_has_nothing_new(history, github):
    """Its head is the commit without figures that came before the merge."""
    known = new(by_github())
    history.branch("main", 4)
    assert history.path
    chain = by_github(known)
    assert (chain.new, chain.unreachable, chain.head.id) == ((), tuple(ids(history, 5, 6)), history.id(4))


def test_a_branch_with_nothing_in_common_is_all_new_and_all_that_was_known_is_lost(history, github):
    known = new(by_github())
    first = history._add("main", "2024-01-01", (), {TIMED: timings(n19_ReLU=7.0).encode()})
    assert history.path
    chain = by_github(known)
    assert (new(chain), chain.unreachable) == ([history.id(first)], tuple(known))


def test_a_rewritten_commit_without_figures_loses_nothing(history, github):
    known = new(by_github())
    history.branch("main", 6)
    head = history.commit("2025-03-01", {"README.md": "Reworded."})
    assert agreed(history, known) == []
    chain = by_github(known)
    assert (chain.unreachable, chain.head.id) == ((), history.id(head))


def test_the_walk_from_a_rewritten_branch_ends_at_the_fork(tmp_path, monkeypatch):
    """230 commits, of which the last 5 were written anew: one page of commits and one of those that touch figures."""
    history = GitHistory(tmp_path / "long")
    for day in range(230):
        history.commit(f"2025-01-01T{day // 60:02}:{day % 60:02}:00", figures(1.0 + day))
    known = new(by_git(history.path))
    history.branch("main", 225)
    for day in range(5):
        history.commit(f"2025-01-02T00:{day:02}:00", figures(500.0 + day))
    with GitHub(history.path, LAB) as github:
        github.set_environment(monkeypatch)
        assert len(agreed(history, known)) == 5
        assert by_git(history.path, known).unreachable == tuple(known[225:])
        pages = [request for request in github.requests if request.path.endswith("/commits")]
        assert len(pages) == 2


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["commit", "commit", "commit", "branch", "merge", "merge"]),
        st.integers(0, 2),  # which branch
        st.integers(0, 3),  # what it changes
        st.integers(0, 9),  # committed on which day: clocks are wrong at times
        st.integers(0, 2),  # which other branch
        st.integers(0, 3),  # whose files a merge takes
    ),
    min_size=1,
    max_size=14,
)


def made(folder: Path, steps: list[tuple[str, int, int, int, int, int]]) -> GitHistory:
    history = GitHistory(folder)
    history.commit("2025-01-01", figures(1.0))
    names = ["main", "one", "two"]
    for name in names[1:]:
        history.branch(name, 1)
    for number, (step, branch, change, day, other, take) in enumerate(steps):
        name, date = names[branch], f"2025-01-{day + 2:02}T00:00:{number:02}"
        changes: dict[str, str | bytes | None] = [
            figures(2.0), figures(3.0), {OTHER: str(number)}, {timing_path(mode="torch_x"): f"{number}"}
        ][change]  # fmt: skip
        if step == "commit":
            history.commit(date, changes, branch=name)
        elif step == "branch" and name != "main":
            history.branch(name, names[other])
        elif step == "merge" and history._tips[name] != history._tips[names[other]]:
            thirds = [n for n in names if history._tips[n] not in {history._tips[name], history._tips[names[other]]}]
            octopus = thirds if change == 3 else []
            extra = {OTHER: str(number)} if take < 2 else changes
            merge(history, date, name, names[other], *octopus, taking=[name, names[other]][take % 2], changes=extra)
    return history


@pytest.fixture(scope="module")
def any_github(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nothing")
    with GitHub(folder, LAB) as github, pytest.MonkeyPatch.context() as patch:
        github.set_environment(patch)
        github.page_size = 3
        yield github


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, full_history=st.booleans(), known=st.integers(0, 9))
def test_any_history_gives_the_chain_that_git_gives(any_github, steps, full_history, known):
    """Whatever was merged how and when, from the start or from any revision on."""
    with TemporaryDirectory() as folder:
        history = made(Path(folder) / "history", steps)
        any_github.serve(history.path)
        any_github.full_history = full_history
        chain = agreed(history)
        agreed(history, chain[: 1 + known % len(chain)])
        any_github.repository.close()
