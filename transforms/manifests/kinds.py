"""The six kinds of manifest: what each holds, member by member.

Documents are made from these structures and the JSON Schemas are generated from them: this is the only place
that says what a manifest looks like. Members have the index's spelling: camel case where a name here has
underscores.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

ALGORITHM = "sha256"
LONGEST_NAME = 100

Digest = Annotated[
    str, Meta(pattern=f"^{ALGORITHM}:[0-9a-f]{{64}}$", description="SHA-256 as `sha256:` and hex digits.")
]
Name = Annotated[
    str,
    Meta(
        pattern="^[a-z0-9-]+$",
        max_length=LONGEST_NAME,
        description="For addresses: lower case, other characters as hyphens, cut to 100 characters.",
    ),
]
Size = Annotated[int, Meta(ge=0)]
Nanoseconds = Annotated[
    float,
    Meta(ge=0, description="floor(milliseconds * 1e6 + 0.5)", extra_json_schema={"type": "integer"}),
]
"""Whole numbers; as floats only where JSON has no exact integer any more (104 days)."""
Milliseconds = Annotated[float, Meta(ge=0, description="As reported.")]


class Body(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A JSON object with exactly the members written here; one that is `UNSET` is left out."""


class Metadata(Body, kw_only=True):
    """How people find a manifest; no part of its digest."""

    name: Name
    title: str


class Manifest(Body, kw_only=True):
    """What all six kinds have in common. The digest is over `apiVersion`, `kind` and `spec`."""

    api_version: Literal["kernelindex.dev/v1alpha1"] = "kernelindex.dev/v1alpha1"
    metadata: Metadata


# -- operation -------------------------------------------------------------------------------------


class Axis(Body, kw_only=True):
    """A size that has a name."""

    role: Literal["variable"] = "variable"
    type: Literal["integer"] = "integer"


class Tensor(Body, kw_only=True):
    """A tensor by its shape, sizes as numbers or names of axes, and its dtype."""

    shape: list[Size | str]
    dtype: str


class Argument(Body, kw_only=True):
    """An input or output of an operation."""

    name: str
    tensor: Tensor


class Semantics(Body, kw_only=True):
    """What is promised of the call; the index leaves determinism open."""

    mutation: Literal["none"] = "none"
    determinism: Literal["unspecified"] = "unspecified"


class Artifact(Body, kw_only=True):
    """The reference module: its digest, and where the pinned revision shows it, where that has an address."""

    digest: Digest
    uri: str | UnsetType = UNSET


class Reference(Body, kw_only=True):
    """What the operation is defined by."""

    language: Literal["python"] = "python"
    artifact: Artifact


class Operation(Body, kw_only=True):
    """What is computed: a problem module at a pinned revision, on sizes that are still names."""

    family: str
    axes: dict[str, Axis]
    inputs: list[Argument]
    outputs: list[Argument]
    semantics: Semantics
    reference: Reference


class OperationSpec(Manifest, kw_only=True):
    """What is computed. Grain: problem module at a revision."""

    kind: Literal["OperationSpec"] = "OperationSpec"
    spec: Operation


# -- workload --------------------------------------------------------------------------------------


class Scalar(Body, kw_only=True):
    """A numeric argument of the constructor that is no axis: `int32` when its value is whole, else `fp32`."""

    dtype: Literal["int32", "fp32"]
    value: int | float


class Correctness(Body, kw_only=True):
    """Timing files do not say that results were compared with anything."""

    comparator: Literal["not_asserted"] = "not_asserted"


class SizedTensor(Body, kw_only=True):
    """A tensor with every size a number."""

    shape: list[Size]
    dtype: str


class Workload(Body, kw_only=True):
    """An operation with all its sizes."""

    operation_spec_digest: Digest
    axes: dict[str, Size]
    tensors: dict[str, SizedTensor]
    correctness: Correctness
    scalars: dict[str, Scalar] | UnsetType = UNSET


class WorkloadCase(Manifest, kw_only=True):
    """What is computed, on which sizes. Grain: operation (a problem module has one set of sizes)."""

    kind: Literal["WorkloadCase"] = "WorkloadCase"
    spec: Workload


# -- implementation --------------------------------------------------------------------------------


class ProjectRevision(Body, kw_only=True):
    """The index leaves this empty for KernelBench's baselines."""


class ImplementedOperation(Body, kw_only=True):
    """The operation that an implementation computes."""

    spec_digest: Digest


class Callable(Body, kw_only=True):
    """How the implementation is called; `interface` is the mode."""

    language: Literal["python"] = "python"
    symbol: Literal["Model.forward"] = "Model.forward"
    interface: str


class Support(Body, kw_only=True):
    """Left empty by the index: a PyTorch module runs wherever PyTorch does."""

    hardware_architectures: list[str]
    dtypes: list[str]


class Source(Body, kw_only=True):
    """The module's file."""

    content_digest: Digest
    file_name: str
    size_bytes: Size


class Licensing(Body, kw_only=True):
    """The licence of the repository that holds the module."""

    declared: str
    concluded: str


class Implementation(Body, kw_only=True):
    """An operation's module run in one mode."""

    project_revision: ProjectRevision
    operation: ImplementedOperation
    callable: Callable
    support: Support
    source: Source
    licensing: Licensing


class ImplementationRevision(Manifest, kw_only=True):
    """What runs. Grain: operation and mode."""

    kind: Literal["ImplementationRevision"] = "ImplementationRevision"
    spec: Implementation


# -- environment -----------------------------------------------------------------------------------


class Hardware(Body, kw_only=True):
    """A GPU. The index takes what follows the product's name in the reported string for a form factor."""

    vendor: str | UnsetType = UNSET
    product: str | UnsetType = UNSET
    form_factor: str | UnsetType = UNSET
    architecture: str | UnsetType = UNSET


class Software(Body, kw_only=True):
    """Empty: timing files record no versions."""


class Environment(Body, kw_only=True):
    """A GPU model; the host is only in the name and title, so hosts with equal GPUs have one digest."""

    hardware: Hardware
    software: Software


class ExecutionEnvironment(Manifest, kw_only=True):
    """Where it runs. Grain: reported hardware; name and title are those of a host."""

    kind: Literal["ExecutionEnvironment"] = "ExecutionEnvironment"
    spec: Environment


# -- protocol --------------------------------------------------------------------------------------


class Harness(Body, kw_only=True):
    """The scripts that time."""

    name: str
    repository: str


class Measurement(Body, kw_only=True):
    """What is timed with, and the figure that counts."""

    timer: str
    primary_statistic: str


class Comparability(Body, kw_only=True):
    """What may be compared with what."""

    family: str
    notes: str


class Protocol(Body, kw_only=True):
    """How it is measured."""

    harness: Harness
    measurement: Measurement
    comparability: Comparability


class BenchmarkProtocol(Manifest, kw_only=True):
    """How it is measured. One document, carried as data."""

    kind: Literal["BenchmarkProtocol"] = "BenchmarkProtocol"
    spec: Protocol


# -- run -------------------------------------------------------------------------------------------


class Latency(Body, kw_only=True):
    """Of one forward pass; `confidence95` is that of the mean, its low end not below the minimum."""

    mean: Nanoseconds
    minimum: Nanoseconds
    maximum: Nanoseconds
    confidence95: Annotated[list[Nanoseconds], Meta(min_length=2, max_length=2)]


class Timing(Body, kw_only=True):
    """The figures that count."""

    samples: Annotated[int, Meta(ge=1)]
    latency_ns: Latency
    primary_statistic: Literal["mean"] = "mean"


class Metric(Body, kw_only=True):
    """A further figure: the standard deviation."""

    metric: Literal["latency"] = "latency"
    statistic: Literal["std"] = "std"
    unit: Literal["ns"] = "ns"
    value: Nanoseconds


class Metrics(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The figures as the timing file reports them, in milliseconds."""

    mean_ms: Milliseconds
    std_ms: Milliseconds
    min_ms: Milliseconds
    max_ms: Milliseconds


class SourceNative(Body, kw_only=True):
    """Where the source itself has the run: `benchmark` is the timing file under `results/timing`."""

    source: Literal["kernelbench"] = "kernelbench"
    benchmark: str
    external_id: str
    metrics: Metrics


class Run(Body, kw_only=True):
    """One set of figures, and by digest what was measured, where and how."""

    status: Literal["passed"] = "passed"
    observed_at: Annotated[
        str,
        Meta(
            pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$",
            description="Committer date of the pinned revision (UTC).",
        ),
    ]
    timing: Timing
    measurements: list[Metric]
    source_native: SourceNative
    workload_digest: Digest
    implementation_digest: Digest
    environment_digest: Digest
    protocol_digest: Digest


class BenchmarkRun(Manifest, kw_only=True):
    """What was measured. Grain: run at a revision."""

    kind: Literal["BenchmarkRun"] = "BenchmarkRun"
    spec: Run


MANIFEST_KINDS: tuple[type[Manifest], ...] = (
    OperationSpec,
    WorkloadCase,
    ImplementationRevision,
    ExecutionEnvironment,
    BenchmarkProtocol,
    BenchmarkRun,
)
