"""The facts of a problem module, for a source that states them without carrying the module (DESIGN.md section 14)."""

from __future__ import annotations

import msgspec

from transforms.problems.reader import ModuleReading, Problem, TensorInput


class StatedInput(msgspec.Struct, frozen=True):
    """One input of a stated module."""

    name: str
    shape: list[int | str]
    dtype: str


class StatedModule(msgspec.Struct, frozen=True):
    """What reading one module would give. ``compute_digest`` null: the module is outside the grammar."""

    sha256: str
    size_bytes: int
    code_digest: str | None
    compute_digest: str | None
    inputs: list[StatedInput] = []
    axes: dict[str, int] = {}
    scalars: dict[str, int | float] = {}
    init: list[int | float | str | list[int]] = []
    reason: str | None = None
    detail: str | None = None


def read_stated_module(data: bytes, level: str, file: str) -> ModuleReading:
    """The reading that the module's own bytes would have given."""
    facts = msgspec.json.decode(data, type=StatedModule)
    problem = None
    if facts.compute_digest is not None:
        problem = Problem(
            inputs=tuple(TensorInput(i.name, tuple(i.shape), i.dtype) for i in facts.inputs),
            axes=facts.axes,
            scalars=facts.scalars,
            init=facts.init,
            compute_digest=facts.compute_digest,
        )
    return ModuleReading(
        level=level,
        file=file,
        sha256=facts.sha256,
        size_bytes=facts.size_bytes,
        code_digest=facts.code_digest,
        problem=problem,
        reason=facts.reason,
        detail=facts.detail,
    )
