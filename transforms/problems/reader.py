"""One problem module: from its bytes to what it declares (DESIGN.md, sections 5 and 6). Nothing is executed."""

from __future__ import annotations

import ast
import hashlib
import re
import threading
import tokenize
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from transforms.problems.code import code_lines, compute_digest, digest_of_lines, source_of, unix_lines
from transforms.problems.constants import SHOWN_LENGTH, Number, OutsideGrammar, module_scope
from transforms.problems.inputs import read_init, read_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transforms.problems.constants import Tensor, Value

_DEFAULT_DTYPE = re.compile(r"\bset_default_(?:dtype|tensor_type)\b")
_WARNING_FILTERS = threading.Lock()
LARGEST_MODULE = 1024 * 1024
"""Bytes: parsing takes some two hundred times as many; the largest of upstream's has fewer than twenty thousand."""


@dataclass(frozen=True)
class TensorInput:
    """One tensor given to the model; a size is a whole number or the name of an axis."""

    name: str
    shape: tuple[int | str, ...]
    dtype: str


@dataclass(frozen=True)
class Problem:
    """The workload that a module declares.

    `init` holds what the constructor gets: numbers, lists of sizes, and for anything else its source text.
    """

    inputs: tuple[TensorInput, ...]
    axes: dict[str, int]
    scalars: dict[str, int | float]
    init: list[int | float | str | list[int]]
    compute_digest: str

    def as_json(self) -> dict[str, Any]:
        """Return the workload as plain lists and dictionaries, keys as in the field names."""
        return {
            "inputs": [{"name": i.name, "shape": list(i.shape), "dtype": i.dtype} for i in self.inputs],
            "axes": dict(self.axes),
            "scalars": dict(self.scalars),
            "init": [list(value) if isinstance(value, list) else value for value in self.init],
            "compute_digest": self.compute_digest,
        }


@dataclass(frozen=True)
class ModuleReading:
    """What came of reading one module.

    `code_digest` is None only where the bytes are not UTF-8 or not Python. `problem` is None exactly where `reason` is
    not: `not_text`, `not_python`, `outside_grammar` or `reader_failed`; `detail` then says in words which expression at
    which line, or what failed.
    """

    level: str
    file: str
    sha256: str
    size_bytes: int
    code_digest: str | None = None
    problem: Problem | None = None
    reason: str | None = None
    detail: str | None = None


def read_module(data: bytes, level: str, file: str) -> ModuleReading:
    """Read one problem module. Never raises on account of the bytes: what cannot be read has a reason."""
    reading = ModuleReading(level, file, hashlib.sha256(data).hexdigest(), len(data))
    if len(data) > LARGEST_MODULE:
        return replace(reading, reason="reader_failed", detail=f"{len(data)} bytes; at most {LARGEST_MODULE} are read")
    try:
        text = unix_lines(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return replace(reading, reason="not_text", detail=str(error))
    try:
        tree = _parse(text)
        lines = code_lines(text, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        return replace(reading, reason="not_python", detail=str(error) or type(error).__name__)
    return _with_problem(replace(reading, code_digest=digest_of_lines(lines)), text, tree, lines)


def _with_problem(reading: ModuleReading, text: str, tree: ast.Module, lines: Sequence[str]) -> ModuleReading:
    try:
        return replace(reading, problem=_read_problem(text, tree, lines))
    except OutsideGrammar as error:
        return replace(reading, reason="outside_grammar", detail=str(error))
    except RecursionError:
        return replace(reading, reason="outside_grammar", detail="an expression is nested too deeply")
    except Exception as error:  # a module of a stranger's must not end an ingest, whatever was not thought of here
        return replace(reading, reason="reader_failed", detail=f"{type(error).__name__}: {error}"[:SHOWN_LENGTH])


def _parse(text: str) -> ast.Module:
    """Parse a module without the warnings that Python 3.12 and later have about odd escapes.

    They would go to the terminal of whoever ingests, or be errors under `-W error`. The filters are global: one thread
    at a time may change them.
    """
    if "\\" not in text:
        return ast.parse(text)
    with _WARNING_FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _read_problem(text: str, tree: ast.Module, lines: Sequence[str]) -> Problem:
    """Return the workload of a parsed module; raise OutsideGrammar where its text does not tell it."""
    if _DEFAULT_DTYPE.search(text) and any(map(_DEFAULT_DTYPE.search, lines)):
        raise OutsideGrammar("torch's default dtype is changed: a plain rand() may be other than fp32")
    scope = module_scope(text, tree)
    tensors = read_inputs(scope)
    arguments = list(read_init(scope))
    init = [_init_value(node, value, lines) for node, value in arguments]
    sizes = [[tensor.dtype, [size.value for size in tensor.sizes]] for tensor in tensors]
    return Problem(
        inputs=_inputs(tensors),
        axes=_axes(tensors),
        scalars=_scalars(arguments),
        init=init,
        compute_digest=compute_digest(lines, tree, sizes, init),
    )


def _inputs(tensors: Sequence[Tensor]) -> tuple[TensorInput, ...]:
    """Return the tensors with their axes by name. A manifest holds them by name, so that must tell them apart."""
    names = [tensor.name for tensor in tensors]
    for name in names:
        if names.count(name) > 1:
            raise OutsideGrammar(f"two inputs are called {name}")
    return tuple(
        TensorInput(
            tensor.name,
            tuple(int(size.value) if size.name is None else size.name.lower() for size in tensor.sizes),
            tensor.dtype,
        )
        for tensor in tensors
    )


def _axes(tensors: Sequence[Tensor]) -> dict[str, int]:
    axes: dict[str, int] = {}
    for tensor in tensors:
        for size in tensor.sizes:
            if size.name is not None:
                _add(axes, size.name.lower(), int(size.value), "axis")
    return axes


def _scalars(arguments: Sequence[tuple[ast.expr | None, Value]]) -> dict[str, int | float]:
    """Return the arguments of the constructor that are given as bare names of numbers."""
    scalars: dict[str, int | float] = {}
    for node, value in arguments:
        if isinstance(node, ast.Name) and isinstance(value, Number):
            _add(scalars, node.id.lower(), value.value, "scalar")
    return scalars


def _add(values: dict[str, Any], name: str, value: float, kind: str) -> None:
    if values.setdefault(name, value) != value:
        raise OutsideGrammar(f"the {kind} {name} has two values: {values[name]} and {value}")


def _init_value(node: ast.expr | None, value: Value, lines: Sequence[str]) -> int | float | str | list[int]:
    """Return a number, a list of sizes, or else the source text."""
    if isinstance(value, Number):
        return value.value
    if isinstance(value, (tuple, list)) and all(_is_size(item) for item in value):
        return [item.value for item in value]
    if node is None:
        raise OutsideGrammar("get_init_inputs returns parts of a list that are neither numbers nor sizes")
    return source_of(node, lines)


def _is_size(value: object) -> bool:
    return isinstance(value, Number) and isinstance(value.value, int)
