"""What code each problem had, at the commits looked at."""

from __future__ import annotations

from tests.histories import GitHistory, day, failed_checks, ingest_git, module, module_path, query, timing_path, timings
from warehouse.home import Home

RELU = "19_ReLU.py"
GELU = "26_GELU.py"


def write(folder) -> GitHistory:
    """ReLU: reworded, gone, back, unreadable at last; GELU comes later and changes in a head that is no revision."""
    history = GitHistory(folder)
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=2.0), module_path(RELU): module("ReLU")})
    history.commit("2025-01-02", {timing_path(): timings(n19_ReLU=2.1), module_path(RELU): module("ReLU", comment="!")})
    history.commit("2025-01-03", {timing_path(): timings(n19_ReLU=2.2), module_path(RELU): None})
    history.commit("2025-01-04", {module_path(GELU): module("GELU")})
    history.commit("2025-01-05", {timing_path(): timings(n19_ReLU=2.3), module_path(RELU): module("ReLU")})
    history.commit("2025-01-06", {timing_path(): timings(n19_ReLU=2.4), module_path(RELU): "def ("})
    history.commit("2025-01-07", {module_path(GELU): module("GELU", draw="randn")})
    return history


ROWS = """
    select problem, from_position, from_at, present, code_digest is not null, workload_id is not null
    from problem_versions order by problem, from_position"""


def test_a_row_whenever_the_code_changes_appears_or_disappears(tmp_path):
    history, home = write(tmp_path / "repository"), Home(tmp_path / "home")
    ingest_git(home, history)
    assert query(home, ROWS) == [
        (RELU, 0, day("2025-01-01"), True, True, True),
        (RELU, 2, day("2025-01-03"), False, False, False),
        (RELU, 3, day("2025-01-05"), True, True, True),
        (RELU, 4, day("2025-01-06"), True, False, False),
        (GELU, 3, day("2025-01-05"), True, True, True),
        (GELU, 5, day("2025-01-07"), True, True, True),
    ]
    ((same, other),) = query(
        home,
        """
        select min(compute_digest) = max(compute_digest), count(distinct code_digest)
        from problem_versions where problem = $gelu""",
        gelu=GELU,
    )
    assert (same, other) == (True, 2)
    assert failed_checks(home) == {}


def test_an_earlier_head_that_was_no_revision_leaves_no_trace(tmp_path):
    """Whichever commit was the head at the ingest before."""
    history, once = write(tmp_path / "repository"), Home(tmp_path / "once")
    ingest_git(once, history)
    everything = "select * from problem_versions order by all"
    for first in range(1, 7):
        twice = Home(tmp_path / f"after {first}")
        ingest_git(twice, history, first)
        ingest_git(twice, history)
        assert query(twice, everything) == query(once, everything), first


def test_the_row_of_a_head_becomes_that_of_a_revision(tmp_path):
    history, home = GitHistory(tmp_path / "repository"), Home(tmp_path / "home")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=2.0), module_path(RELU): module("ReLU")})
    head = history.commit("2025-01-02", {module_path(RELU): module("ReLU", n=32)})
    ingest_git(home, history)
    assert query(home, "select from_position, from_revision from problem_versions")[1] == (1, history.id(head))
    later = history.commit("2025-01-03", {timing_path(): timings(n19_ReLU=2.5)})
    ingest_git(home, history)
    assert query(home, "select from_position, from_revision from problem_versions")[1] == (1, history.id(later))
