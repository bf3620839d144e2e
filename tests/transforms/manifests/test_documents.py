"""Each kind of manifest, beside its canonical JSON written out by hand."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from tests.transforms.manifests.made_up import PIN, PROBLEM, RUN
from transforms.manifests.digests import Document, canonical
from transforms.manifests.documents import (
    Digests,
    digest,
    environment,
    implementation,
    manifests,
    operation,
    protocol,
    run,
    workload,
)
from transforms.manifests.facts import PinnedProblem
from transforms.problems.reader import ModuleReading, Problem, TensorInput

HEAD = '{"apiVersion":"kernelindex.dev/v1alpha1","kind":'

OPERATION = (
    HEAD + '"OperationSpec","spec":{"axes":{"cols":{"role":"variable","type":"integer"},'
    '"out":{"role":"variable","type":"integer"},"rows":{"role":"variable","type":"integer"}},"family":"other",'
    '"inputs":[{"name":"x","tensor":{"dtype":"fp32","shape":["rows",4,"cols"]}},'
    '{"name":"input_2","tensor":{"dtype":"int64","shape":["rows"]}}],'
    '"outputs":[{"name":"out","tensor":{"dtype":"float","shape":["out"]}}],'
    '"reference":{"artifact":{"digest":"sha256:' + "ab" * 32 + '",'
    '"uri":"https://git.example/tiny/bench/blob/c0ffee/KernelBench/level1/7_Tiny_op_.py"},"language":"python"},'
    '"semantics":{"determinism":"unspecified","mutation":"none"}}}'
)
WORKLOAD = (
    HEAD + '"WorkloadCase","spec":{"axes":{"cols":5,"rows":3},"correctness":{"comparator":"not_asserted"},'
    '"operationSpecDigest":"sha256:0",'
    '"scalars":{"alpha":{"dtype":"fp32","value":0.5},"beta":{"dtype":"int32","value":2}},'
    '"tensors":{"input_2":{"dtype":"int64","shape":[3]},"x":{"dtype":"fp32","shape":[3,4,5]}}}}'
)
IMPLEMENTATION = (
    HEAD + '"ImplementationRevision","spec":{"callable":{"interface":"torch_eager","language":"python",'
    '"symbol":"Model.forward"},"licensing":{"concluded":"MIT","declared":"MIT"},'
    '"operation":{"specDigest":"sha256:0"},"projectRevision":{},'
    '"source":{"contentDigest":"sha256:' + "ab" * 32 + '","fileName":"7_Tiny_op_.py","sizeBytes":321},'
    '"support":{"dtypes":[],"hardwareArchitectures":[]}}}'
)
ENVIRONMENT = (
    HEAD + '"ExecutionEnvironment","spec":{"hardware":{"architecture":"sm_90","formFactor":"PCIe",'
    '"product":"NVIDIA H100","vendor":"nvidia"},"software":{}}}'
)
RUN_TEXT = (
    HEAD + '"BenchmarkRun","spec":{"environmentDigest":"sha256:3","implementationDigest":"sha256:2",'
    '"measurements":[{"metric":"latency","statistic":"std","unit":"ns","value":62500}],'
    '"observedAt":"2024-02-29T12:00:05.000Z","protocolDigest":"sha256:4",'
    '"sourceNative":{"benchmark":"H100_Modal/baseline_time_torch.json",'
    '"externalId":"H100_Modal/torch/level1/7_Tiny_op_.py",'
    '"metrics":{"max_ms":2,"mean_ms":1.5,"min_ms":1.25,"std_ms":0.0625},"source":"kernelbench"},"status":"passed",'
    '"timing":{"latencyNs":{"confidence95":[1487750,1512250],"maximum":2000000,"mean":1500000,"minimum":1250000},'
    '"primaryStatistic":"mean","samples":100},"workloadDigest":"sha256:1"}}'
)
REFERRED = Digests(
    workload="sha256:1",
    implementation="sha256:2",
    environment="sha256:3",
    protocol="sha256:4",
)

BY_HAND = {
    "operation": (operation(PROBLEM, PIN), OPERATION),
    "workload": (workload(PROBLEM, "sha256:0"), WORKLOAD),
    "implementation": (implementation(PROBLEM, "torch", "sha256:0"), IMPLEMENTATION),
    "environment": (environment("H100_PCIe_LambdaLabs", "NVIDIA H100 PCIe"), ENVIRONMENT),
    "run": (run(RUN, REFERRED, PIN), RUN_TEXT),
}


@pytest.mark.parametrize(("document", "text"), BY_HAND.values(), ids=BY_HAND)
def test_a_digest_is_that_of_the_text_written_by_hand(document: Document, text: str) -> None:
    assert canonical(document).decode() == text
    assert digest(document) == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def test_the_protocol_is_the_index_s_own_and_nobody_can_spoil_it() -> None:
    protocol()["spec"].clear()
    assert digest(protocol()) == "sha256:547725b033a9911eae0c5ac362344a85aed824894ed4ab476af945b9bb491ea6"


def test_the_six_of_a_run_refer_to_one_another() -> None:
    made = manifests(RUN, PROBLEM, PIN)
    digests = {name: digest(document) for name, document in made.items()}
    assert list(made) == ["operation", "workload", "implementation", "environment", "protocol", "run"]
    assert made["workload"]["spec"]["operationSpecDigest"] == digests["operation"]
    assert made["implementation"]["spec"]["operation"]["specDigest"] == digests["operation"]
    for name in ("workload", "implementation", "environment", "protocol"):
        assert made["run"]["spec"][f"{name}Digest"] == digests[name]


def test_names_and_titles() -> None:
    named = {name: document["metadata"] for name, document in manifests(RUN, PROBLEM, PIN).items()}
    assert {name: (metadata["name"], metadata["title"]) for name, metadata in named.items()} == {
        "operation": ("kernelbench-l1-7-tiny-op", "Tiny op"),
        "workload": ("kernelbench-l1-7-tiny-op-case", "Tiny op · rows=3, cols=5"),
        "implementation": ("kernelbench-l1-7-tiny-op-torch", "Tiny op · PyTorch eager"),
        "environment": ("kernelbench-h100-modal", "KernelBench host · H100 80GB HBM3 (Modal)"),
        "protocol": ("kernelbench-timing-v1", "KernelBench baseline timing"),
        "run": ("kernelbench-h100-modal-torch-l1-7-tiny-op", "Tiny op · PyTorch eager · Modal"),
    }


def test_a_title_lists_axes_as_the_inputs_use_them() -> None:
    """However they were stored: canonical JSON sorts them."""
    assert list(PROBLEM.axes) == ["cols", "rows"]
    swapped = replace(PROBLEM, axes={"rows": 3, "cols": 5})
    assert workload(swapped, "sha256:0") == workload(PROBLEM, "sha256:0")


def test_a_long_name_is_cut() -> None:
    file = f"7_{'x' * 150}.py"
    name = operation(replace(PROBLEM, file=file), PIN)["metadata"]["name"]
    assert name == f"kernelbench-l1-7-{'x' * 83}"
    assert len(name) == 100


@pytest.mark.parametrize(
    ("mode", "interface", "external", "title"),
    [
        ("torch", "torch_eager", "torch", "PyTorch eager"),
        ("torch_compile", "torch_compile", "torch-compile", "torch.compile"),
        (
            "torch_compile_inductor_default",
            "torch_compile_inductor",
            "torch-compile-inductor",
            "torch.compile (inductor)",
        ),
        (
            "torch_compile_inductor_max-autotune",
            "torch_compile_inductor_max_autotune",
            "torch-compile-inductor-max-autotune",
            "torch.compile (inductor, max-autotune)",
        ),
        (
            "torch_compile_tvm_fast-math",
            "torch_compile_tvm_fast_math",
            "torch-compile-tvm-fast-math",
            "torch.compile (tvm, fast-math)",
        ),
        ("torch_compile_tvm_default", "torch_compile_tvm", "torch-compile-tvm", "torch.compile (tvm)"),
        ("jax", "jax", "jax", "jax"),
    ],
)
def test_other_modes_continue_the_pattern(mode: str, interface: str, external: str, title: str) -> None:
    made = manifests(replace(RUN, mode=mode), PROBLEM, PIN)
    assert made["implementation"]["spec"]["callable"]["interface"] == interface
    assert made["implementation"]["metadata"]["title"] == f"Tiny op · {title}"
    assert made["run"]["spec"]["sourceNative"]["externalId"] == f"H100_Modal/{external}/level1/7_Tiny_op_.py"


@pytest.mark.parametrize(
    ("hardware", "body", "title"),
    [
        ("NVIDIA B200", {"vendor": "nvidia", "product": "NVIDIA B200", "architecture": "sm_100"}, "B200"),
        ("Tesla T4", {"vendor": "nvidia", "product": "NVIDIA T4", "architecture": "sm_75"}, "T4"),
        ("NVIDIA X1 Ultra", {"vendor": "nvidia", "product": "NVIDIA X1 Ultra"}, "X1 Ultra"),
        ("Contraption 9", {"product": "Contraption 9"}, "Contraption 9"),
        (None, {}, "unknown GPU"),
    ],
)
def test_other_gpus_are_kept_as_they_stand(hardware: str | None, body: dict[str, str], title: str) -> None:
    document = environment("my_box", hardware)
    assert document["spec"] == {"hardware": body, "software": {}}
    assert document["metadata"] == {
        "name": "kernelbench-my-box",
        "title": f"KernelBench host · {title} (my_box)",
    }


def test_hosts_with_equal_gpus_are_one_environment() -> None:
    assert digest(environment("matx2", "NVIDIA L40S")) == digest(environment("matx3", "NVIDIA L40S"))


@pytest.mark.parametrize("scalars", [{}, {"rows": 3}])
def test_a_workload_without_other_scalars_has_none(scalars: dict[str, int]) -> None:
    assert "scalars" not in workload(replace(PROBLEM, scalars=scalars), "sha256:0")["spec"]


def test_a_workload_without_axes_is_called_like_its_problem() -> None:
    fixed = replace(PROBLEM, inputs=(TensorInput("x", (8,), "fp16"),), axes={}, scalars={})
    document = workload(fixed, "sha256:0")
    assert document["metadata"]["title"] == "Tiny op"
    assert document["spec"]["axes"] == {}
    assert list(operation(fixed, PIN)["spec"]["axes"]) == ["out"]


def test_the_interval_does_not_begin_below_the_minimum() -> None:
    wide = run(replace(RUN, std=5.0), REFERRED, PIN)
    assert wide["spec"]["timing"]["latencyNs"]["confidence95"] == [1_250_000, 2_480_000]


def test_a_date_with_a_time_zone_is_written_in_utc() -> None:
    east = timezone(timedelta(hours=8))
    pin = replace(PIN, observed_at=datetime(2024, 2, 29, 20, 0, 5, 123_456, east))
    assert pin.observed == "2024-02-29T12:00:05.123Z"


def test_a_folder_has_no_address() -> None:
    artifact = operation(PROBLEM, replace(PIN, repository_url=None))["spec"]["reference"]["artifact"]
    assert artifact == {"digest": "sha256:" + "ab" * 32}


def test_an_address_is_escaped() -> None:
    odd = replace(PROBLEM, path="KernelBench/level1/7_a b#c.py")
    uri = operation(odd, PIN)["spec"]["reference"]["artifact"]["uri"]
    assert uri.endswith("/KernelBench/level1/7_a%20b%23c.py")


def test_a_module_that_was_read_is_a_pinned_problem() -> None:
    read = Problem(PROBLEM.inputs, dict(PROBLEM.axes), dict(PROBLEM.scalars), init=[], compute_digest="")
    reading = ModuleReading("level1", PROBLEM.file, PROBLEM.module_sha256, 321, problem=read)
    assert PinnedProblem.of(reading, PROBLEM.path) == PROBLEM
    assert PinnedProblem.of(replace(reading, problem=None), PROBLEM.path) is None
