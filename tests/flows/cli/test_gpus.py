"""Whatever names a GPU in JSON names it in the same place, with the same members."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from flows.cli.gpus import MEMBERS
from tests.histories import GitHistory, figures, ingest_git, module, module_path, timing_path, timings

RUN = "H100_Modal/torch/level1/97_ScaledDotProductAttention.py"
SXM5 = {
    "hardware": "NVIDIA H100 80GB HBM3",
    "vendor": "nvidia",
    "product": "NVIDIA H100",
    "form_factor": "SXM5",
    "architecture": "sm_90",
    "memory_gb": 80,
}
ASKED = (
    ("records", "97_Scaled", "--host", "H100_Modal"),
    ("show", "ScaledDotProductAttention", "--host", "H100_Modal"),
    ("history", "ScaledDotProductAttention", "--host", "H100_Modal"),
    ("stale", "--host", "H100_Modal", "--limit", "5"),
    ("coverage", "--gpu", "H100 80GB HBM3"),
    ("coverage", "--gaps", "--gpu", "H100 80GB HBM3", "--limit", "5"),
    ("diff", "88df56b9", "head", "--host", "H100_Modal", "--level", "level1"),
    ("explain", RUN),
)


def members(answer: object) -> Iterator[tuple[str, object]]:
    """Every member of an answer, however deep."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            yield name, value
            yield from members(value) if name not in ("gpu", "gpus") else ()
    elif isinstance(answer, list):
        for one in answer:
            yield from members(one)


@pytest.mark.parametrize("command", ASKED, ids=lambda command: " ".join(command[:2]))
def test_every_answer_that_names_a_gpu_has_the_one_object_for_it_and_nothing_beside(on_sample, command):
    done = on_sample(*command, "--json")
    assert done.returncode == 0, done.stderr
    found = list(members(json.loads(done.stdout)))
    gpus = [gpu for name, gpu in found if name == "gpu"]
    assert SXM5 in gpus
    assert {tuple(gpu) for gpu in gpus} == {MEMBERS}
    assert {name for name, _ in found} & set(MEMBERS) == set()


def test_a_record_that_nobody_holds_any_more_has_the_gpu_of_the_run_that_held_it(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.0), module_path("19_ReLU.py"): module("ReLU")})
    history.commit("2025-02-01", {timing_path(): None, timing_path("other"): timings(n19_ReLU=2.0)})
    ingest_git(home, history)
    events = json.loads(kbw("history", "ReLU", "--json").stdout)["events"]
    assert [event["cause"] for event in events] == ["first", "withdrawn", "first"]
    assert [event["gpu"] for event in events] == [SXM5] * 3


def test_a_gpu_that_is_not_reported_or_not_in_the_registry_has_nulls(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    reported = figures(1.0, hardware="Cerebras"), figures(1.0, hardware=None)
    texts = dict(zip((timing_path("a"), timing_path("b")), (timings(n19_ReLU=one) for one in reported), strict=True))
    history.commit("2025-01-01", {**texts, module_path("19_ReLU.py"): module("ReLU")})
    ingest_git(home, history)
    rows = json.loads(kbw("records", "--json").stdout)
    nothing = dict.fromkeys(MEMBERS)
    assert [row["gpu"] for row in rows] == [{**nothing, "hardware": "Cerebras"}, nothing]


def test_csv_stays_flat(on_sample):
    head = on_sample("records", "--limit", "1", "--csv").stdout.splitlines()[0].split(",")
    assert {"product", "hardware"} <= set(head)
    assert "gpu" not in head


def test_what_is_told_of_a_host_is_said_of_its_figures_and_of_no_other_host_s(kbw, home, tmp_path):
    history = GitHistory(tmp_path / "repository")
    amd = timings(n19_ReLU=figures(1.0, hardware="AMD GPU"))
    changes = {timing_path(host): amd.replace("1.0", mean) for host, mean in (("told", "1.0"), ("untold", "1.1"))}
    history.commit("2025-01-01", {**changes, module_path("19_ReLU.py"): module("ReLU")})
    home.root.mkdir(parents=True)
    (home.root / "kbw.toml").write_text('[hosts."told"]\ngpu = "AMD Instinct MI300X"\n')
    done = kbw("ingest", f"git:{history.path}", "--name", "lab/x")
    assert 'unknown GPU: "AMD GPU" on untold (1 runs)' in done.stderr
    rows = {row["host"]: row["gpu"] for row in json.loads(kbw("records", "--json").stdout)}
    assert {host: gpu["hardware"] for host, gpu in rows.items()} == {"told": "AMD GPU", "untold": "AMD GPU"}
    assert (rows["told"]["product"], rows["untold"]["product"]) == ("AMD Instinct MI300X", None)
    assert "told as AMD Instinct MI300X" in kbw("explain", "told/torch/level1/19_ReLU.py").stdout
