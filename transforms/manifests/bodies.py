"""The bodies that more than one module makes: where each fact stands in them.

Of implementations and runs there are many per revision: one definition for single documents (`documents`) and for
whole columns of digests (`interop`).
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from transforms.manifests import kinds
from transforms.registry import gpus, source

_VENDORS = ("nvidia", "amd")


@dataclass(frozen=True)
class ImplementationFacts:
    """Everything that differs between the bodies of two implementations, as it is written there."""

    operation_digest: str
    interface: str
    content_digest: str
    file_name: str
    size_bytes: int


@dataclass(frozen=True)
class RunFacts:
    """Everything that differs between the bodies of two runs, as it is written there."""

    observed_at: str
    benchmark: str
    external_id: str
    samples: int
    mean_ns: float
    std_ns: float
    min_ns: float
    max_ns: float
    ci95_low_ns: float
    ci95_high_ns: float
    mean_ms: float
    std_ms: float
    min_ms: float
    max_ms: float
    workload_digest: str
    implementation_digest: str
    environment_digest: str
    protocol_digest: str


def implementation_body(facts: ImplementationFacts) -> kinds.Implementation:
    """The body of an implementation; its licence is that of the upstream project."""
    licence = source().licence
    return kinds.Implementation(
        project_revision=kinds.ProjectRevision(),
        operation=kinds.ImplementedOperation(spec_digest=facts.operation_digest),
        callable=kinds.Callable(interface=facts.interface),
        support=kinds.Support(hardware_architectures=[], dtypes=[]),
        source=kinds.Source(
            content_digest=facts.content_digest,
            file_name=facts.file_name,
            size_bytes=facts.size_bytes,
        ),
        licensing=kinds.Licensing(declared=licence, concluded=licence),
    )


def hardware_body(reported: str | None) -> kinds.Hardware:
    """The body of a GPU, by the string that timing files report.

    The index takes what follows the product's name there for a form factor (`80GB HBM3`), whatever the registry knows
    of it; old cards say Tesla, or nothing, where the
    product says NVIDIA. A string that the registry does not know is a product.
    """
    if reported is None:
        return kinds.Hardware()
    gpu = gpus().get(reported)
    if gpu is None:
        vendor = reported.partition(" ")[0].lower()
        return kinds.Hardware(product=reported, vendor=vendor if vendor in _VENDORS else UNSET)
    named = reported.replace("Tesla ", "NVIDIA ").replace(" / ", "/")
    if gpu.product.startswith("NVIDIA ") and not named.startswith("NVIDIA "):
        named = f"NVIDIA {named}"
    form_factor = named.removeprefix(gpu.product).lstrip(" -") if named.startswith(gpu.product) else ""
    return kinds.Hardware(
        vendor=gpu.vendor, product=gpu.product, architecture=gpu.architecture, form_factor=form_factor or UNSET
    )


def run_body(facts: RunFacts) -> kinds.Run:
    """The body of a run."""
    latency = kinds.Latency(
        mean=facts.mean_ns,
        minimum=facts.min_ns,
        maximum=facts.max_ns,
        confidence95=[facts.ci95_low_ns, facts.ci95_high_ns],
    )
    metrics = kinds.Metrics(
        mean_ms=facts.mean_ms,
        std_ms=facts.std_ms,
        min_ms=facts.min_ms,
        max_ms=facts.max_ms,
    )
    return kinds.Run(
        observed_at=facts.observed_at,
        timing=kinds.Timing(samples=facts.samples, latency_ns=latency),
        measurements=[kinds.Metric(value=facts.std_ns)],
        source_native=kinds.SourceNative(
            benchmark=facts.benchmark,
            external_id=facts.external_id,
            metrics=metrics,
        ),
        workload_digest=facts.workload_digest,
        implementation_digest=facts.implementation_digest,
        environment_digest=facts.environment_digest,
        protocol_digest=facts.protocol_digest,
    )
