"""``kbw coverage``: what was measured, and the gaps."""

from __future__ import annotations

import json

from tests.flows.cli.commands.conftest import FORK, ORIGINAL, OTHER
from tests.histories import A100


def test_coverage_counts_what_was_measured_of_the_problems_as_they_are(on_sample):
    rows = json.loads(on_sample("coverage", "--json").stdout)
    h100 = next(r for r in rows if r["gpu"]["hardware"] == "NVIDIA H100 80GB HBM3" and r["mode"] == "torch")
    # all but the two whose code changed, and the twenty of level4
    assert (h100["problems"], h100["computations"], h100["measured"]) == (270, 270, 248)
    assert all(r["measured"] + r["equivalent"] + r["withdrawn"] + r["not_measured"] == 270 for r in rows)


def test_gaps_are_listed_with_their_commands(on_sample):
    done = on_sample("coverage", "--gaps", "--limit", "3")
    assert "generate_baseline_time_modal.py" in done.stdout
    rows = json.loads(on_sample("coverage", "--gaps", "--limit", "0", "--mode", "torch", "--json").stdout)
    assert [row["gap_rank"] for row in rows] == sorted(row["gap_rank"] for row in rows)
    assert {row["mode"] for row in rows} == {"torch"}
    assert len(rows) > 25 == len(json.loads(on_sample("coverage", "--gaps", "--json").stdout))


def test_what_any_lineage_measured_is_measured_for_every_head_that_shows_it(on_lineages):
    """The fork's head shows the computation that the first measured; the third's is another one."""
    rows = json.loads(on_lineages("coverage", "--source", FORK, "--mode", "torch", "--gpu", "H100", "--json").stdout)
    assert [(row["computations"], row["measured"], row["measured_by"]) for row in rows] == [(1, 1, [ORIGINAL])]
    (row,) = json.loads(on_lineages("coverage", "--mode", "torch", "--gpu", "H100", "--json").stdout)
    assert (row["problems"], row["computations"], row["measured"]) == (1, 2, 2)
    assert "measured by" in on_lineages("coverage").stdout
    gaps = json.loads(on_lineages("coverage", "--gaps", "--source", OTHER, "--mode", "torch", "--json").stdout)
    assert [(gap["gpu"]["hardware"], gap["at_head_of"]) for gap in gaps] == [(A100, [OTHER])]
