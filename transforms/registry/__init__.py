"""Facts that no timing file holds: GPUs, modes, hosts, timing scripts, public lineages, the protocol, costs of modules.

Each is a JSON file in this folder (the costs: a CSV file), corrected by editing data and not code. The functions here
read a file once and give it types; a field that is unknown or missing is an error when the file is first read, not a
gap.
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

import msgspec

from transforms.registry.harness import HarnessFacts, HarnessScript, merge

__all__ = [
    "FIGURES",
    "Cost",
    "Gpu",
    "Harness",
    "HarnessFacts",
    "HarnessScript",
    "Lineage",
    "Mode",
    "ToldGpu",
    "Twins",
    "costs",
    "gpus",
    "harness_facts",
    "harness_scripts",
    "harnesses",
    "hosts",
    "known_hardware",
    "known_modes",
    "lineages",
    "modes",
    "protocol",
    "repository",
    "source",
    "told_gpu",
    "told_gpus",
    "twins",
    "upstream",
]

FIGURES = ("dram_gb_per_s", "l2_mb", "fp32_tflops", "tf32_tflops", "bf16_tflops", "fp8_tflops")
"""The datasheet figures of a GPU; each is a number, or null with its reason in `gaps`."""


class Gpu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One reported hardware string and what its maker publishes about it.

    Grain: one per string. `memory_gb` is the capacity in the maker's gigabytes, `dram_gb_per_s` is in 10^9
    bytes per second, `l2_mb` in the maker's megabytes. Arithmetic peaks are dense, never with sparsity, in
    10^12 operations per second; `fp32_tflops` is the fastest at which numbers stay FP32: of the ordinary units with
    NVIDIA, whose tensor cores round to TF32, of the matrix cores with AMD. Where a string names several builds, its
    figures are the fastest among them, so that a floor made of them is one; `note` says so.
    """

    hardware: str
    vendor: Literal["nvidia", "amd", "mthreads"]
    product: str
    form_factor: str | None
    architecture: str
    memory_gb: int | None
    memory_type: str | None
    dram_gb_per_s: float | None
    l2_mb: float | None
    fp32_tflops: float | None
    tf32_tflops: float | None
    bf16_tflops: float | None
    fp8_tflops: float | None
    source: str
    """Titles of the documents the figures come from, separated by semicolons."""
    gaps: dict[str, str]
    """Why a field is null, by its name: the GPU has no such unit, the string does not say, no document was found."""
    infinity_cache_mb: float | None = None
    """A cache between L2 and memory (AMD); absent elsewhere."""
    note: str | None = None
    """Whose figures these are, where the string names a part of a GPU or more than one."""
    also: tuple[str, ...] = ()
    """Other spellings that tools report for the same GPU."""

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


class Harness(HarnessFacts, frozen=True, kw_only=True):
    """What is known of the scripts that time, by the digest of their paths and blobs (DESIGN.md section 7).

    Grain: one per digest. A digest that has no row is put together by `harness_facts` from its scripts.
    """

    harness_digest: str
    first_seen: str
    """Day (UTC) of the first public revision that shows them."""
    scripts: dict[str, str]
    """Path -> blob."""


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


class Lineage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public lineage: the terms it publishes under, and which figures it holds that no earlier one does.

    Grain: one per lineage, the upstream project first. `figures` counts distinct entries of its timing files over all
    revisions of its main line, copies of upstream's left out; None where its history cannot be had.
    """

    source: str
    """`owner/repo`, with `//root` where its files stand below a folder."""
    url: str
    licence: str
    """SPDX name of the licence that its figures are published under; NONE where none is stated."""
    licence_file: str | None
    """Where the licence stands in the repository; None: no such file was seen."""
    copyright: str | None
    ships_in_sample: bool
    why_not: str | None
    """Why its figures do not ship in the sample; None where they do."""
    figures: int | None
    hosts: tuple[str, ...]
    hardware: tuple[str, ...]
    modes: tuple[str, ...]
    first_seen: str | None
    """Day (UTC) of its first own figures."""
    note: str


class ToldGpu(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which GPU a host folder has whose files name none that is usable. Grain: one per repository and host."""

    source: str
    """`owner/repo`: whichever root or branch of it."""
    host: str
    hardware: str
    """A string of the registry's GPUs."""
    basis: str
    """What this rests on, in a sentence."""


class Twins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Host folders that are one machine, measured once for each. Grain: one per machine."""

    source: str
    """`owner/repo`: whichever root or branch of it."""
    hosts: tuple[str, ...]
    """In the order in which they were measured."""
    basis: str
    """What this rests on, in a sentence."""


class _Gpus(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    gpus: list[Gpu]


class _Modes(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    modes: list[Mode]


class _Shown(msgspec.Struct, forbid_unknown_fields=True):
    harness_digest: str
    first_seen: str
    scripts: dict[str, str]


class _Harnesses(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    scripts: list[HarnessScript]
    harnesses: list[_Shown]


class _Hosts(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    hosts: dict[str, str]
    gpu_of: list[ToldGpu]
    twins: list[Twins]


class _Lineages(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    lineages: list[Lineage]


class _Protocol(msgspec.Struct, forbid_unknown_fields=True):
    note: str
    protocol: dict[str, object]


_T = TypeVar("_T")


def _read(name: str, shape: type[_T]) -> _T:
    return msgspec.json.decode((files(__name__) / name).read_bytes(), type=shape)


@cache
def gpus() -> dict[str, Gpu]:
    """Every GPU known by its reported hardware string, in the file's order; each spelling has a row."""
    return {
        spelling: msgspec.structs.replace(gpu, hardware=spelling)
        for gpu in _read("gpus.json", _Gpus).gpus
        for spelling in (gpu.hardware, *gpu.also)
    }


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
def harness_scripts() -> dict[str, HarnessScript]:
    """What is known of the texts of timing scripts, by their blobs."""
    return {script.blob: script for script in _harness_file().scripts}


def harness_facts(scripts: Mapping[str, str]) -> HarnessFacts:
    """What the timing scripts of one revision do together: ``path -> blob``, paths below the lineage's root."""
    return merge(scripts, harness_scripts())


@cache
def harnesses() -> dict[str, Harness]:
    """What is known of the timing scripts that public revisions show together, by their digest."""
    return {
        shown.harness_digest: Harness(
            **msgspec.structs.asdict(harness_facts(shown.scripts)), **msgspec.structs.asdict(shown)
        )
        for shown in _harness_file().harnesses
    }


@cache
def _harness_file() -> _Harnesses:
    return _read("harness.json", _Harnesses)


@cache
def hosts() -> dict[str, str]:
    """Titles of host folders; a folder that is not here is its own title."""
    return _host_file().hosts


@cache
def told_gpus() -> dict[tuple[str, str], ToldGpu]:
    """Which GPU a host folder has whose files do not say, by repository and host."""
    return {(told.source, told.host): told for told in _host_file().gpu_of}


def told_gpu(source: str, host: str) -> ToldGpu | None:
    """Which GPU this host of this lineage has, where the registry says; None: it does not."""
    return told_gpus().get((repository(source), host))


@cache
def twins() -> tuple[Twins, ...]:
    """The host folders that are one machine measured more than once."""
    return tuple(_host_file().twins)


@cache
def _host_file() -> _Hosts:
    return _read("hosts.json", _Hosts)


def repository(source: str) -> str:
    """The repository of a lineage: `owner/repo` without root (`//...`) and branch (`@...`)."""
    return source.partition("//")[0].partition("@")[0]


@cache
def protocol() -> dict[str, object]:
    """The benchmark protocol as the public index publishes it: apiVersion, kind, metadata, spec."""
    return _read("protocol.json", _Protocol).protocol


@cache
def lineages() -> dict[str, Lineage]:
    """The public lineages known, by their names, the upstream project first."""
    return {lineage.source: lineage for lineage in _read("lineages.json", _Lineages).lineages}


def source() -> Lineage:
    """The upstream project with its licence and copyright notice."""
    return next(iter(lineages().values()))


def upstream() -> str:
    """The upstream project as `owner/repo`."""
    return source().source


@cache
def costs() -> dict[str, Cost]:
    """Traced costs of the modules known to upstream, by the digest of their code."""
    text = (files(__name__) / "costs.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    stated = [{name: value or None for name, value in row.items()} for row in rows]
    return {cost.code_digest: cost for cost in msgspec.convert(stated, type=list[Cost], strict=False)}
