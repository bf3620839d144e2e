"""The six manifests of a run as JSON documents, from facts alone (DESIGN.md section 8).

Each is a function of what it holds: other documents come in by their digests. `manifests` makes all six of a
run.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

import msgspec

from transforms.durations import ci95, nanoseconds
from transforms.manifests import kinds, naming
from transforms.manifests.bodies import ImplementationFacts, RunFacts, hardware_body, implementation_body, run_body
from transforms.manifests.digests import Document, digest
from transforms.manifests.facts import Pin, PinnedProblem, PinnedRun
from transforms.problems.names import family, title
from transforms.problems.reader import TensorInput
from transforms.protocol import protocol

__all__ = [
    "Digests",
    "Document",
    "digest",
    "environment",
    "implementation",
    "manifests",
    "operation",
    "protocol",
    "run",
    "workload",
]

_OUTPUT = "out"


@dataclass(frozen=True)
class Digests:
    """The documents that a run refers to."""

    workload: str
    implementation: str
    environment: str
    protocol: str


def operation(problem: PinnedProblem, pin: Pin) -> Document:
    """What a problem computes, its sizes still names. Grain: problem module at the pin.

    The output is one symbolic axis: the index does not say which shape the module returns.
    """
    tensors = {i.name: kinds.Tensor(shape=[*i.shape], dtype=i.dtype) for i in problem.inputs}
    output = kinds.Tensor(shape=[_OUTPUT], dtype="float")
    spec = kinds.Operation(
        family=family(problem.level, problem.file),
        axes={axis: kinds.Axis() for axis in (*problem.axes, _OUTPUT)},
        inputs=[kinds.Argument(name=name, tensor=tensor) for name, tensor in tensors.items()],
        outputs=[kinds.Argument(name=_OUTPUT, tensor=output)],
        semantics=kinds.Semantics(),
        reference=kinds.Reference(artifact=_artifact(problem, pin)),
    )
    metadata = kinds.Metadata(name=naming.name(*_parts(problem)), title=title(problem.file))
    return _document(kinds.OperationSpec(spec=spec, metadata=metadata))


def workload(problem: PinnedProblem, operation_digest: str) -> Document:
    """The operation on the sizes that the module declares. Grain: operation."""
    spec = kinds.Workload(
        operation_spec_digest=operation_digest,
        axes=dict(problem.axes),
        tensors={i.name: _sized(problem, i) for i in problem.inputs},
        correctness=kinds.Correctness(),
        scalars=_scalars(problem) or msgspec.UNSET,
    )
    axes = ", ".join(f"{axis}={problem.axes[axis]}" for axis in _axes_in_order(problem))
    metadata = kinds.Metadata(
        name=naming.name(*_parts(problem), "case"),
        title=naming.title(title(problem.file), axes),
    )
    return _document(kinds.WorkloadCase(spec=spec, metadata=metadata))


def implementation(problem: PinnedProblem, mode: str, operation_digest: str) -> Document:
    """The module run in one mode. Grain: operation and mode."""
    facts = ImplementationFacts(
        operation_digest=operation_digest,
        interface=naming.interface(mode),
        content_digest=problem.module_digest,
        file_name=problem.file,
        size_bytes=problem.module_size_bytes,
    )
    metadata = kinds.Metadata(
        name=naming.name(*_parts(problem), naming.external_mode(mode)),
        title=naming.title(title(problem.file), naming.mode_title(mode)),
    )
    return _document(kinds.ImplementationRevision(spec=implementation_body(facts), metadata=metadata))


def environment(host: str, hardware: str | None) -> Document:
    """A GPU behind a host. The host is in name and title only: equal GPUs have equal digests."""
    body = hardware_body(hardware)
    product = body.product.removeprefix("NVIDIA ") if body.product else "unknown GPU"
    gpu = f"{product} {body.form_factor}" if body.form_factor else product
    metadata = kinds.Metadata(
        name=naming.name(host),
        title=naming.title("KernelBench host", f"{gpu} ({naming.host_title(host)})"),
    )
    spec = kinds.Environment(hardware=body, software=kinds.Software())
    return _document(kinds.ExecutionEnvironment(spec=spec, metadata=metadata))


def run(measured: PinnedRun, digests: Digests, pin: Pin) -> Document:
    """The figures of a run, observed when the pinned revision was committed."""
    low, high = ci95(measured.mean, measured.std, measured.min, measured.num_trials)
    facts = RunFacts(
        observed_at=pin.observed,
        benchmark=pin.layout.below_timings(measured.path),
        external_id=naming.external_id(measured.host, measured.mode, measured.level, measured.file),
        samples=measured.num_trials,
        mean_ns=nanoseconds(measured.mean),
        std_ns=nanoseconds(measured.std),
        min_ns=nanoseconds(measured.min),
        max_ns=nanoseconds(measured.max),
        ci95_low_ns=nanoseconds(low),
        ci95_high_ns=nanoseconds(high),
        mean_ms=measured.mean,
        std_ms=measured.std,
        min_ms=measured.min,
        max_ms=measured.max,
        workload_digest=digests.workload,
        implementation_digest=digests.implementation,
        environment_digest=digests.environment,
        protocol_digest=digests.protocol,
    )
    problem = naming.problem_parts(measured.level, measured.file)
    metadata = kinds.Metadata(
        name=naming.name(measured.host, naming.external_mode(measured.mode), *problem),
        title=naming.title(
            title(measured.file),
            naming.mode_title(measured.mode),
            naming.host_title(measured.host),
        ),
    )
    return _document(kinds.BenchmarkRun(spec=run_body(facts), metadata=metadata))


def manifests(measured: PinnedRun, problem: PinnedProblem, pin: Pin) -> dict[str, Document]:
    """All six of a run, by `operation`, `workload`, `implementation`, `environment`, `protocol`, `run`."""
    operation_document = operation(problem, pin)
    operation_digest = digest(operation_document)
    named = {
        "workload": workload(problem, operation_digest),
        "implementation": implementation(problem, measured.mode, operation_digest),
        "environment": environment(measured.host, measured.hardware),
        "protocol": protocol(),
    }
    digests = Digests(**{name: digest(document) for name, document in named.items()})
    return {"operation": operation_document, **named, "run": run(measured, digests, pin)}


def _document(manifest: kinds.Manifest) -> Document:
    document: Document = msgspec.to_builtins(manifest)
    return document


def _parts(problem: PinnedProblem) -> tuple[str, str]:
    return naming.problem_parts(problem.level, problem.file)


def _artifact(problem: PinnedProblem, pin: Pin) -> kinds.Artifact:
    if pin.repository_url is None:
        return kinds.Artifact(digest=problem.module_digest)
    uri = f"{pin.repository_url}/blob/{pin.commit}/{quote(problem.path)}"
    return kinds.Artifact(digest=problem.module_digest, uri=uri)


def _sized(problem: PinnedProblem, tensor: TensorInput) -> kinds.SizedTensor:
    shape = [problem.axes[size] if isinstance(size, str) else size for size in tensor.shape]
    return kinds.SizedTensor(shape=shape, dtype=tensor.dtype)


def _axes_in_order(problem: PinnedProblem) -> list[str]:
    """Names of axes in the order in which the inputs first use them."""
    return list(dict.fromkeys(size for i in problem.inputs for size in i.shape if isinstance(size, str)))


def _scalars(problem: PinnedProblem) -> dict[str, kinds.Scalar]:
    return {
        scalar: kinds.Scalar(dtype="int32" if float(value).is_integer() else "fp32", value=value)
        for scalar, value in problem.scalars.items()
        if scalar not in problem.axes
    }
