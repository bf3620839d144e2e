"""The interoperable digests of the sample are those of the public index."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from tests.histories import query

SEED = ROOT.parent / "shared" / "seeds" / "run_manifest.json"
VECTORS = SEED.parents[1] / "vectors" / "identities.json"


@pytest.mark.skipif(not VECTORS.exists(), reason="LOUD: ../shared is absent, the vectors' digests are not compared")
def test_the_interop_table_of_the_sample_holds_every_digest_of_the_vectors(sample_home):
    vectors = json.loads(VECTORS.read_text())
    rows = query(
        sample_home,
        "select external_id, operation_digest, workload_digest, environment_digest, protocol_digest, run_digest, "
        "implementation_digest from interop",
    )
    table = {row[0]: row[1:] for row in rows}
    compared = 0
    for name, problem in vectors["problems"].items():
        for external_id, row in table.items():
            if not external_id.endswith(f"/{name}"):
                continue
            assert row[:2] == (problem["operation"], problem["workload"])
            assert row[3] == vectors["protocol_digest"]
            assert row[4] == problem["runs"][external_id]["digest"], external_id
            assert row[5] in problem["implementations"].values()
            compared += 1
    assert compared == 160


def test_every_problem_and_run_of_the_newest_pin_has_digests(sample_home):
    """The public index itself could read 247 and 988."""
    counts = "count(*), count(run_digest), count(distinct operation_digest), count(distinct workload_digest)"
    assert query(sample_home, f"select {counts} from interop") == [(1000, 1000, 250, 250)]
