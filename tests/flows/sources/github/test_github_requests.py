"""How many requests it takes: bounded by what is new, and shared by all repositories of a home."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings

from flows.sequence import Directly, ingest
from flows.sources.git import GitSource
from flows.sources.github import GitHubSource
from flows.sources.github.lines import lines_of
from flows.sources.interface import SourceError
from flows.sources.kinds import Said, SourceOptions
from flows.sources.sample import SampleSource, every_lineage
from flows.sources.spec import open_source
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.flows.sources.github.test_github_chain import OTHER, STEPS, agreed, figures, made, merge
from tests.github import GitHub
from tests.histories import (
    COMPILED,
    LAB,
    GitHistory,
    all_tables,
    ingest_git,
    module,
    module_path,
    query,
    timing_path,
    timings,
)
from transforms.layout import TOP
from warehouse.home import Home


def asked(github: GitHub) -> dict[str, int]:
    """API requests by what was asked: the head, pages of commits, pages of those that touched figures, trees."""
    kinds = {"head": 0, "commits": 0, "touching": 0, "trees": 0}
    for request in github.requests:
        if request.role == "api":
            last = request.path.rpartition("/")[2]
            listed = "touching" if "path" in request.query else "commits"
            kinds["trees" if "/trees/" in request.path else listed if last == "commits" else "head"] += 1
    return kinds


def moment(number: int) -> str:
    return f"2025-01-{1 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00"


def with_many_merges(folder: Path, branches: int = 60) -> GitHistory:
    """Side branches of three commits; every tenth brings figures, every tenth left before another commit came."""
    history = GitHistory(folder)
    history.commit(moment(0), figures(1.0) | {module_path("19_ReLU.py"): module("ReLU")})
    for number in range(branches):
        at = 10 * number
        history.branch("side")
        for step in range(3):
            history.commit(moment(at + 1 + step), {f"src/{step}.py": str(number)}, branch="side")
        if number % 10 == 5:
            history.commit(moment(at + 4), {timing_path(mode=COMPILED): timings(n19_ReLU=2.0 + number)}, branch="side")
        if number % 10 == 7:
            history.commit(moment(at + 5), {OTHER: str(number)})
        history.merge(moment(at + 6), "side")
    return history


@pytest.fixture
def serve(monkeypatch):
    """Serve histories, one after the other, as repositories of one GitHub."""
    opened: list[GitHub] = []

    def serve_one(history: GitHistory, name: str = LAB) -> GitHub:
        if not opened:
            opened.append(GitHub(history.path, name).__enter__())
            opened[0].set_environment(monkeypatch)
        opened[0].serve(history.path)
        opened[0].name = name
        return opened[0]

    yield serve_one
    for github in opened:
        github.__exit__()


Serve = Callable[..., GitHub]


def test_a_history_of_many_merges_costs_its_pages_two_requests_a_revision_and_one_for_each_doubtful_merge(
    tmp_path, serve: Serve
):
    """1 + 60 x 4 commits, 6 that touch figures, 6 that came onto the line meanwhile: 253, of which 7 are revisions."""
    history = with_many_merges(tmp_path / "history")
    github = serve(history)
    source = GitHubSource(LAB, None, LAB)
    with closing(source):
        found = everything(source)
    assert found == everything_by_git(history.path)
    assert len(found.chain.new) == 7
    # The head's tree and the first revision's; of the six that are merges also what was there before; and six merges,
    # each with what the line showed there, except where that is known: of 6 stretches the uppermost is the head's.
    made = asked(github)
    assert (made["head"], made["commits"], made["touching"]) == (1, 3, 1)
    assert made["trees"] <= 2 * 7 + 1 + 6


def test_a_fork_of_what_the_home_knows_costs_what_is_its_own(tmp_path, home, serve: Serve):
    """Two commits of its own, of which one brings figures: the head, a page, a list, its tree, and the file.

    And one tree for a doubtful merge between them and the newest revision that is known.
    """
    history = with_many_merges(tmp_path / "history")
    serve(history, "up/KernelBench")
    with closing(open_source("github:up/KernelBench", home)) as source:
        ingest(home, source, Directly())
    history.commit("2025-03-01", {OTHER: "fork"})
    history.commit("2025-03-02", {timing_path("A100_fork"): timings(n19_ReLU=9.0)})
    github = serve(history)
    with closing(open_source(f"github:{LAB}", home)) as source:
        ingest(home, source, Directly())
    assert asked(github) == {"head": 1, "commits": 1, "touching": 1, "trees": 2}
    assert (github.count("raw"), github.count("codeload")) == (1, 0)
    beside = Home(tmp_path / "beside")
    upstream = GitHistory(
        tmp_path / "upstream", history._commits[:-2], history._trees, {"main": len(history._trees) - 2}
    )
    ingest_git(beside, upstream, name="up/KernelBench")
    ingest_git(beside, history)
    told = {f"https://github.com/{name}": name for name in ("up/KernelBench", LAB)}
    assert set(told) >= {url for (url,) in _urls(home)}
    assert all_tables(home) == all_tables(beside)


def _urls(home: Home) -> list[tuple[str]]:
    return query(home, "select url from sources")


def test_a_line_that_came_by_git_is_not_walked_again(tmp_path, home, serve: Serve):
    """The revisions are known, not the files: a tree for each of seven, the head's, and that of a doubtful merge."""
    history = with_many_merges(tmp_path / "history")
    ingest_git(home, history, name="up/KernelBench")
    github = serve(history)
    with closing(open_source(f"github:{LAB}", home)) as source:
        found = everything(source)
    assert found == everything_by_git(history.path)
    assert asked(github) == {"head": 1, "commits": 1, "touching": 1, "trees": 9}


def test_a_line_is_of_use_to_those_of_its_root_alone(tmp_path, home):
    """Whatever the lineage is called; and where it keeps modules makes no difference."""
    history = GitHistory(tmp_path / "history")
    history.commit("2025-01-01", below("Eval", figures(1.0)))
    ingest_git(home, history)
    nothing = Home(tmp_path / "nothing")
    assert lines_of(home, TOP.root) == lines_of(nothing, TOP.root)
    assert lines_of(nothing, "Eval") == []
    assert [list(line) for line in lines_of(home, "Eval")] == [[history.id(1)]]


def test_the_lines_that_ship_are_the_sample_s(home):
    lineages = {name: SampleSource(lineage=name) for name in every_lineage()}
    shipped = [line for root in {one.layout.root for one in lineages.values()} for line in lines_of(home, root)]
    assert len(shipped) == len(lineages) > 1
    for source in lineages.values():
        chain = source.revisions(())
        line = {revision.id: revision.committed_at for revision in chain.new}
        assert line in lines_of(home, source.layout.root)


def below(root: str, files: Mapping[str, str | None]) -> dict[str, str | None]:
    return {f"{root}/{path}" if root else path: text for path, text in files.items()}


Read = Callable[[str, SourceOptions], dict[str, int]]


@pytest.fixture
def read_both(tmp_path, home, history, github) -> Read:
    """Ingest a ref over GitHub and, into a home beside, from git, which must agree; the API requests that it took."""
    beside = Home(tmp_path / "beside")

    def ingest_both(ref: str, options: SourceOptions) -> dict[str, int]:
        github.forget()
        for spec, into in ((f"github:{LAB}@{ref}", home), (f"git:{history.path}@{ref}", beside)):
            with closing(open_source(spec, into, options)) as source:
                ingest(into, source, Directly(), Said(spec, options))
        assert all_tables(home) == all_tables(beside)
        return asked(github)

    return ingest_both


def test_of_the_same_commits_each_root_has_its_own(history, read_both: Read):
    """Three roots change in turns, one of them on a side branch that is merged after something else came."""
    for root, day in {"": 10, "a": 11, "b/c": 12}.items():
        files = {timing_path("BoxA"): timings(n19_ReLU=float(day)), module_path("19_ReLU.py"): module("ReLU", n=day)}
        history.commit(f"2025-01-{day}", below(root, files))
    history.branch("aside")
    history.commit("2025-01-20", below("a", {timing_path("BoxB"): timings(n19_ReLU=2.0)}), branch="aside")
    history.commit("2025-01-21", {timing_path("BoxC"): timings(n19_ReLU=3.0)})
    history.merge("2025-01-22", "aside")
    history.commit("2025-01-23", below("b/c", {timing_path("BoxD"): timings(n19_ReLU=4.0)}))
    assert history.path
    for root in ("b/c", ".", "a"):
        read_both("main", SourceOptions(name=LAB, root=root))
    for root in ("b/c", ".", "a"):
        made = read_both("main", SourceOptions(name=LAB, root=root))
        assert made == {"head": 1, "commits": 0, "touching": 0, "trees": 0}


@pytest.mark.parametrize("order", [["main", "moved"], ["moved", "main"]], ids=" ".join)
def test_of_the_same_commits_each_place_of_modules_has_its_own(history, home, read_both: Read, order):
    """A branch moved the modules after all figures were measured: they are looked for where they are now."""
    relu = module_path("19_ReLU.py")
    history.branch("moved")
    history.commit("2025-02-01", {relu: None, f"data/{relu}": module("ReLU", draw="randn")}, branch="moved")
    assert history.path
    for branch in order:
        read_both(branch, SourceOptions(name=f"{LAB}@{branch}"))
    assert query(home, "select source, bool_or(eligible) from runs group by all order by all") == [
        (f"{LAB}@main", True),
        (f"{LAB}@moved", False),
    ]
    for branch in order:
        assert sum(read_both(branch, SourceOptions(name=f"{LAB}@{branch}")).values()) == 1


def test_a_fork_below_a_root_costs_what_is_its_own(tmp_path, home, serve: Serve):
    """The head, its tree, which tells where its files are, a list of commits that touched figures, and the file."""
    history = GitHistory(tmp_path / "history")
    for number in range(4):
        files = below("Eval", {timing_path(f"Box{number}"): timings(n19_ReLU=1.0)})
        history.commit(moment(number), files | {"KernelBench/level1/19_ReLU.py": module("ReLU")})
    serve(history, "up/KernelBench")
    with closing(open_source("github:up/KernelBench", home)) as source:
        ingest(home, source, Directly())
    history.commit("2025-03-01", below("Eval", {timing_path("A100_fork"): timings(n19_ReLU=9.0)}))
    github = serve(history)
    for requests in ({"head": 1, "commits": 0, "touching": 1, "trees": 1}, {"head": 1, "commits": 0, "touching": 0}):
        github.forget()
        with closing(open_source(f"github:{LAB}", home)) as source:
            ingest(home, source, Directly())
        assert asked(github) == {"trees": 0} | requests
    assert query(home, "select count(*) from runs where source = 'lab/KernelBench' and present") == [(5,)]


@pytest.mark.parametrize("fork", [3, 6, 7])
def test_from_a_line_that_is_known_to_wherever_a_branch_goes(history, github, fork):
    """The branch leaves the line before, at, and after its newest revision; known is nothing, a part, what is gone."""
    with closing(GitSource(str(history.path), None, LAB)) as source:
        line = {revision.id: revision.committed_at for revision in source.revisions(()).new}
    history.branch("other", fork)
    history.commit("2025-02-01", figures(7.0), branch="other")
    history.commit("2025-02-02", figures(8.0), branch="other")
    expected = everything_by_git_at(history, "other")
    for known in ([], expected[:1], expected[:-1], [*expected[:1], "f" * 40]):
        with closing(GitHubSource(LAB, "other", LAB, lines=lambda root: [line])) as source:
            chain = source.revisions(known)
        kept = known[: len(known) - len(chain.unreachable)]
        assert [*kept, *(revision.id for revision in chain.new)] == expected


def everything_by_git_at(history: GitHistory, ref: str) -> list[str]:
    with closing(GitSource(str(history.path), ref, f"{LAB}@{ref}")) as source:
        return [revision.id for revision in source.revisions(()).new]


def test_a_damaged_line_is_no_help_and_no_hindrance(tmp_path, home, serve: Serve):
    history = with_many_merges(tmp_path / "history", branches=10)
    ingest_git(home, history, name="up/KernelBench")
    for path in home.landing.rglob("trees/**/*.json"):
        path.write_bytes(b"{")
    serve(history)
    with closing(open_source(f"github:{LAB}", home)) as source:
        assert everything(source) == everything_by_git(history.path)


def test_a_damaged_listing_is_asked_for_again(history, github, open_github, tmp_path):
    everything(open_github())
    kept = list((tmp_path / "cache").glob("*/listings/*"))
    assert len(kept) == 4
    for path in kept:
        path.write_bytes(path.read_bytes()[:-1] + b"\0")
    for path in (tmp_path / "cache").rglob("trees/*.json"):
        path.unlink()
    assert everything(open_github()) == everything_by_git(history.path)


def test_a_listing_that_is_not_the_tree_of_its_name_is_shared_with_nobody(history, github, open_github, tmp_path):
    """Its entries do not hash to the id that was asked for."""
    whole = github.repository.tree

    def short(sha: str, recursive: bool):
        entries = whole(sha, recursive)
        return entries and [entry for entry in entries if entry["path"] != "README.md"]

    github.repository.tree = short
    everything(open_github())
    assert {path.name for path in (tmp_path / "cache").glob("*/listings/*")} == {history.id(1)}, "it has no README.md"


@pytest.fixture(scope="module")
def any_github(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nothing")
    with GitHub(folder, LAB) as github, pytest.MonkeyPatch.context() as patch:
        github.set_environment(patch)
        yield github


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_of_any_history_the_requests_are_bounded_by_its_revisions_and_merges(any_github, steps):
    """A tree for each revision, two for each merge, one more for the head; a list, and one more for each revision."""
    with TemporaryDirectory() as folder:
        history = made(Path(folder) / "history", steps)
        any_github.serve(history.path)
        found = agreed(history)
        merges = [mark for mark, commit in enumerate(history._commits, 1) if len(commit.parents) > 1]
        requests = asked(any_github)
        assert (requests["head"], requests["commits"]) <= (1, 1)
        assert requests["touching"] <= 1 + len(merges)
        assert requests["trees"] <= len(found) + 2 * len(merges) + 1
        any_github.repository.close()


def test_a_side_branch_that_left_where_it_is_merged_again_is_not_compared(history, github):
    """Whether it has one commit or merges of its own; only what came onto the line meanwhile makes it doubtful."""
    for number in range(5):
        history.branch("side", "main")
        history.branch("inner", "main")
        history.commit(f"2025-02-{number + 1:02}T01:00:00", {OTHER: f"a{number}"}, branch="side")
        history.commit(f"2025-02-{number + 1:02}T02:00:00", {"README.md": f"b{number}"}, branch="inner")
        merge(history, f"2025-02-{number + 1:02}T03:00:00", "side", "inner", taking="inner")
        history.merge(f"2025-02-{number + 1:02}T04:00:00", "side")
    assert history.path
    assert len(agreed(history)) == 3
    # What the head and the newest revision show; the merge that brought figures, and what was there before it.
    assert asked(github)["trees"] == 4


def test_whoever_is_stopped_by_the_hourly_limit_goes_on_from_there(tmp_path, github, clock, open_github):
    """Twelve requests an hour: what was compared and listed in one hour is not asked for in the next."""
    history = with_many_merges(tmp_path / "many")
    github.serve(history.path)
    github.allowance = 12
    for _ in range(8):
        try:
            found = everything(open_github())
        except SourceError as limit:
            assert "its limit of 12 requests an hour is used up" in str(limit)
            clock.now += 3601
        else:
            break
    assert found == everything_by_git(history.path)
