"""Looking things up: one problem, one host, one moment. Expected figures are the seed page's, or arithmetic by hand."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from flows.cli.options import moment
from flows.cli.prompt import prompt
from flows.cli.render import Format, duration, interval, percent, ratio, three_digits
from tests.conftest import run_kbw
from tests.histories import GitHistory, ingest_git, module, module_path, timing_path, timings
from warehouse.database import Reader

RELU = "19_ReLU.py"


@pytest.fixture
def page(on_sample):
    done = on_sample("show", "level3/28", "--host", "H100_Modal")
    assert done.returncode == 0, done.stderr
    return done.stdout


# The facts of the page that people are used to seeing, one by one; the dates corrected.
@pytest.mark.parametrize(
    "fact",
    [
        r"VisionTransformer +level3/28_VisionTransformer\.py · model",
        r"Fastest +1\.37 ms ± 0\.05 · mean of 100 · 1\.32x faster than eager",
        r"torch\.compile \(inductor\) on H100_Modal \(NVIDIA H100 SXM5\)",
        r"reported: Reported by source; not independently reproduced\.",
        r"H100_Modal +NVIDIA H100 SXM5 +1\.37 ms ± 0\.05 +torch\.compile \(inductor\) +1\.32x +2 ",
        r"1 +1 +torch\.compile \(inductor\) +1\.37 ms ± 0\.05 +1\.00x +1\.32x +2025-12-31",
        r"2 +2 +PyTorch eager \(baseline\) +1\.81 ms ± 0\.01 +1\.32x +1\.00x +2025-12-31",
        r"stale: .*days old",
        r"headroom-v1: 359 ns, bandwidth-bound; record 3,811\.17x above it",
        r"every declared tensor crosses DRAM exactly once \(3,350 GB/s, NVIDIA H100 SXM5 datasheet\)",
        r"no arithmetic formula for this family: bandwidth floor only",
        r"headroom-v2: 30\.7 µs, compute-bound",
        r"83\.1 MB moved: 24\.8 µs; 15\.2 GFLOP: 30\.7 µs at the TF32 peak, 227 µs at the fp32 peak",
        r"PyTorch eager +1\.81 ms +python · torch_eager",
        r"torch\.compile \(inductor\) +1\.37 ms +python · torch_compile_inductor",
        r"reported · MIT",
        r"input_1 +fp32 \[2, channels, image_size, image_size\]",
        r"output +out float \[out\]",
        r"channels = 3 \(variable\), image_size = 224 \(variable\)",
        r"determinism +unspecified",
        r"constraints +No mutation or aliasing",
        r"operation +sha256:386c33f936e3",
        r"B200 SXM6 180 GB +6 modes on an equivalent version of the problem \(2025-03-16, withdrawn on 2025-07-21\)",
        r"github\.com/ScalingIntelligence/KernelBench/blob/\w+/results/timing/H100_Modal/baseline_time_torch\.json",
        r"github\.com/ScalingIntelligence/KernelBench/blob/\w+/KernelBench/level3/28_VisionTransformer\.py",
    ],
)
def test_each_fact_of_the_page_is_shown(page, fact):
    assert re.search(fact, page), f"{fact}\n{page}"


def test_the_page_dates_figures_when_they_appeared_not_by_the_newest_commit(page):
    assert "2026-03-05" not in page


def test_the_page_says_where_else_there_are_records_but_ranks_no_machine_against_another(on_sample):
    page = on_sample("show", "VisionTransformer").stdout
    assert "4 eligible runs" in page
    assert "machines are not compared" in page
    assert re.search(r"H100_PCIe_LambdaLabs +NVIDIA H100 PCIe +1\.59 ms ± 0\.004 +torch\.compile", page)


def test_json_has_all_of_the_page(on_sample):
    answer = json.loads(on_sample("show", "28_VisionTransformer", "--json").stdout)
    assert answer["fastest"]["mean_ns"] == 1_370_000
    assert answer["eligible_runs"] == 4
    assert {row["host"] for row in answer["records"]} == {"H100_Modal", "H100_PCIe_LambdaLabs"}
    assert [row["rank"] for row in answer["ranking"]] == [1, 2]
    assert answer["workloads"][0]["inputs"][0]["shape"] == [2, "channels", "image_size", "image_size"]
    assert {floor["policy"] for floors in answer["floors"].values() for floor in floors} == {
        "headroom-v1",
        "headroom-v2",
    }
    assert answer["identities"][0]["operation_digest"].startswith("sha256:386c33f936e3")


def test_every_name_of_a_problem_means_the_same(on_sample):
    names = (
        "level3/28",
        "28_VisionTransformer",
        "VisionTransformer",
        "level3/28_VisionTransformer.py",
        "visiontransformer",
    )
    pages = {on_sample("show", name).stdout for name in names}
    assert len(pages) == 1


def test_an_ambiguous_name_is_answered_with_candidates_and_an_unknown_one_with_what_looks_alike(on_sample):
    ambiguous = on_sample("show", "Vision")
    assert ambiguous.returncode == 1
    assert "3 problems match; name one of level3/28_VisionTransformer, level3/31_VisionAttention" in ambiguous.stderr
    misspelt = on_sample("show", "VisionTransformr")
    assert "did you mean level3/28_VisionTransformer" in misspelt.stderr
    assert "no such problem" in on_sample("show", "zzz").stderr


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
    assert re.search(r"H100_lab +NVIDIA H100 +PyTorch eager +1\.00 ms ± 0\.002 +2025-02-01 +2025-03-01", page)
    assert "(ms)" in page  # the chart's axis
    early = json.loads(kbw("history", "ReLU", "--as-of", "2025-02-15", "--json").stdout)
    assert [event["cause"] for event in early["events"]] == ["first", "remeasured"]
    assert [version["until_at"] for version in early["versions"]] == ["2025-02-01T00:00:00Z", None]


def test_stale_figures_are_listed_with_reasons_in_words_and_can_fail_a_script(on_sample):
    done = on_sample("stale", "--reason", "problem_changed", "--limit", "0")
    assert done.returncode == 0
    assert "10 stale figures" in done.stderr
    assert "the problem's code has changed since" in " ".join(done.stdout.split())
    assert on_sample("stale", "--reason", "problem_changed", "--fail").returncode == 3
    assert on_sample("stale", "--reason", "problem_changed", "--host", "nowhere", "--fail").returncode == 0
    assert on_sample("stale", "--reason", "gremlins").returncode == 2


def test_coverage_counts_what_was_measured_of_the_problems_as_they_are(on_sample):
    rows = json.loads(on_sample("coverage", "--json").stdout)
    h100 = next(r for r in rows if r["gpu"]["hardware"] == "NVIDIA H100 80GB HBM3" and r["mode"] == "torch")
    assert (h100["problems"], h100["measured"]) == (250, 248)  # all but the two whose code changed
    assert all(r["measured"] + r["equivalent"] + r["withdrawn"] + r["not_measured"] == 250 for r in rows)


def test_records_can_be_sorted_and_filtered(on_sample):
    by_margin = json.loads(on_sample("records", "--sort", "margin", "--limit", "5", "--json").stdout)
    assert [r["margin_ratio"] for r in by_margin] == sorted((r["margin_ratio"] for r in by_margin), reverse=True)
    by_date = json.loads(on_sample("records", "--sort", "date", "--limit", "300", "--json").stdout)
    assert [r["held_since"] for r in by_date] == sorted((r["held_since"] for r in by_date), reverse=True)
    unclear = json.loads(on_sample("records", "--not-clear", "--limit", "0", "--json").stdout)
    assert unclear
    assert {r["clear"] for r in unclear} == {False}


def test_the_prompt_answers_statements_and_survives_mistakes(sample_home, capsys):
    lines = iter(["select count(*) as runs", "from runs;", "select nonsense;", ".tables", ".columns runs", ".quit"])
    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, lambda _: next(lines))
    said = capsys.readouterr()
    assert "10105" in said.out
    assert "Binder Error" in said.err
    assert "record_history" in said.out
    assert "mean_ns" in said.out
    reader.close()


def test_the_prompt_ends_with_its_input(sample_home):
    def end(_: str) -> str:
        raise EOFError

    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, end)
    reader.close()


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (duration(1_370_000), "1.37 ms"),
        (duration(359), "359 ns"),
        (duration(30_700), "30.7 µs"),
        (duration(2_000_000_000), "2.00 s"),
        (duration(None), ""),
        (interval(1_370_000, 46_648), "1.37 ms ± 0.05"),
        (interval(1_810_000, 10_114), "1.81 ms ± 0.01"),
        (interval(1_380_000, 900), "1.38 ms ± 0.0009"),
        (ratio(1.3211), "1.32x"),
        (percent(-0.093), "-9.3%"),
        (three_digits(1234.5), "1,234"),
    ],
)
def test_figures_are_shown_in_the_unit_in_which_they_read_best(shown, expected):
    assert shown == expected


def examples() -> list[str]:
    pages = [
        run_kbw(command, "--help").stdout for command in re.findall(r"^│ ([a-z]+) ", run_kbw("--help").stdout, re.M)
    ]
    return [found for page in pages for found in re.findall(r"Example: kbw (.+?)\s*$", page, re.M)]


def test_the_example_of_every_command_runs(kbw, own_sample_home, monkeypatch, tmp_path):
    """Long-running and schedule commands are tried where they are tested."""
    monkeypatch.setenv("KBW_HOME", str(own_sample_home.root))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.json").write_text(kbw("manifest", "H100_Modal/torch/level1/19_ReLU.py").stdout)
    tried = 0
    for example in examples():
        if example.split()[0] in ("serve", "deploy"):
            continue
        done = kbw(*shlex.split(example))
        assert done.returncode == 0, (example, done.stderr)
        tried += 1
    assert tried >= 12
