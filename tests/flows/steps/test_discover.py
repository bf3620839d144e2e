"""What a source has is held beside what landed and what is published."""

from __future__ import annotations

from flows.steps.beat import beat
from flows.steps.discover import discover
from flows.steps.fetch import fetch
from flows.steps.workspace import Started
from tests.histories import LAB, ingest_git, timing_path, timings


def test_of_a_source_that_was_never_seen_everything_is_new(workspace, source, history):
    found = discover(workspace, source)
    assert [revision.id for revision in found.chain.new] == found.revisions == [history.id(1), history.id(2)]
    assert (found.source, found.known, found.chain.head.id) == (LAB, (), history.id(3))
    assert (found.fresh, found.current, found.unchanged, found.published) == (True, False, False, 0)


def test_what_landed_is_known_and_still_not_published(workspace, source, started):
    fetch(workspace, source, discover(workspace, source), started)
    again = discover(workspace, source)
    assert (again.chain.new, len(again.known), again.published) == ((), 2, 0)
    assert not again.unchanged


def test_of_what_is_published_nothing_is_new_also_after_a_check(workspace, source, history):
    ingest_git(workspace.home, history)
    found = discover(workspace, source)
    assert (found.unchanged, found.published, found.unreachable) == (True, 2, frozenset())
    beat(workspace, found, Started.now())
    assert discover(workspace, source) == found


def test_a_revision_that_the_branch_contains_no_more_is_unreachable(workspace, history):
    ingest_git(workspace.home, history)
    history.branch("main", 1)
    history.commit("2025-01-04", {timing_path(): timings(n19_ReLU=2.0)})
    outcome = ingest_git(workspace.home, history, dry_run=True)
    assert outcome.discovered is not None
    assert outcome.discovered.unreachable == {history.id(2)}
    assert (outcome.discovered.published, outcome.discovered.current) == (1, False)


def test_a_database_that_another_program_wrote_to_is_not_built_upon(workspace, source, history):
    ingest_git(workspace.home, history)
    workspace.home.database.chmod(0o644)
    with workspace.home.database.open("ab") as file:
        file.write(b"!")
    found = discover(workspace, source)
    assert (found.fresh, found.published, found.current) == (True, 0, False)
