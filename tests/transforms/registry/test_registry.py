"""The registry's data files say one thing about each fact, and say it completely."""

import json
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from transforms import registry
from transforms.registry import FIGURES, Gpu

SHARED = Path(__file__).resolve().parents[4] / "shared"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference vectors are not beside the checkout: {SHARED}"
)

UPSTREAM_HARDWARE = {
    "NVIDIA H100 80GB HBM3",
    "NVIDIA H100 PCIe",
    "NVIDIA B200",
    "NVIDIA A100-SXM4-80GB",
    "NVIDIA A100-SXM4-40GB",
    "NVIDIA A10",
    "NVIDIA A10G",
    "NVIDIA L4",
    "NVIDIA L40S",
    "Tesla T4",
}

FORM_FACTORS = {"SXM2", "SXM4", "SXM5", "SXM6", "PCIe", "OAM", "Superchip"}

TF32_ARCHITECTURES = {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "gfx942"}
FP8_ARCHITECTURES = {"sm_89", "sm_90", "sm_100", "gfx942"}

every_gpu = pytest.mark.parametrize("gpu", registry.gpus().values(), ids=lambda gpu: gpu.hardware)


def _figures(gpu: Gpu) -> dict[str, float | None]:
    return {name: getattr(gpu, name) for name in FIGURES}


@pytest.mark.parametrize("name", ["gpus", "modes", "hosts", "protocol", "sources"])
def test_every_data_file_says_what_it_is(name: str) -> None:
    document = json.loads((files(registry) / f"{name}.json").read_bytes())
    assert document["note"].endswith(".")


@pytest.mark.parametrize(("name", "key"), [("gpus", "hardware"), ("modes", "mode")])
def test_no_row_is_given_twice(name: str, key: str) -> None:
    rows = json.loads((files(registry) / f"{name}.json").read_bytes())[name]
    keys = [row[key] for row in rows]
    assert len(keys) == len(set(keys))


def test_a_field_nobody_declared_is_an_error() -> None:
    row = msgspec.to_builtins(registry.gpus()["Tesla T4"])
    with pytest.raises(msgspec.ValidationError, match="fp4_tflops"):
        msgspec.convert({**row, "fp4_tflops": 1.0}, Gpu)


def test_every_gpu_seen_upstream_is_known() -> None:
    assert registry.known_hardware() >= UPSTREAM_HARDWARE


@every_gpu
def test_a_figure_is_there_or_null_on_purpose(gpu: Gpu) -> None:
    missing = {name for name, value in _figures(gpu).items() if value is None}
    assert missing == set(gpu.gaps)
    assert all(gpu.gaps.values())


@every_gpu
def test_a_row_names_its_documents_and_its_build(gpu: Gpu) -> None:
    assert gpu.source
    assert gpu.form_factor in FORM_FACTORS
    assert gpu.architecture.startswith("sm_" if gpu.vendor == "nvidia" else "gfx")
    assert gpu.product.startswith("NVIDIA " if gpu.vendor == "nvidia" else "AMD ")


@every_gpu
def test_narrower_numbers_are_never_slower(gpu: Gpu) -> None:
    """Within one architecture's ordinary and tensor units: FP32, TF32, BF16, FP8 in this order."""
    peaks = [gpu.fp32_tflops, gpu.tf32_tflops, gpu.bf16_tflops, gpu.fp8_tflops]
    known = [peak for peak in peaks if peak is not None]
    assert known == sorted(known)


@every_gpu
def test_tensor_peaks_are_dense(gpu: Gpu) -> None:
    """BF16 runs at twice TF32, FP8 at twice BF16 (GeForce: four times, in 16 bits), or one has sparsity."""
    if gpu.tf32_tflops is not None and gpu.bf16_tflops is not None:
        assert gpu.bf16_tflops / gpu.tf32_tflops == pytest.approx(2, rel=0.03)
    if gpu.bf16_tflops is not None and gpu.fp8_tflops is not None:
        factor = 4 if gpu.product.startswith("NVIDIA GeForce") else 2
        assert gpu.fp8_tflops / gpu.bf16_tflops == pytest.approx(factor, rel=0.03)


@every_gpu
def test_only_architectures_that_have_tf32_and_fp8_have_a_peak_for_them(gpu: Gpu) -> None:
    if gpu.architecture not in TF32_ARCHITECTURES:
        assert gpu.tf32_tflops is None
    if gpu.architecture not in FP8_ARCHITECTURES:
        assert gpu.fp8_tflops is None


@every_gpu
def test_memory_is_plausible_for_its_type(gpu: Gpu) -> None:
    low, high = (700, 8200) if gpu.memory_type.startswith("HBM") else (250, 1100)
    assert gpu.dram_gb_per_s is not None
    assert low <= gpu.dram_gb_per_s <= high
    assert 16 <= gpu.memory_gb <= 192


@every_gpu
def test_a_capacity_in_the_reported_name_is_the_capacity(gpu: Gpu) -> None:
    """GH200 aside, whose name gives the processor's memory."""
    named = [word for word in gpu.hardware.replace("-", " ").split() if word.endswith("GB")]
    if named and gpu.product != "NVIDIA GH200":
        assert named == [f"{gpu.memory_gb}GB"]


def test_the_h100_has_the_figures_of_its_datasheet() -> None:
    gpu = registry.gpus()["NVIDIA H100 80GB HBM3"]
    assert (gpu.dram_gb_per_s, gpu.fp32_tflops, gpu.tf32_tflops) == (3350, 67, 495)


def test_a_t4_has_no_tf32() -> None:
    assert registry.gpus()["Tesla T4"].tf32_tflops is None


def test_form_factor_and_capacity_tell_the_a100s_apart() -> None:
    seen = {
        (gpu.form_factor, gpu.memory_gb): gpu.dram_gb_per_s
        for gpu in registry.gpus().values()
        if gpu.product == "NVIDIA A100"
    }
    assert seen == {("SXM4", 80): 2039, ("SXM4", 40): 1555, ("PCIe", 80): 1935, ("PCIe", 40): 1555}


def test_form_factor_and_capacity_tell_the_h100s_apart() -> None:
    seen = {(gpu.form_factor, gpu.memory_gb) for gpu in registry.gpus().values() if gpu.product == "NVIDIA H100"}
    assert seen == {("SXM5", 80), ("PCIe", 80), ("PCIe", 94)}


def test_the_last_cache_is_the_infinity_cache_where_there_is_one() -> None:
    gpus = registry.gpus()
    assert gpus["AMD Instinct MI300X"].last_cache_mb == 256
    assert gpus["NVIDIA H100 PCIe"].last_cache_mb == 50


def test_the_seven_modes_of_upstream_are_known() -> None:
    assert registry.known_modes() == {
        "torch",
        "torch_compile",
        "torch_compile_inductor_default",
        "torch_compile_inductor_reduce-overhead",
        "torch_compile_inductor_max-autotune",
        "torch_compile_inductor_max-autotune-no-cudagraphs",
        "torch_compile_cudagraphs",
    }


@pytest.mark.parametrize("field", ["title", "what"])
def test_no_two_modes_share_a_name(field: str) -> None:
    values = [getattr(mode, field) for mode in registry.modes().values()]
    assert len(values) == len(set(values))


def test_modes_have_the_titles_the_index_shows() -> None:
    modes = registry.modes()
    assert modes["torch"].title == "PyTorch eager"
    assert modes["torch_compile_inductor_default"].title == "torch.compile (inductor)"


def test_eager_is_the_one_baseline() -> None:
    assert [mode.mode for mode in registry.modes().values() if mode.is_baseline] == ["torch"]


def test_hosts_have_the_titles_the_index_shows() -> None:
    assert registry.hosts()["H100_Modal"] == "Modal"
    assert registry.hosts()["H100_PCIe_LambdaLabs"] == "Lambda Labs"


@needs_shared
def test_every_host_of_upstream_s_history_has_a_title() -> None:
    history = json.loads((SHARED / "upstream" / "expected_history.json").read_text())
    assert set(history["run_hosts"]) <= set(registry.hosts())


@needs_shared
def test_the_protocol_stands_as_the_index_publishes_it() -> None:
    manifest = json.loads((SHARED / "seeds" / "run_manifest.json").read_text())
    assert registry.protocol() == manifest["protocol"]


def test_upstream_is_named_with_its_licence() -> None:
    assert registry.upstream() == "ScalingIntelligence/KernelBench"
    assert registry.source().licence == "MIT"
    assert registry.source().copyright.startswith("2023 Anne Ouyang")
