"""How far sessions disagree, and how many of them a limit needs."""

from __future__ import annotations

import math

import pytest

from tests.histories import LAB
from tests.sql.rows import Rows

HOST = "H100_lab"
TWIN = "H100_lab_run_2"
LIMIT = """
    select pairs, sessions, limit_basis, limit_pairs, limit_sessions, limit_ratio
    from repeatability where environment_id = $of and duration_class = $of_class"""
SHORT, MIDDLE = "below 0.1 ms", "0.1 to 1 ms"
NOTHING = (None, None, None, None)


def put(
    rows: Rows,
    environment: str,
    pairs: int,
    *,
    ratio: float = 1.5,
    sessions: int = 2,
    mean: int = 1000,
    known: bool = False,
) -> None:
    """Figures that were measured again, in as many sessions: each ``ratio`` times what it was before."""
    if not known:
        gpu = {"hardware": "a card", "known_as": "a card"}
        rows.put("environments", environment_id=environment, source=LAB, host=environment, **gpu)
    place = {"host": environment, "environment_id": environment, "hardware": "a card", "std_ns": 0, "num_trials": 100}
    for number in range(pairs):
        one, other = f"{environment} {number} {ratio} before", f"{environment} {number} {ratio} again"
        since = number % sessions
        rows.run(one, mean, first_revision=f"before {since}", **place)
        rows.run(other, mean * ratio, first_revision=f"again {since}", **place)
        rows.put(
            "baseline_history",
            source=LAB,
            environment_id=environment,
            problem=str(number),
            reason="measured_again",
            run_id=other,
            previous_run_id=one,
            from_position=0,
        )


def limit(rows: Rows, environment: str = HOST, of_class: str = SHORT) -> tuple[object, ...]:
    (row,) = rows.ask(LIMIT, of=environment, of_class=of_class)
    return row


@pytest.mark.parametrize(
    ("pairs", "sessions", "expected"),
    [
        (29, 2, NOTHING),
        (30, 1, NOTHING),
        (30, 2, ("environment", 30, 2, 1.5)),
    ],
)
def test_an_environment_speaks_for_itself_from_thirty_pairs_of_two_sessions_on(rows: Rows, pairs, sessions, expected):
    rows.revisions("2025-01-01")
    put(rows, HOST, pairs, sessions=sessions)
    assert limit(rows) == (pairs, sessions, *(pytest.approx(value) if value == 1.5 else value for value in expected))


@pytest.mark.parametrize(("others", "basis"), [(24, None), (25, "GPU")])
def test_else_its_gpu_speaks_from_thirty_pairs_on(rows: Rows, others, basis):
    rows.revisions("2025-01-01")
    put(rows, HOST, 5)
    put(rows, "another host", others)
    assert limit(rows)[:3] == (5, 2, basis)


@pytest.mark.parametrize(("others", "basis"), [(24, None), (25, "all")])
def test_else_all_speak_from_thirty_pairs_on(rows: Rows, others, basis):
    rows.revisions("2025-01-01")
    put(rows, HOST, 5)
    put(rows, "another", others)
    rows.ask("update environments set known_as = 'another card' where host = 'another'")
    assert limit(rows)[:3] == (5, 2, basis)


def test_a_pair_speaks_for_figures_as_long_as_its_earlier_one(rows: Rows):
    rows.revisions("2025-01-01")
    put(rows, HOST, 30, mean=99_999, ratio=2)
    assert limit(rows)[2] == "environment"
    assert limit(rows, of_class=MIDDLE) == (0, 0, *NOTHING)


def test_a_limit_is_the_90th_percentile_of_the_ratio_of_two_means_whichever_came_first(rows: Rows):
    """28 pairs that do not change and 4 that halve: place 27.9 of 0 to 31 is nine tenths of the way from 0 to ln 2."""
    rows.revisions("2025-01-01")
    put(rows, HOST, 28, ratio=1.0)
    put(rows, HOST, 4, ratio=0.5, known=True)
    found = "select pairs, median_log_ratio, max_log_ratio, limit_ratio from repeatability where duration_class = $c"
    assert rows.ask(found, c=SHORT) == [(32, 0, pytest.approx(math.log(2)), pytest.approx(2**0.9))]


@pytest.mark.parametrize(("again", "beyond"), [(1039, 0), (1041, 1)])
def test_a_difference_is_beyond_the_interval_when_both_errors_and_roundings_do_not_explain_it(
    rows: Rows, again, beyond
):
    """1.96 x sqrt(10^2 + 10^2) is 27.7, and two roundings of 6 make 39.7 ns."""
    rows.revisions("2025-01-01")
    rows.put("environments", environment_id=HOST, source=LAB, host=HOST, hardware="a card")
    quiet = {"environment_id": HOST, "std_ns": 100, "num_trials": 100, "rounding_ns": 6}
    rows.run("before", 1000, **quiet)
    rows.run("again", again, **quiet)
    rows.put(
        "baseline_history",
        source=LAB,
        reason="measured_again",
        run_id="again",
        previous_run_id="before",
        from_position=0,
    )
    assert rows.one("select beyond_interval from repeatability where duration_class = $c", c=SHORT) == beyond


UNUSABLE = {
    "a copy": {"copy_of": "an original"},
    "a doubtful binding": {"ineligible_reasons": ["binding_doubtful"]},
    "what is not reachable": {"reachable": False},
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_what_was_not_measured_there_makes_no_pair(rows: Rows, case):
    rows.revisions("2025-01-01")
    rows.put("environments", environment_id=HOST, source=LAB, host=HOST, hardware="a card")
    rows.run("before", 1000, environment_id=HOST, std_ns=1, num_trials=100)
    rows.run("again", 1100, environment_id=HOST, std_ns=1, num_trials=100, **UNUSABLE[case])
    rows.put(
        "baseline_history",
        source=LAB,
        reason="measured_again",
        run_id="again",
        previous_run_id="before",
        from_position=0,
    )
    assert rows.one("select sum(pairs) from repeatability") == 0


def test_two_folders_of_one_machine_are_a_session_of_both_and_counted_once_beyond_them(rows: Rows):
    rows.revisions("2025-01-01")
    rows.put("twin_hosts", source=LAB, host=HOST, twin_host=TWIN, basis="for the test")
    for host in (HOST, TWIN):
        rows.put("environments", environment_id=host, source=LAB, host=host, hardware="a card", known_as="a card")
    for number in range(30):
        same = {
            "hardware": "a card",
            "code_digest": "code",
            "problem": f"{number}_a.py",
            "std_ns": 1,
            "num_trials": 100,
        }
        rows.run(f"{number}", 1000, host=HOST, environment_id=HOST, **same)
        rows.run(f"{number} again", 1100, host=TWIN, environment_id=TWIN, **same)
    put(rows, "another host", 1)
    assert limit(rows)[:2] == (30, 1)
    assert limit(rows, TWIN)[:2] == (30, 1)
    assert limit(rows, "another host")[2:5] == ("GPU", 31, 2)
