"""Facts that no timing file holds: GPUs, modes, hosts, the protocol, the upstream project, costs of modules.

Each is a JSON file in this folder (the costs: a CSV file), corrected by editing data and not code. The functions here
read a file once and give it types; a field that is unknown or missing is an error when the file is first read, not a
gap.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

import msgspec

__all__ = [
    "FIGURES",
    "Cost",
    "Gpu",
    "Harness",
    "Mode",
    "Upstream",
    "costs",
    "gpus",
    "harnesses",
    "hosts",
    "known_hardware",
    "known_modes",
    "modes",
    "protocol",
    "source",
    "upstream",
]

FIGURES = ("dram_gb_per_s", "l2_mb", "fp32_tflops", "tf32_tflops", "bf16_tflops", "fp8_tflops")
"""The datasheet figures of a GPU; each is a number, or null with its reason in `gaps`."""


class Gpu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One reported hardware string and what its maker publishes about it.

    Grain: one per string. `memory_gb` is the capacity in the maker's gigabytes, `dram_gb_per_s` is in 10^9
    bytes per second, `l2_mb` in the maker's megabytes. Arithmetic peaks are dense, never with sparsity, in
    10^12 operations per second; `fp32_tflops` is that of the ordinary units, not of tensor or matrix cores.
    """

    hardware: str
    vendor: Literal["nvidia", "amd"]
    product: str
    form_factor: str
    architecture: str
    memory_gb: int
    memory_type: str
    dram_gb_per_s: float | None
    l2_mb: float | None
    fp32_tflops: float | None
    tf32_tflops: float | None
    bf16_tflops: float | None
    fp8_tflops: float | None
    source: str
    """Titles of the documents the figures come from, separated by semicolons."""
    gaps: dict[str, str]
    """Why a figure is null, by the figure's name: the GPU has no such unit, or no document was found."""
    infinity_cache_mb: float | None = None
    """A cache between L2 and memory (AMD); absent elsewhere."""

    @property
    def last_cache_mb(self) -> float | None:
        """The last cache before memory: only what exceeds it must come from memory. None: unknown."""
        return self.l2_mb if self.infinity_cache_mb is None else self.infinity_cache_mb


class Mode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way upstream runs a reference module, as its timing files' names say it.

    Grain: one per mode. `is_baseline` marks the mode the others of a cohort are compared with. How the public index
    spells a mode follows from its name (`transforms/manifests/naming.py`).
    """

    mode: str
    title: str
    framework: str
    language: str
    is_baseline: bool
    what: str


class Harness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of the scripts that timed, by the digest of their paths and blobs (DESIGN.md section 7).

    Grain: one per digest. None where a fact is not known; a digest that has no row is unknown altogether.
    """

    harness_digest: str
    first_seen: str
    """Date of upstream's first revision that shows it."""
    l2_cleared: bool | None
    first_trial_discarded: bool | None
    basis: str
    """What the facts rest on, in a sentence."""


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one forward pass of a reference module does, traced on torch's meta device.

    Grain: one per code digest. A multiply-add counts as two operations; bytes are those of all parameters and
    buffers, inputs and outputs, each once. All null, with the error that ended it, where tracing failed.
    """

    code_digest: str
    flops: int | None
    parameter_bytes: int | None
    input_bytes: int | None
    output_bytes: int | None
    not_traced: str | None


class Upstream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The project the timing files come from, and the terms it publishes them under."""

    note: str
    upstream: str
    licence: str
    copyright: str


class _Gpus(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    gpus: list[Gpu]


class _Modes(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    modes: list[Mode]


class _Harnesses(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    harnesses: list[Harness]


class _Hosts(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    hosts: dict[str, str]


class _Protocol(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    protocol: dict[str, object]


_T = TypeVar("_T")


def _read(name: str, shape: type[_T]) -> _T:
    return msgspec.json.decode((files(__name__) / name).read_bytes(), type=shape)


@cache
def gpus() -> dict[str, Gpu]:
    """Every GPU known by its reported hardware string, in the file's order."""
    return {gpu.hardware: gpu for gpu in _read("gpus.json", _Gpus).gpus}


@cache
def known_hardware() -> frozenset[str]:
    """The hardware strings that do not earn a run the flag `unknown_gpu`."""
    return frozenset(gpus())


@cache
def modes() -> dict[str, Mode]:
    """Every known mode by its name in upstream's file names."""
    return {mode.mode: mode for mode in _read("modes.json", _Modes).modes}


@cache
def known_modes() -> frozenset[str]:
    """The modes that do not earn a run the flag `unknown_mode`.

    Where a timing file has no host folder, the longest of them that ends its name is its mode.
    """
    return frozenset(modes())


@cache
def harnesses() -> dict[str, Harness]:
    """What is known of timing scripts, by their digest."""
    return {harness.harness_digest: harness for harness in _read("harness.json", _Harnesses).harnesses}


@cache
def hosts() -> dict[str, str]:
    """Titles of host folders; a folder that is not here is its own title."""
    return _read("hosts.json", _Hosts).hosts


@cache
def protocol() -> dict[str, object]:
    """The benchmark protocol as the public index publishes it: apiVersion, kind, metadata, spec."""
    return _read("protocol.json", _Protocol).protocol


@cache
def source() -> Upstream:
    """The upstream project with its licence and copyright notice."""
    return _read("sources.json", Upstream)


def upstream() -> str:
    """The upstream project as `owner/repo`."""
    return source().upstream


@cache
def costs() -> dict[str, Cost]:
    """Traced costs of the modules known to upstream, by the digest of their code."""
    text = (files(__name__) / "costs.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    stated = [{name: value or None for name, value in row.items()} for row in rows]
    return {cost.code_digest: cost for cost in msgspec.convert(stated, type=list[Cost], strict=False)}
