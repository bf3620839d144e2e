"""Every lineage of the shipped sample in one home: bound right, copies folded, upstream's numbers its own."""

from __future__ import annotations

import json

import pytest

from flows.following import follow
from flows.sequence import Directly
from flows.settings import Followed
from flows.sources.sample import every_lineage
from tests.histories import UPSTREAM, failed_checks, query, stored_tables
from warehouse.home import Home

TSUBAME = "alexghergh/KernelBench"
MISBOUND = "8ba2f873ef5fad2b75ad2d7ad5938bfe4619614e"
MEASURED_AGAIN = "a87adea86cd82c498920cb50a9dbc091b476e868"

OWN_FIGURES = {
    UPSTREAM: 10_105,
    "JackYoustra/KernelBench": 1_496,
    "grannypuppy/kernel-api": 2_932,
    "RLsys-Foundation/TritonForge": 909,
    TSUBAME: 4_496,
    "hzeng2000/KernelBench": 1_206,
    "shadowfall09/KernelBench": 249,
    "StigLidu/AdaExplore": 1_002,
    "Distant22/KernelBench": 120,
    "pango0/KernelBench-Agentic": 30,
}

OF_UPSTREAM = f"source = '{UPSTREAM}'"
UPSTREAM_HOLDS = {
    f"select count(*) from revisions where {OF_UPSTREAM}": 14,
    f"select count(*) from runs where {OF_UPSTREAM}": 10_105,
    f"select count(*) from runs where {OF_UPSTREAM} and present": 1_000,
    f"select count(*) from environments where {OF_UPSTREAM}": 16,
    f"select count(distinct workload_id) from runs where {OF_UPSTREAM}": 503,
    f"select count(distinct compute_digest) from runs join workloads using (workload_id) where {OF_UPSTREAM}": 449,
    f"select count(*) from runs where {OF_UPSTREAM} and ineligible_reasons = ['module_missing']": 14,
    f"select count(*) from runs where {OF_UPSTREAM} and not eligible": 14,
    f"select count(*) from records where {OF_UPSTREAM}": 3_551,
    f"select count(*) from records where {OF_UPSTREAM} and present": 500,
    f"select count(*) from problems where {OF_UPSTREAM}": 270,
    f"select count(distinct run_digest) from interop where {OF_UPSTREAM}": 1_000,
    f"select sum(lead_changes) from records where {OF_UPSTREAM}": 214,
    f"select count(*) from record_events where {OF_UPSTREAM} and improvement < 0": 69,
    f"select count(*) from runs join staleness using (run_id) where {OF_UPSTREAM} and present "
    "and list_contains(reasons, 'problem_changed')": 10,
}
"""A count of upstream's, and what it is, whatever other lineage is there. It changed hands as 101 + 113 say below."""

EVENTS = {"first": 3_551, "faster": 101, "remeasured": 136, "overtaken": 113, "withdrawn": 3_051}


def follow_sample(home: Home, *lineages: str) -> Home:
    """The home, with these lineages of the sample ingested one after the other."""
    for lineage in lineages:
        follow(home, Followed(f"sample:{lineage}"), Directly())
    return home


@pytest.fixture(scope="module")
def upstream_alone(tmp_path_factory) -> Home:
    return follow_sample(Home(tmp_path_factory.mktemp("upstream")), UPSTREAM)


@pytest.fixture(params=["upstream_alone", "field_home"])
def either(request) -> Home:
    """Upstream by itself, and beside all the others."""
    found: Home = request.getfixturevalue(request.param)
    return found


def test_each_lineage_holds_its_own_figures_and_every_check_passes(field_home):
    found = query(field_home, "select source, count(*) from runs where copy_of is null group by source")
    assert dict(found) == OWN_FIGURES
    assert failed_checks(field_home) == {}
    assert query(field_home, "select count(*) from quarantine where problem_key is null") == [(0,)]


def test_no_copy_is_eligible_or_ranked_or_holds_a_record(field_home):
    copies = "from runs where copy_of is not null"
    assert query(field_home, f"select count(*) {copies}") == [(67_986,)]
    assert query(field_home, f"select count(*) {copies} and eligible") == [(0,)]
    assert query(field_home, f"select count(*) {copies} and not list_contains(ineligible_reasons, 'copy')") == [(0,)]
    for ranking in ("leaderboard", "records", "record_history", "coverage"):
        held = query(field_home, f"select count(*) from {ranking} join runs using (run_id) where copy_of is not null")
        assert held == [(0,)], ranking


def test_every_copy_is_of_upstream_and_upstream_has_none(field_home):
    found = query(
        field_home,
        "select distinct originals.source, copies.source = originals.source from runs as copies "
        "join runs as originals on copies.copy_of = originals.run_id",
    )
    assert found == [(UPSTREAM, False)]


def test_the_corrupted_run_of_tsubame_is_the_one_doubtful_version_of_all_lineages(field_home):
    doubtful = "source, host, mode from binding_doubts where doubtful order by all"
    modes = (
        "torch", "torch_compile_cudagraphs", "torch_compile_inductor_default", "torch_compile_inductor_max-autotune",
        "torch_compile_inductor_max-autotune-no-cudagraphs", "torch_compile_inductor_reduce-overhead",
    )  # fmt: skip
    assert query(field_home, f"select {doubtful}") == [(TSUBAME, "H100_tsubame", mode) for mode in modes]
    doubted = query(
        field_home,
        "select source, first_revision, count(*), count(*) filter (where present) from runs "
        "where list_contains(ineligible_reasons, 'binding_doubtful') group by all",
    )
    assert doubted == [(TSUBAME, MISBOUND, 1_496, 0)]


def test_more_than_half_of_its_costed_figures_are_faster_than_the_fastest_form_of_an_h100(field_home):
    """The file says no form. Of 1,496 figures 72 have no module, and 12 one whose cost nobody traced."""
    counts = "sum(figures), sum(figures_costed), sum(figures_below_floor)"
    ((figures, costed, below),) = query(field_home, f"select {counts} from binding_doubts where doubtful")
    assert (figures, costed, below) == (1_424, 1_412, 834)


def test_what_replaced_it_is_eligible_and_none_of_it_lies_below_a_floor(field_home):
    of_later = f"from runs where first_revision = '{MEASURED_AGAIN}' and copy_of is null and source = '{TSUBAME}'"
    assert query(field_home, f"select count(*), bool_and(eligible), bool_and(present) {of_later}") == [
        (3_000, True, True)
    ]
    below = "select count(*) from noise where list_contains(remarks, 'below_floor') and run_id in"
    assert query(field_home, f"{below} (select run_id {of_later})") == [(0,)]


def test_every_figure_below_its_floor_is_doubtful_or_remarked_upon_and_explained(field_home):
    """The four that stay are convolutions on a V100: the floor counts what the module states."""
    found = query(
        field_home,
        """
        select runs.source, runs.level, runs.problem, list_contains(remarks, 'below_floor'), count(*)
        from run_floors(runs) as floors join runs using (run_id) join noise using (run_id)
        where floors.below_floor and runs.eligible
        group by all order by all""",
    )
    convolution = "56_conv_standard_2D__asymmetric_input__asymmetric_kernel.py"
    assert found == [
        ("Distant22/KernelBench", "level1", convolution, True, 3),
        ("pango0/KernelBench-Agentic", "level3", "5_AlexNet.py", True, 1),
    ]
    others = query(
        field_home,
        "select distinct runs.ineligible_reasons from run_floors(runs) as floors join runs using (run_id) "
        "where floors.below_floor and not runs.eligible",
    )
    assert others == [(["binding_doubtful"],)]


def test_a_record_below_its_floor_says_so_and_what_was_assumed(field_home):
    found = query(
        field_home,
        "select source, assumptions[3] from headroom_v2 where faster_than_floor and present order by source",
    )
    assumed = "arithmetic as the module states it, a multiply-add as two operations; another algorithm may need fewer"
    assert found == [("Distant22/KernelBench", assumed), ("pango0/KernelBench-Agentic", assumed)]


def test_what_is_doubtful_is_an_error_wherever_it_is_told(field_home):
    doubted = "from runs join staleness using (run_id) where list_contains(ineligible_reasons, 'binding_doubtful')"
    assert query(field_home, f"select distinct severity, list_contains(reasons, 'binding_doubtful') {doubted}") == [
        ("error", True)
    ]
    assert query(field_home, "select count(*) from staleness where list_contains(reasons, 'binding_doubtful')") == [
        (1_496,)
    ]


def test_repeatability_rests_on_the_sessions_it_names_and_counts_each_pair_once(field_home):
    """249 problems of the T4 were measured twice, 60 figures of the V100, and TSUBAME's 1,500 by two folders."""
    found = query(
        field_home,
        "select source, host, sum(pairs), max(sessions) from repeatability where pairs > 0 group by all order by all",
    )
    assert found == [
        ("Distant22/KernelBench", "V100_SXM2_32GB_NCHC", 60, 1),
        (UPSTREAM, "T4_modal", 249, 1),
        (TSUBAME, "H100_tsubame", 1_500, 1),
        (TSUBAME, "H100_tsubame_run_2", 1_500, 1),
    ]
    everywhere = (
        "select distinct duration_class, limit_pairs, limit_sessions from repeatability where limit_basis = 'all'"
    )
    assert query(field_home, f"{everywhere} order by limit_pairs") == [
        ("0.1 to 1 ms", 76 + 49, 2),
        ("above 10 ms", 66 + 38 + 366, 3),
        ("1 to 10 ms", 67 + 22 + 1_085, 3),
    ], "of the T4, the V100 and TSUBAME, whose pair is one beyond its two hosts"
    twins = "select source, host, twin_host from twin_hosts"
    assert query(field_home, twins) == [(TSUBAME, "H100_tsubame", "H100_tsubame_run_2")]


@pytest.mark.parametrize("count", UPSTREAM_HOLDS)
def test_upstream_s_numbers_are_its_own_alone_and_beside_the_others(either, count):
    assert query(either, count) == [(UPSTREAM_HOLDS[count],)]


def test_upstream_s_records_moved_as_they_did_alone_and_beside_the_others(either):
    found = query(either, f"select cause, count(*) from record_events where {OF_UPSTREAM} group by cause")
    assert dict(found) == EVENTS
    assert EVENTS["faster"] + EVENTS["overtaken"] == 214


def test_upstream_alone_has_no_other_rows_than_its_own(upstream_alone):
    for table in ("sources", "revisions", "runs", "environments", "problems"):
        assert query(upstream_alone, f"select distinct source from {table}") == [(UPSTREAM,)], table
    assert query(upstream_alone, "select count(*) from workloads") == [(503,)]
    assert query(upstream_alone, "select count(distinct compute_digest) from workloads") == [(449,)]
    assert query(upstream_alone, "select count(*) from record_history") == [(sum(EVENTS.values()),)]


def test_the_order_of_two_lineages_does_not_matter(tmp_path):
    """Without upstream nothing says that a fork's files were copied; when it comes it gets its figures back."""
    fork = "pango0/KernelBench-Agentic"
    back = follow_sample(Home(tmp_path / "back"), fork)
    assert query(back, "select count(*), count(copy_of) from runs") == [(1_030, 0)]
    follow_sample(back, UPSTREAM)
    own = "select source, count(*) from runs where copy_of is null group by source order by source"
    assert query(back, own) == [(UPSTREAM, 10_105), (fork, 30)]
    there = follow_sample(Home(tmp_path / "there"), UPSTREAM, fork)
    assert stored_tables(there) == stored_tables(back)


def test_a_second_ingest_of_the_whole_sample_has_nothing_new(field_home):
    """It writes the heartbeat alone, so that the home stays what it was for other tests."""
    database = field_home.database
    before = database.read_bytes(), database.stat().st_mtime_ns
    done = follow(field_home, Followed("sample"), Directly())
    assert (len(done.outcomes), done.failures) == (10, [])
    assert [outcome.published for outcome in done.outcomes] == [None] * 10
    assert (database.read_bytes(), database.stat().st_mtime_ns) == before


def test_sources_lists_every_lineage(kbw, field_home, monkeypatch):
    monkeypatch.setenv("KBW_HOME", str(field_home.root))
    rows = json.loads(kbw("sources", "--json").stdout)
    assert {row["source"] for row in rows} == set(OWN_FIGURES) == set(every_lineage())


def test_a_lineage_below_a_folder_is_called_by_its_repository_where_that_has_one_root(field_home):
    roots = "select distinct source, split_part(path, '/', 1) from runs where path not like 'results/%' order by 1"
    assert query(field_home, roots) == [
        ("RLsys-Foundation/TritonForge", "KBenchEval"),
        ("pango0/KernelBench-Agentic", "KernelBench"),
    ]


def test_every_lineage_has_the_problems_of_its_head_and_its_licence(field_home):
    assert query(field_home, "select distinct count(*) over (partition by source) from problems") == [(270,)]
    assert query(field_home, "select count(*) from sources where licence = 'MIT' and copyright is not null") == [(10,)]
