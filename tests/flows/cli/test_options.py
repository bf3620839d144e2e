"""``--as-of``: a past moment, and what it means."""

from __future__ import annotations

import json

from flows.cli.options import moment


def test_as_of_july_2025_the_older_hosts_stand_and_in_august_they_are_withdrawn(on_sample):
    then = on_sample("show", "VisionTransformer", "--gpu", "B200", "--as-of", "2025-07-10").stdout
    assert "6 eligible runs · as of 2025-07-10" in then
    assert "B200_together" in then
    later = on_sample("show", "VisionTransformer", "--gpu", "B200", "--as-of", "2025-08-01").stdout
    assert "No eligible run stands." in later
    rows = json.loads(on_sample("records", "--as-of", "2025-07-10", "--limit", "0", "--json").stdout)
    assert {"B200_together", "A100_modal", "L40S_modal"} <= {row["host"] for row in rows}
    rows = json.loads(on_sample("records", "--as-of", "2025-08-01", "--limit", "0", "--json").stdout)
    assert {row["host"] for row in rows} == {"H100_PCIe_LambdaLabs"}
    stale = on_sample("stale", "--as-of", "2025-08-01", "--host", "B200_together", "--withdrawn", "--limit", "1")
    assert "withdrawn on 2025-07-21" in " ".join(stale.stdout.split())


def test_a_day_means_its_end_and_a_moment_itself():
    assert moment("2025-07-21").isoformat() == "2025-07-21T23:59:59.999999"
    assert moment("2025-07-21T12:00:00+02:00").isoformat() == "2025-07-21T10:00:00"
