"""``kbw sources``: what is followed, for people and for programs."""

from __future__ import annotations

import csv
import io
import json


def test_sources_are_listed_with_their_health(on_sample):
    done = on_sample("sources")
    assert (done.returncode, "ScalingIntelligence/KernelBench" in done.stdout) == (0, True)
    (row,) = json.loads(on_sample("sources", "--json").stdout)
    assert (row["source"], row["status"], row["last_error"]) == ("ScalingIntelligence/KernelBench", "fresh", None)
    (line,) = csv.DictReader(io.StringIO(on_sample("sources", "--csv").stdout))
    assert line["source"] == row["source"]
    assert on_sample("sources", "--json", "--csv").returncode == 2
