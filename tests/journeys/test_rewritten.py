"""A history rewritten upstream: what the branch shows no more is kept, marked and reported; all else is as if anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import closing
from itertools import compress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flows import sequence
from flows.sequence import Directly, rebuild
from flows.sources.interface import SourceError
from tests.histories import (
    A100,
    CLOCK,
    COMPILED,
    EAGER,
    LAB,
    TUNED,
    UPSTREAM,
    GitHistory,
    all_tables,
    day,
    failed_checks,
    figures,
    ingest_git,
    module,
    module_path,
    query,
    stored_tables,
    timing_path,
    timings,
    whole_tree,
)
from transforms.contracts.objects import NOT_IN_SNAPSHOTS, OBJECTS, VIEWS
from warehouse.database import Reader
from warehouse.home import Home
from warehouse.landing import Landing

RELU, GELU = "19_ReLU.py", "26_GELU.py"
ON_B = timing_path("B_lab")


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """Three commits: two figures, a compiled one, and ReLU measured again, in 1.0 ms."""
    made = GitHistory(tmp_path / "repository")
    modules = {module_path(RELU): module("ReLU"), module_path(GELU): module("GELU", body="torch.sigmoid(x)")}
    made.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5, n26_GELU=2.5), **modules})
    made.commit("2025-01-02", {timing_path(mode=COMPILED): timings(n19_ReLU=1.25)})
    made.commit("2025-01-03", {timing_path(): timings(n19_ReLU=1.0, n26_GELU=2.5)})
    return made


def rebase(history: GitHistory) -> int:
    """Write the third commit anew, a day later: ReLU now takes 1.75 ms; its mark."""
    history.branch("main", 2)
    return history.commit("2025-01-04", {timing_path(): timings(n19_ReLU=1.75, n26_GELU=2.5)})


def write_anew(history: GitHistory) -> int:
    """A branch that begins with another commit and shows other figures, of which one is that of before."""
    tree = {timing_path(): timings(n19_ReLU=1.5, n26_GELU=3.0), module_path(RELU): module("ReLU")}
    return history._add("main", "2025-02-01", (), {path: text.encode() for path, text in tree.items()})


MARKED = "reachable"
REACHABLE = "(select {0} from runs where reachable)"
OF_NOW = {
    **dict.fromkeys(("runs", "revisions", "files", "baselines"), MARKED),
    **dict.fromkeys(("staleness", "noise"), f"run_id in {REACHABLE.format('run_id')}"),
    **dict.fromkeys(("environments", "repeatability"), f"environment_id in {REACHABLE.format('environment_id')}"),
    "workloads": f"workload_id in {REACHABLE.format('workload_id')}",
    "problem_codes": "workload_id in (select workload_id from problem_versions)",
    "workload_changes": "workload_id in (select workload_id from problem_versions) and "
    "other_workload_id in (select workload_id from problem_versions)",
    "implementations": f"known or mode in {REACHABLE.format('mode')}",
    "declared_software": "position is not null",
}
"""Which rows of a table are there for the history of now; of a table that is not here, all."""


def of_now(home: Home, *, views: bool) -> dict[str, list[tuple[object, ...]]]:
    """Every table without the log of ingests, without ages, and without what is kept as unreachable."""
    rows = {}
    with closing(Reader(home.database)) as reader:
        for name in OBJECTS.keys() - NOT_IN_SNAPSHOTS - {"ingests"}:
            if views or name not in VIEWS:
                found = reader.sql(f"select * from {name} where {OF_NOW.get(name, 'true')}")
                kept = [column not in CLOCK for column in found.columns]
                rows[name] = sorted((tuple(compress(row, kept)) for row in found.rows), key=repr)
    return rows


def assert_as_a_fresh_ingest(home: Home, history: GitHistory, name: str = LAB, *, thoroughly: bool = False) -> None:
    """Apart from what is kept, the tables are those of a home that never saw another line.

    Thoroughly: so are the views, which say nothing that is not in the tables, and what a rebuild makes.
    """
    with TemporaryDirectory() as folder:
        fresh = Home(Path(folder))
        ingest_git(fresh, history, name=name)
        assert of_now(home, views=thoroughly) == of_now(fresh, views=thoroughly)
        assert query(fresh, "select * from runs where not reachable") == []
    assert failed_checks(home) == {}
    if thoroughly:
        before = all_tables(home)
        rebuild(home, Directly())
        assert all_tables(home) == before


def unreachable(home: Home) -> list[tuple[object, ...]]:
    """(mode, problem, mean in ms, first revision) of the runs that are marked."""
    return query(
        home,
        "select mode, problem, mean_ns / 1e6::double, first_revision from runs where not reachable order by 1, 2, 3",
    )


def log(home: Home) -> list[tuple[int, ...]]:
    """What each ingest wrote down: revisions new and lost; runs new, lost and withdrawn."""
    columns = "revisions_new, revisions_unreachable, runs_new, runs_unreachable, runs_withdrawn"
    return query(home, f"select {columns} from ingests order by ingest_id")


def test_a_run_of_a_commit_that_was_written_anew_is_kept_and_marked(home, history):
    ingest_git(home, history)
    lost = history.id(3)
    rebase(history)
    ingest_git(home, history)
    assert query(
        home,
        "select mean_ns, present, eligible, ineligible_reasons, copy_of, observed_at, first_revision "
        "from runs where not reachable",
    ) == [(1_000_000, False, False, ["unreachable"], None, day("2025-01-03"), lost)]
    assert query(
        home, "select revision, position, unreachable_since is not null from revisions where not reachable"
    ) == [(lost, None, True)]
    # First come 1.5, 2.5, 1.25 and 1.0. Then 1.75 comes, and 1.0 is lost, not withdrawn.
    assert log(home) == [(3, 0, 4, 0, 0), (1, 1, 1, 1, 0)]
    assert_as_a_fresh_ingest(home, history, thoroughly=True)


def test_an_unreachable_run_holds_no_record_and_none_was_taken_from_it(home, history):
    ingest_git(home, history)
    relu = "join runs using (run_id) where problem = '19_ReLU.py'"
    assert query(home, f"select mean_ns from record_holders {relu}") == [(1_000_000,)]
    rebase(history)
    ingest_git(home, history)
    # 1.5 was first, 1.25 was faster, and 1.75 beats neither.
    assert query(home, f"select cause, runs.mean_ns from record_history {relu} order by position") == [
        ("first", 1_500_000),
        ("faster", 1_250_000),
    ]
    assert query(home, f"select rank, runs.mean_ns from leaderboard {relu} order by rank") == [
        (1, 1_250_000),
        (2, 1_750_000),
    ]
    assert query(home, "select * from removals") == []


def test_figures_that_the_new_line_shows_as_well_are_the_same_run_and_not_marked(home, history):
    ingest_git(home, history)
    history.branch("main", 2)
    history.commit("2025-01-05", {timing_path(): timings(n19_ReLU=1.0, n26_GELU=2.5)})
    ingest_git(home, history)
    assert unreachable(home) == []
    assert query(home, "select observed_at from runs where mean_ns = 1_000_000") == [(day("2025-01-05"),)]
    assert log(home)[-1] == (1, 1, 0, 0, 0)
    assert_as_a_fresh_ingest(home, history)


def test_a_whole_history_written_anew_is_refused_unless_it_is_said_to_be_right(home, history):
    ingest_git(home, history)
    first = history.id(1)
    write_anew(history)
    before = whole_tree(home.root)["warehouse.duckdb"]
    with pytest.raises(SourceError, match=f"does not contain revision {first[:12]}.*perhaps another repository") as no:
        ingest_git(home, history)
    assert "\n" not in str(no.value)
    assert whole_tree(home.root)["warehouse.duckdb"] == before
    ingest_git(home, history, accept_rewritten=True)
    # 1.5 is shown by both; 2.5 has no module any more, which makes another run even of equal figures.
    assert unreachable(home) == [
        (EAGER, RELU, 1.0, history.id(3)),
        (EAGER, GELU, 2.5, first),
        (COMPILED, RELU, 1.25, history.id(2)),
    ]
    assert query(home, "select revision, position from revisions where reachable") == [(history.id(4), 0)]
    assert_as_a_fresh_ingest(home, history)


def test_a_clone_that_is_behind_is_refused_and_told_to_fetch(home, history):
    ingest_git(home, history)
    lacks = f"does not contain revision {history.id(3)[:12]}.*nothing newer.*git fetch.*--accept-rewritten"
    with pytest.raises(SourceError, match=lacks) as refusal:
        ingest_git(home, history, 2)
    assert "\n" not in str(refusal.value)
    assert unreachable(home) == []


def test_a_branch_that_was_wound_back_and_goes_on_as_before_has_nothing_marked_any_more(home, history, tmp_path):
    ingest_git(home, history)
    never = stored_tables(home)
    ingest_git(home, history, 2, accept_rewritten=True)
    assert unreachable(home) == [(EAGER, RELU, 1.0, history.id(3))]
    # 1.5 stands again, as if it had never been replaced.
    assert query(home, "select present from runs where mean_ns = 1_500_000") == [(True,)]
    assert log(home)[-1] == (0, 1, 0, 1, 0)
    ingest_git(home, history)
    assert stored_tables(home) == never
    assert log(home)[-1] == (1, 0, 0, 0, 1)
    assert ingest_git(home, history).published is None
    rebuild(home, Directly())
    assert stored_tables(home) == never


def test_of_two_rewrites_in_a_row_each_leaves_its_runs(home, history):
    ingest_git(home, history)
    second = rebase(history)
    ingest_git(home, history)
    history.branch("main", 1)
    history.commit("2025-01-06", {timing_path(mode=TUNED): timings(n19_ReLU=0.5)})
    ingest_git(home, history)
    assert unreachable(home) == [
        (EAGER, RELU, 1.0, history.id(3)),
        (EAGER, RELU, 1.75, history.id(second)),
        (COMPILED, RELU, 1.25, history.id(2)),
    ]
    # Of 2 and 4 it was noticed at the second rewrite, of 3 at the first.
    noticed = "select revision from revisions where not reachable order by unreachable_since, revision"
    assert query(home, noticed)[0] == (history.id(3),)
    assert query(home, "select count(distinct unreachable_since) from revisions") == [(2,)]
    assert log(home)[1:] == [(1, 1, 1, 1, 0), (1, 2, 1, 2, 0)]
    assert_as_a_fresh_ingest(home, history, thoroughly=True)


def test_former_lineages_are_kept_whole_in_landing(home, history):
    ingest_git(home, history)
    left = [history.id(mark) for mark in (1, 2, 3)]
    head = history.id(rebase(history))
    ingest_git(home, history)
    lineage = Landing(home.landing).lineage(LAB)
    assert lineage is not None
    assert (lineage.revisions, lineage.head) == ([*left[:2], head], head)
    (former,) = lineage.former
    assert (former.revisions, former.head) == (left, left[-1])
    assert query(home, "select distinct unreachable_since from revisions where not reachable") == [(former.noticed_at,)]
    assert Landing(home.landing).tree(LAB, left[-1]).files[timing_path()]


@pytest.mark.parametrize(
    "news",
    [{timing_path(): timings(n19_ReLU=1.125, n26_GELU=2.5)}, {ON_B: timings(n19_ReLU=3.0)}],
    ids=["in the series of the marked run", "in another"],
)
def test_an_ingest_after_a_rewrite_keeps_what_was_marked(home, history, news):
    ingest_git(home, history)
    rebase(history)
    ingest_git(home, history)
    history.commit("2025-01-07", news)
    outcome = ingest_git(home, history)
    assert outcome.derived[0].tables["series"].height == 1, "only what differs is derived"
    assert unreachable(home) == [(EAGER, RELU, 1.0, history.id(3))]
    assert log(home)[-1][:4] == (1, 0, 1, 0)
    assert_as_a_fresh_ingest(home, history)


def test_figures_shown_again_in_the_new_line_are_not_marked_any_more(home, history):
    ingest_git(home, history)
    rebase(history)
    ingest_git(home, history)
    history.commit("2025-01-07", {timing_path(): timings(n19_ReLU=1.0, n26_GELU=2.5)})
    ingest_git(home, history)
    assert unreachable(home) == []
    assert query(home, "select count(*) from revisions where not reachable") == [(1,)]
    assert_as_a_fresh_ingest(home, history)


def test_a_host_that_only_a_former_lineage_shows_is_kept_with_its_gpu_and_its_problem(home, history):
    lost = history.commit(
        "2025-01-04",
        {
            timing_path("B_lab", "made_up"): timings(n40_Tanh=figures(4.0, hardware=A100)),
            module_path("40_Tanh.py"): module("Tanh", body="torch.tanh(x)"),
        },
    )
    ingest_git(home, history)
    history.branch("main", 2)
    history.commit("2025-01-05", {ON_B: timings(n19_ReLU=3.0)})
    ingest_git(home, history)
    # So is, after it, 1.0 of the third commit.
    assert unreachable(home)[:1] == [("made_up", "40_Tanh.py", 4.0, history.id(lost))]
    assert query(home, "select hardware from environments where host = 'B_lab' order by 1") == [
        (A100,),
        ("NVIDIA H100 80GB HBM3",),
    ]
    assert query(home, "select title from workloads where problem = '40_Tanh.py'") == [("Tanh",)]
    assert (
        query(home, "select distinct hardware, mode from coverage where mode = 'made_up' or hardware like '%A100%'")
        == []
    )
    assert_as_a_fresh_ingest(home, history, thoroughly=True)


def test_a_rewritten_commit_that_touches_no_timing_file_is_no_loss(home, history):
    history.commit("2025-01-04", {module_path(RELU): module("ReLU", draw="randn")})
    ingest_git(home, history)
    history.branch("main", 3)
    history.commit("2025-01-05", {module_path(RELU): module("ReLU", n=32)})
    outcome = ingest_git(home, history)
    assert outcome.discovered is not None and not outcome.discovered.unreachable
    assert Landing(home.landing).lineage(LAB).former == []
    assert_as_a_fresh_ingest(home, history)


def test_a_kill_between_landing_and_publishing_hides_no_rewrite(home, history, monkeypatch):
    """The lineage is written, the database is not: the next ingest finds the branch as it is known, and acts."""
    ingest_git(home, history)
    rebase(history)

    def killed(*_: object, **__: object) -> None:
        raise OSError("killed")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="killed"):
        patch.setattr(sequence, "publish", killed)
        ingest_git(home, history)
    outcome = ingest_git(home, history)
    assert outcome.discovered is not None
    assert (outcome.discovered.chain.unreachable, outcome.discovered.unreachable) == ((), {history.id(3)})
    assert unreachable(home) == [(EAGER, RELU, 1.0, history.id(3))]
    assert log(home)[-1][1:4] == (1, 1, 1)
    assert_as_a_fresh_ingest(home, history)


def test_a_dry_run_tells_of_a_rewrite_and_writes_nothing(home, history, kbw):
    ingest_git(home, history)
    rebase(history)
    before = whole_tree(home.root)
    done = kbw("ingest", f"git:{history.path}", "--name", LAB, "--dry-run")
    assert "history was rewritten: 1 revisions no longer reachable, 1 runs kept as unreachable" in done.stdout
    assert whole_tree(home.root) == before


def test_a_file_that_was_refused_long_ago_is_no_news_of_a_rewrite(home, tmp_path):
    history = GitHistory(tmp_path / "refused")
    history.commit("2025-01-01", {timing_path(): "{", module_path(RELU): module("ReLU")})
    history.commit("2025-01-02", {timing_path(): timings(n19_ReLU=1.5)})
    history.commit("2025-01-03", {timing_path(): timings(n19_ReLU=1.0)})
    ingest_git(home, history)
    history.branch("main", 2)
    history.commit("2025-01-04", {timing_path(): timings(n19_ReLU=1.75)})
    assert ingest_git(home, history).refused_files == []
    assert_as_a_fresh_ingest(home, history)


def fork_and_upstream(folder: Path) -> tuple[GitHistory, GitHistory]:
    """Upstream measures ReLU in 1.5 ms and then in 1.0 ms; the fork carries the second a day later."""
    relu = {module_path(RELU): module("ReLU")}
    upstream, fork = GitHistory(folder / "upstream"), GitHistory(folder / "fork")
    upstream.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), **relu})
    upstream.commit("2025-01-02", {timing_path(): timings(n19_ReLU=1.0)})
    fork.commit("2025-01-03", {timing_path(): timings(n19_ReLU=1.0), **relu})
    return upstream, fork


def test_what_upstream_shows_no_more_is_no_original_of_a_fork(home, tmp_path):
    upstream, fork = fork_and_upstream(tmp_path)
    ingest_git(home, upstream, name=UPSTREAM)
    ingest_git(home, fork, name=LAB)
    copied = f"select copy_of is not null, eligible, ineligible_reasons from runs where source = '{LAB}'"
    assert query(home, copied) == [(True, False, ["copy"])]
    upstream.branch("main", 1)
    upstream.commit("2025-01-04", {timing_path(): timings(n19_ReLU=2.0)})
    ingest_git(home, upstream, name=UPSTREAM)
    assert query(home, copied) == [(False, True, [])]
    held = "select source, mean_ns from records order by source"
    assert query(home, held) == [(UPSTREAM, 2_000_000), (LAB, 1_000_000)]
    assert failed_checks(home) == {}
    before = stored_tables(home)
    rebuild(home, Directly())
    assert stored_tables(home) == before
    # Upstream takes its commit up again: the fork's figure is a copy, as if nothing had been.
    ingest_git(home, upstream, 2, name=UPSTREAM, accept_rewritten=True)
    assert query(home, copied) == [(True, False, ["copy"])]
    assert failed_checks(home) == {}


def test_a_copy_that_a_fork_shows_no_more_is_unreachable_and_no_copy(home, tmp_path):
    upstream, fork = fork_and_upstream(tmp_path)
    ingest_git(home, fork, name=LAB)
    ingest_git(home, upstream, name=UPSTREAM)
    fork._add("main", "2025-01-05", (), {timing_path(): timings(n19_ReLU=4.0).encode()})
    ingest_git(home, fork, name=LAB, accept_rewritten=True)
    assert query(home, f"select copy_of, ineligible_reasons from runs where source = '{LAB}' and not reachable") == [
        (None, ["unreachable"])
    ]
    assert failed_checks(home) == {}


def staleness(home: Home, view: str, mean_ns: int) -> list[tuple[object, ...]]:
    return query(
        home, f"select reasons, stale, withdrawn_at from {view} join runs using (run_id) where mean_ns = {mean_ns}"
    )


def test_staleness_says_unreachable_first_and_then_the_rest(home, history):
    history.commit("2025-01-04", {module_path(RELU): module("ReLU", draw="randn")})
    ingest_git(home, history)
    rebase(history)
    history.commit("2025-01-05", {module_path(RELU): module("ReLU", n=32)})
    ingest_git(home, history)
    (row,) = staleness(home, "staleness", 1_000_000)
    assert row == (["unreachable", "problem_changed", "age"], True, None)
    assert staleness(home, "staleness_as_of('2025-01-02')", 1_000_000) == []
    assert staleness(home, "staleness_as_of('2025-01-03')", 1_000_000) == [(["unreachable"], True, None)]
    assert (
        query(home, "select * from leaderboard_as_of('2025-01-03') join runs using (run_id) where not reachable") == []
    )


def test_commands_say_in_words_what_became_of_a_run(home, history, kbw):
    ingest_git(home, history)
    rebase(history)
    done = kbw("ingest", f"git:{history.path}", "--name", LAB)
    assert done.returncode == 0, done.stderr
    assert "history was rewritten: 1 revisions no longer reachable, 1 runs kept as unreachable" in done.stdout
    ((run_id,),) = query(home, "select run_id from runs where not reachable")
    told = " ".join(kbw("explain", run_id).stdout.split())
    assert "Presence unreachable: the branch was rewritten, noticed on " in told
    assert "Rank none: the branch was rewritten and shows it no more" in told
    assert f"the branch was rewritten and does not contain {history.id(3)}, nor these figures anywhere" in told
    past = " ".join(kbw("history", "ReLU").stdout.split())
    assert "Kept, but unreachable: the branch was rewritten and shows them no more:" in past
    assert history.id(3)[:12] in past
    answer = json.loads(kbw("history", "ReLU", "--json").stdout)
    assert [(row["run_id"], row["mean_ns"]) for row in answer["unreachable"]] == [(run_id, 1_000_000)]
    assert "Kept, but" not in kbw("history", "GELU").stdout
    assert re.search(r"1 runs, 1 revisions", " ".join(kbw("info").stdout.split()))
    (stale,) = json.loads(kbw("stale", "--reason", "unreachable", "--json").stdout)
    assert stale["run_id"] == run_id
    assert "the branch was rewritten and shows it no more" in " ".join(kbw("stale", "--withdrawn").stdout.split())
    assert run_id not in {row["run_id"] for row in json.loads(kbw("stale", "--json").stdout)}
    manifest = kbw("manifest", run_id)
    assert (manifest.returncode, manifest.stderr.count("\n")) == (1, 1)
    assert "no revision is left to pin it to" in manifest.stderr


def test_a_branch_that_was_wound_back_is_taken_over_by_an_option(home, history, kbw):
    ingest_git(home, history)
    command = ("ingest", f"git:{history.path}@{history.id(2)}", "--name", LAB)
    refused = kbw(*command)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert kbw(*command, "--accept-rewritten").returncode == 0
    assert unreachable(home) == [(EAGER, RELU, 1.0, history.id(3))]
    for other in ("sample", "github:lab/KernelBench", f"dir:{home.root}"):
        assert "--accept-rewritten is for git: sources" in kbw("ingest", other, "--accept-rewritten").stderr


# Any history, rewritten in any way: few figures and hosts, so that lines share some of what they show.

FILES = (timing_path(), timing_path(mode=COMPILED), ON_B)
TEXTS = (
    timings(n19_ReLU=1.0),
    timings(n19_ReLU=2.0, n26_GELU=1.0),
    timings(n19_ReLU=2.0, n26_GELU=2.0),
    timings(n19_ReLU=figures(1.0, hardware=A100)),
    "{",
    None,
)
CODES = (module("ReLU"), module("ReLU", draw="randn"), None)
STEPS = st.lists(
    st.tuples(
        st.integers(0, 5),  # 3 and more: so many commits less 2 are left behind
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=2),
        st.integers(0, 2),  # the code
        st.booleans(),  # whether an ingest sees it
    ),
    min_size=2,
    max_size=7,
)


def changes_of(tree: dict[str, bytes], files: Iterable[tuple[int, int]], code: int) -> dict[str, str | bytes | None]:
    wanted = {FILES[file]: TEXTS[text] for file, text in files} | {module_path(RELU): CODES[code]}
    return {path: text for path, text in wanted.items() if text is not None or path in tree}


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_however_often_a_branch_was_rewritten_all_else_is_as_a_fresh_ingest(steps):
    with TemporaryDirectory() as folder:
        history, home = GitHistory(Path(folder) / "repository"), Home(Path(folder) / "home")
        line = [history.commit("2025-01-01", {timing_path(): TEXTS[0], module_path(RELU): CODES[0]})]
        seen: set[object] = set()
        for number, (left, files, code, ingested) in enumerate(steps):
            if 0 < left - 2 < len(line):
                line = line[: 2 - left]
                history.branch("main", line[-1])
            changes = changes_of(history._trees[line[-1] - 1], files, code)
            line.append(history.commit(f"2025-01-{number + 2:02}", changes))
            if ingested:
                ingest_git(home, history, accept_rewritten=True)
                seen |= set(query(home, "select run_id from runs where reachable"))
        ingest_git(home, history, accept_rewritten=True)
        now = set(query(home, "select run_id from runs where reachable"))
        assert set(query(home, "select run_id from runs where not reachable")) == seen - now
        assert_as_a_fresh_ingest(home, history)
