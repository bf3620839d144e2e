"""Through GitHub or through git: the same tables. And what it costs."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from flows.sequence import Directly, Outcome, ingest
from flows.sources.github import GitHubSource
from flows.sources.interface import SourceError
from flows.sources.spec import open_source
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.flows.sources.github.test_github_files import with_many_files
from tests.github import Clock, Fault, GitHub
from tests.histories import (
    COMPILED,
    LAB,
    UPSTREAM,
    GitHistory,
    all_tables,
    failed_checks,
    ingest_git,
    module,
    module_path,
    query,
    stored_tables,
    timing_path,
    timings,
)
from warehouse.home import Home
from warehouse.landing import Landing, Lineage

BUNDLE = Path(__file__).resolve().parents[4].parent / "shared" / "upstream" / "kernelbench.bundle"


def ingest_github(home: Home, ref: str | None = None, name: str = LAB, clock: Clock | None = None) -> Outcome:
    """As the command does: what is remembered is kept in the home."""
    clock = clock or Clock()
    cache = home.root / "cache" / "github"
    with closing(GitHubSource(name, ref, name, cache, clock=clock, sleep=clock.sleep)) as source:
        return ingest(home, source, Directly())


@pytest.fixture
def by_git(history, tmp_path) -> Home:
    home = Home(tmp_path / "by-git")
    ingest_git(home, history)
    return home


def test_the_same_tables_as_through_git(history, github, home, by_git):
    ingest_github(home)
    assert all_tables(home) == all_tables(by_git)
    assert failed_checks(home) == {}
    assert len(all_tables(home)["runs"]) > 0


def test_whoever_has_nothing_new_is_asked_once(history, github, home):
    ingest_github(home)
    github.forget()
    before = stored_tables(home)
    assert ingest_github(home).published is None
    (only,) = github.requests
    assert only.path == "/repos/lab/KernelBench/commits/HEAD"
    assert only.headers["if-none-match"]
    assert stored_tables(home) == before


def test_a_new_etag_for_the_same_head_is_kept(history, github, home):
    """GitHub's ETags differ between tokens."""
    ingest_github(home)
    github.etag_suffix = "-another"
    github.forget()
    for _ in range(2):
        assert ingest_github(home).published is None
    assert [request.headers["if-none-match"].count("another") for request in github.requests] == [0, 1]


def test_a_304_spares_the_limit_of_whoever_has_a_token(history, github, home, monkeypatch):
    github.set_environment(monkeypatch, token="any")
    ingest_github(home)
    github.allowance, github._used, github._window_ends = 60, 58, github.clock() + 3600
    for _ in range(3):
        assert ingest_github(home).published is None


@pytest.mark.parametrize(
    "news", [{module_path("19_ReLU.py"): module("ReLU", n=64)}, {timing_path("B_lab"): timings(n19_ReLU=3.0)}]
)
def test_one_more_commit_costs_a_handful(history, github, open_github, news):
    """Whether it changes figures or only a module: the head, two lists, a tree, a file."""
    source = open_github()
    known = everything(source)
    history.commit("2025-02-01", news)
    expected = everything_by_git(history.path)
    github.forget()
    again = open_github()
    chain = again.revisions([revision.id for revision in known.chain.new])
    tree = dict(again.files(chain.head))
    new = set(tree.values()) - known.blobs.keys()
    assert {blob.id: blob.data for blob in again.read(sorted(new))} == {blob: expected.blobs[blob] for blob in new}
    assert tree == expected.trees[chain.head.id]
    assert (*known.chain.new, *chain.new) == expected.chain.new
    assert (github.count("api"), github.count("raw"), github.count("codeload")) == (4, 1, 0)


def test_revision_by_revision_or_at_once(history, github, home, by_git):
    """A branch that moves on between ingests, through both ways in turn."""
    for mark in (1, 5, 7):
        subprocess.run(["git", "-C", history.path, "update-ref", "refs/heads/main", history.id(mark)], check=True)
        if mark == 5:
            ingest_git(home, history)
        else:
            ingest_github(home)
    assert stored_tables(home) == stored_tables(by_git)


def test_a_transport_is_not_a_source(history, github, home, by_git):
    """What came through git is not fetched again through GitHub, and adds no row."""
    before = stored_tables(by_git)
    outcome = ingest_github(by_git)
    assert outcome.published is None
    assert stored_tables(by_git) == before
    assert github.count("raw") == github.count("codeload") == 0


def test_a_fork_fetches_only_what_is_its_own(history, github, home, tmp_path):
    ingest_git(home, history, name="upstream/KernelBench")
    history.commit("2025-02-01", {timing_path("Fork"): timings(n19_ReLU=3.0)})
    assert history.path
    ingest_github(home)
    assert github.count("raw") == 1


def test_another_ref_is_another_lineage(history, github, home):
    with closing(GitHubSource(LAB, "side")) as source:
        assert source.name == "lab/KernelBench@side"
        assert source.url == "https://github.com/lab/KernelBench"


def test_the_default_branch_by_name_is_the_lineage_without_a_name(history, github, home, by_git):
    """As git says of it; known by one request, at the first ingest only, and remembered."""
    at_main = f"github:{LAB}@main"
    outcomes = []
    for _ in range(2):
        with closing(open_source(at_main, home)) as source:
            outcomes.append((ingest(home, source, Directly()), source.name, dict(source.requests_made)))
    assert [name for _, name, _ in outcomes] == [LAB, LAB]
    assert [request.path for request in github.requests].count(f"/repos/{LAB}") == 1
    assert sum(outcomes[0][2].values()) == len(github.requests) - 1, "every request is counted"
    assert outcomes[1][0].published is None
    assert outcomes[1][2] == {"api": 1, "raw": 0, "archive": 0}
    assert stored_tables(home) == stored_tables(by_git)


def test_whoever_names_no_ref_or_gives_a_name_is_not_asked_for_the_default_branch(history, github, home):
    for ref, name in ((None, None), ("main", "lab/mine")):
        with closing(GitHubSource(LAB, ref, name)) as source:
            assert source.name == (name or LAB)
    assert github.requests == []


def test_a_lineage_keeps_its_name_when_another_branch_becomes_the_default(history, github, home):
    with closing(open_source(f"github:{LAB}@main", home)) as source:
        ingest(home, source, Directly())
    subprocess.run(["git", "-C", history.path, "symbolic-ref", "HEAD", "refs/heads/side"], check=True)
    with closing(open_source(f"github:{LAB}@main", home)) as source:
        assert source.name == LAB
        assert ingest(home, source, Directly()).published is None


def test_a_renamed_repository_is_asked_for_its_default_branch_under_its_new_address(history, github, open_github):
    github.old_name, github.name = LAB, "lab/Renamed"
    source = open_github(ref="main")
    assert source.name == LAB
    assert everything(source) == everything_by_git(history.path)
    assert len([request for request in github.requests if request.path.startswith("/repos/")]) == 1


def test_where_the_default_branch_cannot_be_known_nothing_is_ingested_under_a_guess(history, github, home):
    github.fail(Fault("status", status=404))
    with pytest.raises(SourceError, match=r"^lab/KernelBench@main: .* no such repository"):
        open_source(f"github:{LAB}@main", home)
    assert not home.heartbeat.exists()


def test_a_force_push_is_noticed_for_a_handful_of_requests_and_then_there_is_nothing_new(history, github, home):
    """The head, a page of the commits that touch figures, the head's tree; and the file's bytes."""
    ingest_github(home)
    lost = history.id(6)
    history.branch("main", 5)
    added = history.commit("2025-03-01", {timing_path(): timings(n19_ReLU=9.0)})
    assert history.path
    github.forget()
    outcome = ingest_github(home)
    assert (github.count("api"), github.count("raw"), github.count("codeload")) == (3, 1, 0)
    assert outcome.discovered is not None
    assert (outcome.discovered.chain.unreachable, outcome.discovered.revisions[-1]) == ((lost,), history.id(added))
    assert query(home, "select mean_ns, first_revision from runs where not reachable") == [(1_000_000, lost)]
    assert failed_checks(home) == {}
    github.forget()
    assert ingest_github(home).published is None
    assert len(github.requests) == 1


def test_a_history_pushed_anew_from_its_root_is_believed(history, github, home):
    ingest_github(home)
    known = [history.id(mark) for mark in (1, 5, 6)]
    tree = {timing_path(): timings(n19_ReLU=9.0).encode(), module_path("19_ReLU.py"): module("ReLU").encode()}
    history._add("main", "2025-03-01", (), tree)
    assert history.path
    outcome = ingest_github(home)
    assert outcome.discovered is not None and outcome.discovered.chain.unreachable == tuple(known)
    # 1.5 and 1.0 of eager and 1.25 of the compiled mode.
    assert query(home, "select mean_ns from runs where not reachable order by 1") == [
        (1_000_000,),
        (1_250_000,),
        (1_500_000,),
    ]
    assert failed_checks(home) == {}


def test_commits_that_are_pushed_back_mark_nothing_any_more(history, github, home):
    ingest_github(home)
    before = stored_tables(home)
    subprocess.run(["git", "-C", history.path, "update-ref", "refs/heads/main", history.id(2)], check=True)
    ingest_github(home)
    assert query(home, "select count(*) from runs where not reachable") == [(2,)]
    subprocess.run(["git", "-C", history.path, "update-ref", "refs/heads/main", history.id(7)], check=True)
    ingest_github(home)
    assert stored_tables(home) == before


def test_what_could_not_be_had_of_a_lost_commit_is_asked_for_again_when_it_is_back(history, github, home, by_git):
    blob = everything_by_git(history.path).trees[history.id(6)][timing_path()]
    github.wrong = {("raw", blob): b"wrong", ("api", blob): b"wrong"}
    ingest_github(home)
    subprocess.run(["git", "-C", history.path, "update-ref", "refs/heads/main", history.id(5)], check=True)
    github.forget()
    assert ingest_github(home).refused_files == []
    assert not [request for request in github.requests if blob in request.path]
    assert ingest_github(home).published is None
    github.wrong = {}
    subprocess.run(["git", "-C", history.path, "update-ref", "refs/heads/main", history.id(7)], check=True)
    assert ingest_github(home).refused_files == []
    assert stored_tables(home) == stored_tables(by_git)


def test_a_damaged_memory_is_forgotten(history, github, open_github, tmp_path):
    everything(open_github())
    kept = list((tmp_path / "cache").rglob("*.json"))
    assert len(kept) > 1
    for path in kept:
        path.write_bytes(b"{\xff")
    assert everything(open_github()) == everything_by_git(history.path)


def test_a_memory_does_not_grow(history, github, open_github, tmp_path):
    known: list[str] = []
    for day in range(3):
        history.commit(f"2025-02-0{day + 1}", {timing_path("B_lab"): timings(n19_ReLU=3.0 + day)})
        assert history.path
        source = open_github()
        chain = source.revisions(known)
        for revision in chain.new:
            source.files(revision)
        known += [revision.id for revision in chain.new]
    assert known == [revision.id for revision in everything_by_git(history.path).chain.new]
    open_github().revisions(known)
    assert len(list((tmp_path / "cache").rglob("trees/*.json"))) == 1


def test_an_interrupted_ingest_goes_on(history, github, home, by_git, monkeypatch):
    """Whatever landed before the network went away is not fetched again."""
    with_many_files(history)
    put, landed = Landing.put, []

    def put_some(self, blob, data, form):
        if len(landed) == 20:
            raise OSError("the disk is full")
        landed.append(blob)
        put(self, blob, data, form)

    monkeypatch.setattr(Landing, "put", put_some)
    with pytest.raises(OSError, match="full"):
        ingest_github(home)
    monkeypatch.setattr(Landing, "put", put)
    github.forget()
    ingest_github(home)
    ingest_git(by_git, history)
    assert stored_tables(home) == stored_tables(by_git)
    assert not [request for request in github.requests if "/git/trees/" in request.path], "trees were kept"
    assert not [request for request in github.requests if request.path.endswith("/commits")], "the chain was kept"


def test_bytes_that_are_wrong_everywhere_do_not_stop_the_rest(history, github, home, by_git):
    """The blob is refused by name, the rest is published, and the next ingest asks for it again."""
    blob = everything_by_git(history.path).trees[history.id(6)][timing_path()]
    github.wrong = {("raw", blob): b"wrong", ("api", blob): b"wrong"}
    outcome = ingest_github(home)
    assert [path for path, _ in outcome.refused_files] == [timing_path()]
    assert len(stored_tables(home)["runs"]) > 0
    assert stored_tables(home) != stored_tables(by_git)
    github.wrong = {}
    assert ingest_github(home).refused_files == []
    assert stored_tables(home) == stored_tables(by_git)


FAULTS = (
    Fault("reset"), Fault("cut"), Fault("chunks"), Fault("500"), Fault("502"), Fault("html"),
    Fault("429", after=2), Fault("429"), Fault("secondary", after=3),
)  # fmt: skip


@pytest.mark.slow
def test_ten_ingests_in_a_row_survive_what_goes_wrong_in_a_twentieth_of_requests(tmp_path, monkeypatch):
    history = GitHistory(tmp_path / "history")
    for number in range(20):
        modules = {f"{number}{n}_Problem.py": module("Problem", n=1 + n) for n in range(1, 5)}
        changes = {module_path(name): text for name, text in modules.items()}
        changes[timing_path(f"H{number % 7}", (COMPILED, "torch")[number % 2])] = timings(n11_Problem=1.0 + number)
        history.commit(f"2025-01-{number + 1:02}", changes)
    expected = Home(tmp_path / "expected")
    ingest_git(expected, history)
    clock = Clock()
    with GitHub(history.path, LAB, clock) as github:
        github.set_environment(monkeypatch)
        github.fail_at_random(0.05, 20260305, *FAULTS)
        for number in range(10):
            ingest_github(Home(tmp_path / f"home-{number}"), clock=clock)
        asked = len(github.requests)
    tables = stored_tables(expected)
    assert all(stored_tables(Home(tmp_path / f"home-{number}")) == tables for number in range(10))
    assert len(clock.slept) > asked / 50, "hardly anything went wrong: the test would prove nothing"


@pytest.mark.skipif(not BUNDLE.exists(), reason=f"{BUNDLE} is not here: what upstream costs was NOT measured")
def test_the_first_ingest_of_upstream_fits_into_an_hour_without_a_token(tmp_path, monkeypatch):
    clone = tmp_path / "upstream.git"
    subprocess.run(["git", "clone", "--quiet", "--bare", str(BUNDLE), str(clone)], check=True)
    home, clock = Home(tmp_path / "home"), Clock()
    with GitHub(clone, UPSTREAM, clock) as github:
        github.set_environment(monkeypatch)
        github.allowance = 60
        outcome = ingest_github(home, name=UPSTREAM, clock=clock)
        assert len(outcome.discovered.chain.new) == 14
        assert github.count("api") <= 40
        assert github.count("raw") <= 100
        assert clock.slept == []
        print({role: github.count(role) for role in ("api", "raw", "codeload")})
        github.forget()
        assert ingest_github(home, name=UPSTREAM, clock=clock).published is None
        assert len(github.requests) == 1
    lineage = Landing(home.landing).lineage(UPSTREAM)
    by_git = everything_by_git(clone)
    url, dated = (
        f"https://github.com/{UPSTREAM}",
        {one.id: one.committed_at.replace(tzinfo=None) for one in by_git.chain.new},
    )
    assert lineage == Lineage(UPSTREAM, url, [*by_git.trees], by_git.chain.head.id, dated=dated)
    trees = {revision: Landing(home.landing).tree(UPSTREAM, revision).files for revision in by_git.trees}
    assert trees == by_git.trees
