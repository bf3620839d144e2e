"""``kbw history``: how records moved, what was shown when, what was taken away."""

from __future__ import annotations

import json
import re

from tests.flows.cli.commands.conftest import ORIGINAL
from tests.histories import COMPILED, GitHistory, ingest_git, module, module_path, timing_path, timings

RELU = "19_ReLU.py"


def test_history_shows_events_and_every_figure_that_stood(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=2.0), module_path(RELU): module("ReLU")})
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=1.0)})
    history.commit("2025-03-01", {timing_path(): None, timing_path("H100_other"): timings(n19_ReLU=1.5)})
    ingest_git(home, history)
    page = kbw("history", "ReLU").stdout
    assert re.search(r"2025-01-01 +H100_lab +NVIDIA H100 +first +PyTorch eager +2\.00 ms", page)
    assert re.search(
        r"2025-02-01 +H100_lab +NVIDIA H100 +remeasured +PyTorch eager +1\.00 ms +2\.00 ms +\+50\.0%", page
    )
    assert re.search(r"2025-03-01 +H100_lab +NVIDIA H100 +withdrawn +nobody +1\.00 ms", page)
    assert re.search(r"H100_lab +NVIDIA H100 +PyTorch eager +1\.00 ms ± 0\.0[0-9]+ +2025-02-01 +2025-03-01", page)
    assert "(ms)" in page  # the chart's axis
    early = json.loads(kbw("history", "ReLU", "--as-of", "2025-02-15", "--json").stdout)
    assert [event["cause"] for event in early["events"]] == ["first", "remeasured"]
    assert [version["until_at"] for version in early["versions"]] == ["2025-02-01T00:00:00Z", None]


def test_history_shows_what_was_taken_away_and_the_gap(kbw, history):
    done = kbw("history", "Tanh")
    assert "Taken away with nothing in its place" in done.stdout
    assert "28 days, until 2025-03-01" in done.stdout
    (removal,) = json.loads(kbw("history", "Tanh", "--json").stdout)["removals"]
    assert (removal["removed_revision"], removal["gap_days"]) == (history.id(2), 28)
    (removal,) = json.loads(kbw("history", "Tanh", "--as-of", "2025-02-15", "--json").stdout)["removals"]
    assert removal["returned_at"] is None
    assert "Taken away" not in kbw("history", "ReLU").stdout


def test_where_dates_run_backwards_history_and_show_go_by_position(kbw, home, tmp_path):
    """The second revision is dated before the first: in mid-January only it counts, and it shows what the first did."""
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-02-01", {timing_path(): timings(n19_ReLU=2.0), module_path(RELU): module("ReLU")})
    history.commit("2025-01-01", {timing_path(mode=COMPILED): timings(n19_ReLU=1.0)})
    ingest_git(home, history)
    events = json.loads(kbw("history", "ReLU", "--as-of", "2025-01-15", "--json").stdout)["events"]
    assert [(event["cause"], event["mode"]) for event in events] == [("first", "torch"), ("faster", COMPILED)]
    runs = json.loads(kbw("show", "ReLU", "--as-of", "2025-01-15", "--json").stdout)["runs"]
    assert sorted(run["mode"] for run in runs) == ["torch", COMPILED]
    assert json.loads(kbw("history", "ReLU", "--as-of", "2024-12-31", "--json").stdout)["events"] == []


def test_without_a_moment_history_tells_everything_ever_shown_whatever_the_clock_says(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2100-01-01", {timing_path(): timings(n19_ReLU=2.0), module_path(RELU): module("ReLU")})
    ingest_git(home, history)
    (event,) = json.loads(kbw("history", "ReLU", "--json").stdout)["events"]
    assert event["cause"] == "first"


def test_a_figure_is_shown_once_however_many_lineages_carry_it_and_computations_apart(on_lineages):
    page = on_lineages("history", "ReLU").stdout
    assert "2 copies of these figures in fork/KernelBench (2, 2 stand)" in page
    assert len(re.findall(r"H100_lab .*1\.00 ms ± ", page)) == 1
    parts = page.split("Computation ")
    assert len(parts) == 3
    assert "[16, 8]" in parts[1] and "H100_lab" in parts[1] and "A100_fork" in parts[1] and "H100_other" not in parts[1]
    assert "[32, 8]" in parts[2] and "H100_other" in parts[2] and "H100_lab" not in parts[2]
    answer = json.loads(on_lineages("history", "ReLU", "--source", ORIGINAL, "--json").stdout)
    assert {row["source"] for name in ("events", "versions") for row in answer[name]} == {ORIGINAL}
    assert len({row["computation"] for row in answer["versions"]}) == 1
