"""What filters mean: the same for every command, in whatever spelling; what names nothing is wrong usage."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import closing

import pytest

from flows.cli.filters import LISTED_BY, Known, chosen, known_values
from flows.cli.lookup import open_reader

EXPLAINED = "H100_Modal/torch/level1/97_ScaledDotProductAttention.py"
FILTERED = {
    "records": ("--source", "--host", "--gpu", "--mode", "--level", "--family", "--reason"),
    "stale": ("--source", "--host", "--gpu", "--mode", "--level", "--family", "--reason"),
    "coverage": ("--source", "--gpu", "--mode", "--level", "--family"),
    "show ReLU": ("--source", "--host", "--gpu", "--mode"),
    "history ReLU": ("--source", "--host", "--gpu", "--mode"),
    f"explain {EXPLAINED}": ("--source", "--host", "--gpu", "--mode"),
    "diff 7dd9cfa0 88df56b9": ("--source", "--host", "--gpu", "--mode", "--level", "--family"),
}
CASES = [(command, option) for command, options in FILTERED.items() for option in options]


@pytest.mark.parametrize(("command", "option"), CASES)
def test_a_value_that_names_nothing_is_wrong_usage_in_one_line_with_the_command_that_lists_all(
    on_sample, command, option
):
    done = on_sample(*command.split(), option, "nonesuch")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nonesuch: no such" in done.stderr
    assert f": {LISTED_BY[option.removeprefix('--')]}" in done.stderr


@pytest.mark.parametrize("kind", LISTED_BY)
def test_the_command_that_lists_all_values_of_a_filter_lists_them(on_sample, sample_home, kind):
    done = on_sample(*shlex.split(LISTED_BY[kind])[1:])
    assert done.returncode == 0, done.stderr
    with closing(open_reader(sample_home)) as reader:
        for value in known_values(reader)[kind].values:
            assert value in done.stdout


@pytest.mark.parametrize(
    ("option", "spellings", "meant"),
    [
        ("level", ("level3", "3", "level_3", "Level3", "LEVEL 3"), "level3"),
        ("mode", ("torch", "eager", "Eager", "PyTorch eager", "TORCH"), "torch"),
        (
            "mode",
            ("torch_compile_inductor_default", "inductor", "torch.compile (inductor)", "torch-compile-inductor"),
            "torch_compile_inductor_default",
        ),
        ("host", ("H100_Modal", "h100_modal", "H100-Modal", "h100 modal"), "H100_Modal"),
        ("host", ("H100_PCIe_LambdaLabs", "Lambda Labs"), "H100_PCIe_LambdaLabs"),
        ("gpu", ("h100 sxm5", "H100 80 GB HBM3"), "NVIDIA H100 80GB HBM3"),
        ("gpu", ("H100",), "H100"),
        ("source", ("ScalingIntelligence", "scalingintelligence/kernelbench"), "ScalingIntelligence/KernelBench"),
        ("family", ("GEMM", "gemm"), "gemm"),
        ("family", ("KL divergence",), "kl-divergence"),
    ],
)
def test_case_signs_and_other_names_do_not_count(sample_home, option, spellings, meant):
    with closing(open_reader(sample_home)) as reader:
        assert {chosen(reader, **{option: spelling})[option] for spelling in spellings} == {meant}


@pytest.mark.parametrize(
    ("option", "wanted", "near"),
    [
        ("--host", "H100_Modl", "did you mean H100_Modal"),
        ("--gpu", "H101", "NVIDIA H100"),
        ("--mode", "egaer", "did you mean torch?"),
        ("--reason", "problem_chnged", "did you mean problem_changed"),
        ("--family", "convo", "did you mean conv"),
        ("--host", "Modal", "hosts are called so: A100-80GB_modal, A100_modal"),
    ],
)
def test_the_nearest_names_are_told_three_at_most(on_sample, option, wanted, near):
    done = on_sample("records", option, wanted)
    assert done.returncode == 2
    assert near in done.stderr
    if offered := re.search(r"did you mean (.+)\?", done.stderr):
        assert len(re.split(", | or ", offered[1])) <= 3


def test_hosts_that_differ_in_case_alone_are_told_apart_by_it():
    known = Known("host", {"L40S_modal": (), "L40S_Modal": ()})
    assert known.meant("L40S_Modal") == "L40S_Modal"
    with pytest.raises(Exception, match="2 hosts are called so: L40S_modal, L40S_Modal"):
        known.meant("l40s_modal")


def test_filters_narrow_what_every_command_tells(on_sample):
    def rows(*arguments: str) -> list[dict[str, object]]:
        return json.loads(on_sample(*arguments, "--limit", "0", "--json").stdout)

    assert {row["mode"] for row in rows("records", "--mode", "eager")} == {"torch"}
    (attention,) = {row["problem"] for row in rows("records", "--family", "attention", "--level", "1")}
    assert attention == "97_ScaledDotProductAttention.py"
    assert all("toolchain_changed" in row["stale_reasons"] for row in rows("records", "--reason", "toolchain-changed"))
    assert {(row["level"], row["mode"]) for row in rows("stale", "--level", "2", "--mode", "eager")} == {
        ("level2", "torch")
    }
    everything, some = (rows("coverage", "--gaps", *more) for more in ((), ("--family", "attention")))
    assert 0 < len(some) < len(everything)
    told = json.loads(on_sample("history", "ReLU", "--gpu", "t4", "--json").stdout)
    assert {row["host"] for row in (*told["events"], *told["versions"])} == {"T4_modal"}
    told = json.loads(on_sample("show", "ReLU", "--mode", "EAGER", "--json").stdout)
    assert {run["mode"] for run in told["runs"]} == {"torch"}
    told = json.loads(
        on_sample(
            "diff", "7dd9cfa0", "88df56b9", "--gpu", "tesla t4", "--mode", "eager", "--family", "gemm", "--json"
        ).stdout
    )
    assert {(row["host"], row["mode"]) for row in (*told["figures"], *told["summary"])} == {("T4_modal", "torch")}
    assert 0 < len(told["problems"]) < 200


def test_every_list_says_how_many_there_are_in_all(on_sample):
    assert "2 of 500 records (--limit 0 shows all)" in on_sample("records", "--limit", "2").stderr
    assert (
        "2 of 10 stale figures (--limit 0 shows all)"
        in on_sample("stale", "--severity", "error", "--limit", "2").stderr
    )
    assert re.search(
        r"2 of [\d,]+ gaps \(--limit 0 shows all\)", on_sample("coverage", "--gaps", "--limit", "2").stderr
    )
    assert re.search(r"^[\d,]+ pairs of GPU and mode", on_sample("coverage").stderr)
    assert "matching" not in json.loads(on_sample("coverage", "--gaps", "--limit", "1", "--json").stdout)[0]
