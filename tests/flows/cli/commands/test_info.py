"""``kbw info``: what is there."""

from __future__ import annotations

import json
import re


def test_info_says_what_is_there(on_sample, sample_home):
    done = on_sample("info")
    assert str(sample_home.database) in done.stdout
    assert re.search(
        r"ScalingIntelligence/KernelBench +14 +2026-03-05 +10,105 +1,000 +10 +494 +496 +14 +10 +3,551 +14", done.stdout
    )
    assert json.loads(on_sample("info", "--json").stdout)["sources"][0]["present"] == 1000
