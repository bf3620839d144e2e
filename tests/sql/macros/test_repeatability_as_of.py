"""How many repeated measurements a limit between sessions needs."""

from __future__ import annotations

import pytest

from tests.histories import LAB
from tests.sql.rows import Rows

LIMIT = "select pairs, limit_basis, limit_pairs, limit_ratio from repeatability where environment_id = $of"


def put(rows: Rows, environment: str, pairs: int, ratio: float = 1.5) -> None:
    rows.put("environments", environment_id=environment, source=LAB, host=environment)
    for number in range(pairs):
        rows.put(
            "baseline_history",
            source=LAB,
            environment_id=environment,
            problem=str(number),
            reason="measured_again",
            ratio=ratio,
            beyond_interval=True,
            from_position=0,
        )


@pytest.mark.parametrize(("pairs", "expected"), [(29, (29, None, None, None)), (30, (30, "host", 30, 1.5))])
def test_a_host_speaks_for_itself_from_thirty_pairs_on(rows: Rows, pairs, expected):
    rows.revisions("2025-01-01")
    put(rows, "a host", pairs)
    assert rows.ask(LIMIT, of="a host") == [expected]


@pytest.mark.parametrize(("others", "expected"), [(24, (5, None, None, None)), (25, (5, "all hosts", 30, 1.25))])
def test_else_all_hosts_together_speak_from_thirty_pairs_on(rows: Rows, others, expected):
    rows.revisions("2025-01-01")
    put(rows, "a host", 5, ratio=1.25)
    put(rows, "another", others, ratio=0.8)
    assert rows.ask(LIMIT, of="a host") == [expected]
