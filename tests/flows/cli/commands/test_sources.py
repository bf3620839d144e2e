"""``kbw sources``: what is followed, for people and for programs."""

from __future__ import annotations

import csv
import io
import json

from tests.flows.cli.commands.conftest import FORK


def test_sources_are_listed_with_their_health(on_sample):
    done = on_sample("sources")
    assert (done.returncode, "ScalingIntelligence/KernelBench" in done.stdout) == (0, True)
    (row,) = json.loads(on_sample("sources", "--json").stdout)
    assert (row["source"], row["status"], row["last_error"]) == ("ScalingIntelligence/KernelBench", "fresh", None)
    (line,) = csv.DictReader(io.StringIO(on_sample("sources", "--csv").stdout))
    assert line["source"] == row["source"]
    assert on_sample("sources", "--json", "--csv").returncode == 2


def test_a_source_is_told_with_its_licence_and_what_it_holds_of_its_own(on_sample):
    (upstream,) = json.loads(on_sample("sources", "--json").stdout)
    assert (upstream["licence"], upstream["own"], upstream["copies"], upstream["doubtful"]) == ("MIT", 10105, 0, 0)


def test_copies_are_counted_apart(on_lineages):
    rows = {row["source"]: row for row in json.loads(on_lineages("sources", "--json").stdout)}
    fork = rows[FORK]
    assert (fork["runs"], fork["own"], fork["copies"], fork["licence"]) == (3, 1, 2, None)
