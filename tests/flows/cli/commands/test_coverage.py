"""``kbw coverage``: what was measured, and the gaps."""

from __future__ import annotations

import json


def test_coverage_counts_what_was_measured_of_the_problems_as_they_are(on_sample):
    rows = json.loads(on_sample("coverage", "--json").stdout)
    h100 = next(r for r in rows if r["gpu"]["hardware"] == "NVIDIA H100 80GB HBM3" and r["mode"] == "torch")
    assert (h100["problems"], h100["measured"]) == (250, 248)  # all but the two whose code changed
    assert all(r["measured"] + r["equivalent"] + r["withdrawn"] + r["not_measured"] == 250 for r in rows)


def test_gaps_are_listed_with_their_commands(on_sample):
    done = on_sample("coverage", "--gaps", "--limit", "3")
    assert "generate_baseline_time_modal.py" in done.stdout
    rows = json.loads(on_sample("coverage", "--gaps", "--limit", "0", "--mode", "torch", "--json").stdout)
    assert [row["gap_rank"] for row in rows] == sorted(row["gap_rank"] for row in rows)
    assert {row["mode"] for row in rows} == {"torch"}
    assert len(rows) > 25 == len(json.loads(on_sample("coverage", "--gaps", "--json").stdout))
