"""``kbw find``: what a digest is."""

from __future__ import annotations

import json

from tests.histories import query


def test_a_digest_is_named_by_its_beginning_with_or_without_its_algorithm(on_sample, sample_home):
    ((run_id,),) = query(sample_home, "select run_id from runs where present order by run_id limit 1")
    rows = json.loads(on_sample("find", run_id[:16], "--json").stdout)
    assert [(row["what"], row["digest"]) for row in rows] == [("run", run_id)]
    operation = on_sample("find", "sha256:386c33f936e3")
    assert "operation" in operation.stdout


def test_what_is_no_digest_is_wrong_usage_and_what_nothing_has_fails(on_sample):
    for wrong in ("386c", "not-hex-at-all"):
        assert on_sample("find", wrong).returncode == 2
    done = on_sample("find", "0123456789abcdef")
    assert (done.returncode, "nothing in the warehouse has this digest" in done.stderr) == (1, True)
