"""The registry's data files say one thing about each fact, and say it completely."""

import json
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from transforms import registry
from transforms.registry import FIGURES, Gpu, Lineage

SHARED = Path(__file__).resolve().parents[4] / "shared"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the reference vectors are not beside the checkout: {SHARED}"
)

TRIED_HARDWARE = {
    "AMD Instinct MI300X OAM",
    "AMD Instinct MI325X",
    "MTT S4000",
    "NVIDIA A100-SXM-80GB",
    "NVIDIA A100-SXM4-40GB MIG 3g.20gb",
    "NVIDIA A40",
    "NVIDIA A800-SXM4-40GB",
    "NVIDIA B300 SXM6 AC",
    "NVIDIA GB200",
    "NVIDIA GH200 144G HBM3e",
    "NVIDIA GeForce RTX 5090",
    "NVIDIA H100",
    "NVIDIA H20",
    "NVIDIA H200 NVL",
    "NVIDIA RTX 6000 Ada Generation",
    "NVIDIA RTX A5000",
    "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
    "Orin",
    "Quadro RTX 6000",
    "Tesla V100-SXM2-32GB",
}

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

FORM_FACTORS = {"SXM2", "SXM4", "SXM5", "SXM6", "PCIe", "OAM", "Superchip", "module"}

BLACKWELL = {"sm_100", "sm_103", "sm_120"}
TF32_ARCHITECTURES = {"sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "gfx942", "mp_22"} | BLACKWELL
FP8_ARCHITECTURES = {"sm_89", "sm_90", "gfx942"} | BLACKWELL
MAKERS = {"nvidia": ("NVIDIA ", "sm_"), "amd": ("AMD ", "gfx"), "mthreads": ("MTT ", "mp_")}
"""How a vendor's products and architectures begin."""

every_gpu = pytest.mark.parametrize("gpu", registry.gpus().values(), ids=lambda gpu: gpu.hardware)


def _parent(gpu: Gpu) -> Gpu | None:
    """The whole GPU of a slice; None of a whole one."""
    whole, cut, _ = gpu.hardware.partition(" MIG ")
    return registry.gpus()[whole] if cut else None


@pytest.mark.parametrize("name", ["gpus", "modes", "hosts", "harness", "lineages", "protocol"])
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


@pytest.mark.parametrize("seen", [UPSTREAM_HARDWARE, TRIED_HARDWARE], ids=["upstream", "trials"])
def test_every_gpu_seen_is_known(seen: set[str]) -> None:
    assert registry.known_hardware() >= seen


def test_every_gpu_that_a_lineage_reports_is_known() -> None:
    reported = {hardware for lineage in registry.lineages().values() for hardware in lineage.hardware}
    assert registry.known_hardware() >= reported


def test_no_spelling_stands_twice() -> None:
    rows = json.loads((files(registry) / "gpus.json").read_bytes())["gpus"]
    spellings = [spelling for row in rows for spelling in (row["hardware"], *row.get("also", ()))]
    assert len(spellings) == len(set(spellings)) == len(registry.gpus())


def test_another_spelling_is_the_same_gpu() -> None:
    gpus = registry.gpus()
    assert gpus["NVIDIA A100-SXM-80GB"].hardware == "NVIDIA A100-SXM-80GB"
    for field in ("product", "form_factor", "memory_gb", "dram_gb_per_s"):
        assert getattr(gpus["NVIDIA A100-SXM-80GB"], field) == getattr(gpus["NVIDIA A100-SXM4-80GB"], field)


@every_gpu
def test_a_field_is_there_or_null_on_purpose(gpu: Gpu) -> None:
    fields = (*FIGURES, "form_factor", "memory_gb", "memory_type")
    assert {name for name in fields if getattr(gpu, name) is None} == set(gpu.gaps)
    assert all(gpu.gaps.values())


@every_gpu
def test_a_row_names_its_documents_and_its_build(gpu: Gpu) -> None:
    product, architecture = MAKERS[gpu.vendor]
    assert gpu.source
    assert gpu.form_factor is None or gpu.form_factor in FORM_FACTORS
    assert gpu.architecture.startswith(architecture)
    assert gpu.product.startswith(product)


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
    low, high = {"HBM": (700, 8200), "GDD": (250, 1800), "LPD": (60, 300)}[(gpu.memory_type or "HBM")[:3]]
    share = 1 if _parent(gpu) is None else 1 / 8
    assert gpu.dram_gb_per_s is not None
    assert low * share <= gpu.dram_gb_per_s <= high
    assert gpu.memory_gb is None or 16 * share <= gpu.memory_gb <= 288


@every_gpu
def test_a_capacity_in_the_reported_name_is_the_capacity(gpu: Gpu) -> None:
    """GH200 aside, whose name gives the processor's memory. A slice names the whole GPU's capacity, then its own."""
    whole, _, part = gpu.hardware.partition(" MIG ")
    named = [word for word in whole.replace("-", " ").split() if word.endswith("GB")]
    if part:
        assert part.endswith(f".{gpu.memory_gb}gb")
    elif named and gpu.product != "NVIDIA GH200":
        assert named == [f"{gpu.memory_gb}GB"]


@every_gpu
def test_a_slice_has_its_shares_of_the_whole(gpu: Gpu) -> None:
    """Sevenths of the multiprocessors, eighths of memory, bandwidth and L2: the maker's table of profiles."""
    whole = _parent(gpu)
    if whole is None:
        return
    assert whole.memory_gb is not None and gpu.memory_gb is not None
    compute, memory = int(gpu.hardware.partition(" MIG ")[2][0]) / 7, gpu.memory_gb / whole.memory_gb
    shares = {name: memory if name in ("dram_gb_per_s", "l2_mb") else compute for name in FIGURES}
    for name, share in shares.items():
        of_whole, of_slice = getattr(whole, name), getattr(gpu, name)
        assert of_slice == (None if of_whole is None else pytest.approx(of_whole * share, abs=1e-4))
    assert (gpu.form_factor, gpu.architecture) == (whole.form_factor, whole.architecture)


def test_three_of_seven_slices_of_an_a100() -> None:
    """Half of 40 GB, 1,555 GB/s and 40 MB; three sevenths of 156 is 66.857."""
    gpu = registry.gpus()["NVIDIA A100-SXM4-40GB MIG 3g.20gb"]
    assert (gpu.memory_gb, gpu.dram_gb_per_s, gpu.l2_mb, gpu.tf32_tflops) == (20, 777.5, 20, 66.8571)


def test_the_h100_has_the_figures_of_its_datasheet() -> None:
    gpu = registry.gpus()["NVIDIA H100 80GB HBM3"]
    assert (gpu.dram_gb_per_s, gpu.fp32_tflops, gpu.tf32_tflops) == (3350, 67, 495)


def test_a_t4_has_no_tf32() -> None:
    assert registry.gpus()["Tesla T4"].tf32_tflops is None


def test_form_factor_and_capacity_tell_the_a100s_apart() -> None:
    seen = {
        (gpu.form_factor, gpu.memory_gb): gpu.dram_gb_per_s
        for gpu in registry.gpus().values()
        if gpu.product == "NVIDIA A100" and _parent(gpu) is None
    }
    assert seen == {("SXM4", 80): 2039, ("SXM4", 40): 1555, ("PCIe", 80): 1935, ("PCIe", 40): 1555}


def test_form_factor_and_capacity_tell_the_h100s_apart() -> None:
    whole = [gpu for gpu in registry.gpus().values() if gpu.product == "NVIDIA H100" and _parent(gpu) is None]
    seen = {(gpu.form_factor, gpu.memory_gb) for gpu in whole}
    assert seen == {("SXM5", 80), ("PCIe", 80), ("PCIe", 94), (None, None)}


@pytest.mark.parametrize(
    ("hardware", "forms"),
    [
        ("NVIDIA H100", ("NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL")),
        ("AMD Instinct MI250X/MI250", ("AMD Instinct MI250X", "AMD Instinct MI250")),
    ],
)
def test_a_gpu_whose_build_is_not_told_has_the_fastest_figures_among_them(
    hardware: str, forms: tuple[str, ...]
) -> None:
    gpus = registry.gpus()
    told = gpus[hardware]
    for name in ("dram_gb_per_s", "fp32_tflops", "tf32_tflops", "bf16_tflops", "fp8_tflops"):
        figures = [getattr(gpus[form], name) for form in forms]
        assert getattr(told, name) == max((figure for figure in figures if figure is not None), default=None)
    assert told.note


def test_a_die_of_a_mi250x_has_half_of_the_matrix_peak() -> None:
    """95.7 TFLOPS for both dies; the vector units' 47.9 would put matrix products below their floor."""
    assert registry.gpus()["AMD Instinct MI250X"].fp32_tflops == 47.85


def test_grace_hopper_s_memory_is_the_gpu_s() -> None:
    """Its strings name the processor's memory (480GB, 120GB), or the GPU's (144G HBM3e)."""
    gpus = registry.gpus()
    names = ("480GB", "120GB", "144G HBM3e")
    assert [gpus[f"NVIDIA GH200 {name}"].memory_gb for name in names] == [96, 96, 144]


def test_the_last_cache_is_the_infinity_cache_where_there_is_one() -> None:
    gpus = registry.gpus()
    assert gpus["AMD Instinct MI300X"].last_cache_mb == 256
    assert gpus["NVIDIA H100 PCIe"].last_cache_mb == 50


def test_the_seven_modes_of_upstream_are_known() -> None:
    assert registry.known_modes() >= {
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


def test_a_host_is_told_its_gpu_whichever_root_or_branch_it_is_read_by() -> None:
    for source in (
        "RLsys-Foundation/TritonForge",
        "RLsys-Foundation/TritonForge//KBenchEval",
        "RLsys-Foundation/TritonForge@dev",
    ):
        told = registry.told_gpu(source, "MI300X_rocm")
        assert told is not None
        assert told.hardware == "AMD Instinct MI300X"
    assert registry.told_gpu("RLsys-Foundation/TritonForge", "H100_together") is None
    assert registry.told_gpu("someone/else", "MI300X_rocm") is None


def test_a_told_gpu_is_in_the_registry_and_says_why() -> None:
    for told in registry.told_gpus().values():
        assert told.hardware in registry.known_hardware()
        assert told.basis.endswith(".")


def test_twins_are_hosts_of_one_lineage_and_say_why() -> None:
    hosts = {registry.repository(lineage.source): set(lineage.hosts) for lineage in registry.lineages().values()}
    for twins in registry.twins():
        assert len(twins.hosts) == len(set(twins.hosts)) >= 2
        assert set(twins.hosts) <= hosts[twins.source]
        assert twins.basis.endswith(".")


def test_tsubame_was_measured_twice() -> None:
    assert [(twins.source, twins.hosts) for twins in registry.twins()] == [
        ("alexghergh/KernelBench", ("H100_tsubame", "H100_tsubame_run_2"))
    ]


@needs_shared
def test_the_protocol_stands_as_the_index_publishes_it() -> None:
    manifest = json.loads((SHARED / "seeds" / "run_manifest.json").read_text())
    assert registry.protocol() == manifest["protocol"]


def test_upstream_is_named_with_its_licence() -> None:
    assert registry.upstream() == "ScalingIntelligence/KernelBench"
    assert registry.source().licence == "MIT"
    assert registry.source().copyright == (
        "2023 Anne Ouyang, Simon Guo, Azalia Mirhoseini; Scaling Intelligence Lab, Stanford University"
    )


every_lineage = pytest.mark.parametrize("lineage", registry.lineages().values(), ids=lambda lineage: lineage.source)


@every_lineage
def test_a_lineage_ships_with_its_licence_and_copyright_or_says_why_not(lineage: Lineage) -> None:
    assert lineage.ships_in_sample is (lineage.why_not is None)
    if lineage.ships_in_sample:
        assert lineage.licence in {"MIT", "Apache-2.0"}
        assert lineage.licence_file and lineage.copyright and lineage.figures and lineage.first_seen


@every_lineage
def test_a_lineage_s_address_and_modes_are_those_it_is_known_by(lineage: Lineage) -> None:
    assert lineage.url == f"https://github.com/{registry.repository(lineage.source)}"
    assert set(lineage.modes) <= registry.known_modes()
    assert lineage.note.endswith(".")


def test_the_public_lineages_beside_upstream_hold_twelve_thousand_figures_of_their_own() -> None:
    """1,496 + 2,932 + 909 + 4,496 + 1,206 + 249 + 1,002 + 120 + 30; upstream has 10,105."""
    own = {source: lineage.figures for source, lineage in registry.lineages().items() if lineage.ships_in_sample}
    assert own.pop(registry.upstream()) == 10_105
    assert sum(figures or 0 for figures in own.values()) == 12_440
    assert len(own) == 9
