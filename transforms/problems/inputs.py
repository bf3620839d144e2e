"""The tensors that `get_inputs()` gives and the arguments that `get_init_inputs()` gives (DESIGN.md, section 6)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from transforms.problems.code import everything_in
from transforms.problems.constants import (
    LONGEST,
    DType,
    Number,
    Opaque,
    OutsideGrammar,
    Path,
    Scope,
    Tensor,
    Unknown,
    not_read,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from transforms.problems.constants import Value

_SEEDED = {"torch.rand": "fp32", "torch.randn": "fp32", "torch.randint": "int64"}
_MIXED = frozenset({"rand_mix", "randn_mix"})
"""Upstream's own generators, wherever they are imported from."""

_CASTS = {
    "half": "fp16",
    "bfloat16": "bf16",
    "float": "fp32",
    "double": "fp64",
    "int": "int32",
    "long": "int64",
    "bool": "bool",
}
_KEEPS_ALL = frozenset({"clone", "contiguous", "cpu", "cuda", "detach", "pin_memory", "requires_grad_", "tril", "triu"})
_KEEPS_FLOATS = frozenset(
    {
        *(
            "abs",
            "ceil",
            "clamp",
            "clip",
            "cos",
            "erf",
            "exp",
            "floor",
            "log",
            "log_softmax",
            "neg",
            "normalize",
        ),
        *("reciprocal", "relu", "round", "rsqrt", "sigmoid", "sign", "sin", "softmax", "softplus", "sqrt"),
        *("square", "tanh"),
    }
)
"""Functions and methods that give a tensor of the same sizes and dtype; these of a floating dtype only."""

_ELEMENTWISE = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_FLOATS = frozenset({"fp16", "bf16", "fp32", "fp64"})
_KEYWORDS = frozenset({"device", "dtype", "generator", "high", "layout", "low", "pin_memory", "requires_grad", "size"})
_NOT_STRAIGHT = (
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.Lambda),
    *(ast.Await, ast.Yield, ast.YieldFrom),
)
_STRAIGHT = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Assert, ast.Import, ast.ImportFrom, ast.Pass)


@dataclass(frozen=True)
class Function:
    """A function of the module, with everything in its body listed once."""

    definition: ast.FunctionDef
    nodes: list[ast.AST]

    def stop(self, words: str) -> OutsideGrammar:
        """Return the exception that says what about this function cannot be read."""
        return OutsideGrammar(f"line {self.definition.lineno}: {self.definition.name} {words}")


class TensorScope(Scope):
    """The names of `get_inputs()`, and how expressions over tensors are evaluated."""

    def __init__(self, module: Scope, function: Function) -> None:
        """Start from the names of the module, and name the constructor calls of the function."""
        super().__init__(_local_names(module, function), module.volatile)
        self.input_names = self._name_inputs(function)

    def call(self, node: ast.Call) -> Value:
        """Return what a constructor, a wrapper, a cast or another method of a tensor gives."""
        if self._constructor(node) is not None:
            return self._construct(node)
        if not isinstance(node.func, ast.Attribute):
            return super().call(node)
        owner = self.evaluate(node.func.value)
        if isinstance(owner, Tensor):
            return self._method(node, node.func.attr, owner)
        if isinstance(owner, Path) and owner.dotted.split(".")[0] == "torch" and node.args:
            tensor = self.evaluate(node.args[0])
            if isinstance(tensor, Tensor):
                return self._keep(node, node.func.attr, tensor, node.args[1:])
            if isinstance(tensor, Unknown):
                return tensor
        return owner if isinstance(owner, Unknown) else super().call(node)

    def member(self, node: ast.Attribute, owner: Value) -> Value:
        """Return the sizes or the dtype of a tensor."""
        if isinstance(owner, Tensor):
            known: dict[str, Value] = {"shape": owner.sizes, "dtype": DType(owner.dtype), "device": Opaque()}
            if node.attr in ("T", "mT"):
                return _transposed(node, owner, -2, -1, only_matrix=node.attr == "T")
            return known.get(node.attr, not_read(node))
        return super().member(node, owner)

    def combine(self, node: ast.stmt | ast.expr, op: ast.operator, left: Value, right: Value) -> Value:
        """Return a tensor combined with numbers, with tensors of no dimension or with itself, where its dtype stays."""
        tensors = [side for side in (left, right) if isinstance(side, Tensor)]
        if not tensors or isinstance(left, Unknown) or isinstance(right, Unknown):
            return super().combine(node, op, left, right)
        tensor = max(tensors, key=lambda side: len(side.sizes))
        other = left if tensor is right else right
        if not isinstance(op, _ELEMENTWISE) or not isinstance(other, (Tensor, Number)):
            return not_read(node)
        if isinstance(other, Tensor) and other.sizes and not _is_same_input(tensor, other):
            return Unknown("combines two tensors: which of them is the input cannot be told", node)
        return tensor if _keeps_dtype(op, tensor, other) else Unknown("changes the dtype of a tensor", node)

    def sign(self, node: ast.UnaryOp, operand: Value) -> Value:
        """Return a tensor with its sign or its bits changed, where its dtype has such."""
        if not isinstance(operand, Tensor):
            return super().sign(node, operand)
        changes_sign = isinstance(node.op, (ast.UAdd, ast.USub)) and operand.dtype != "bool"
        changes_bits = isinstance(node.op, ast.Invert) and operand.dtype not in _FLOATS
        return operand if changes_sign or changes_bits else not_read(node)

    def _constructor(self, node: ast.Call) -> str | None:
        """Return which constructor a call is of: its full dotted name."""
        function = self.dotted(node.func)
        if function in _SEEDED or (function or "").rpartition(".")[2] in _MIXED:
            return function
        return None

    def _name_inputs(self, function: Function) -> dict[ast.Call, str]:
        """Return the name of each constructor call: its variable's, or its number among all of them."""
        calls = [n for n in function.nodes if isinstance(n, ast.Call) and self._constructor(n) is not None]
        calls.sort(key=lambda call: (call.lineno, call.col_offset))
        names = {call: f"input_{number}" for number, call in enumerate(calls, start=1)}
        for variable, value in _assignments(function.definition):
            call = self._without_methods(value)
            if isinstance(call, ast.Call) and call in names:
                names[call] = variable.lower()
        return names

    def _without_methods(self, node: ast.expr) -> ast.expr:
        """Return the constructor call that a chain of methods hangs on, or what else it hangs on."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and self._constructor(node) is None:
            node = node.func.value
        return node

    def _construct(self, node: ast.Call) -> Value:
        """Return the tensor that a constructor call makes."""
        constructor = self._constructor(node) or ""
        given = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg is not None}
        if len(given) < len(node.keywords) or (constructor in _SEEDED and not given.keys() <= _KEYWORDS):
            return Unknown("has a keyword that is not read", node)
        bounds = node.args[:2] if constructor == "torch.randint" else []
        if any(isinstance(bound, ast.Starred) for bound in bounds):
            return Unknown("does not show which argument holds the sizes", node)
        arguments = node.args[len(bounds) :]
        sizes = self._sizes(node, arguments if arguments or "size" not in given else [given["size"]])
        dtype = self._dtype(given.get("dtype"), _SEEDED.get(constructor, "fp32"))
        if isinstance(sizes, Unknown):
            return sizes
        if isinstance(dtype, Unknown):
            return dtype
        return Tensor(self.input_names.get(node, ""), sizes, dtype)

    def _sizes(self, node: ast.Call, arguments: list[ast.expr]) -> tuple[Number, ...] | Unknown:
        """Return sizes that are given one by one or as one tuple or list."""
        if not arguments:
            return Unknown("has no sizes", node)
        values = list(self._items(arguments))
        if len(arguments) == 1 and len(values) == 1 and isinstance(values[0], (tuple, list)):
            values = list(values[0])
        if len(values) > LONGEST:  # of splats of splats there would be no end
            return not_read(node)
        for value in values:
            if isinstance(value, Unknown):
                return value
            if not isinstance(value, Number) or not isinstance(value.value, int) or value.value < 0:
                return Unknown("has a size that is not a whole number", node)
        return tuple(value for value in values if isinstance(value, Number))

    def _dtype(self, node: ast.expr | None, default: str) -> str | Unknown:
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return default
        value = self.evaluate(node)
        if isinstance(value, DType):
            return value.name
        return value if isinstance(value, Unknown) else Unknown("is not a dtype that is read", node)

    def _method(self, node: ast.Call, method: str, tensor: Tensor) -> Value:
        if method in _CASTS:
            return replace(tensor, dtype=_CASTS[method])
        if method == "size":
            return self._size(node, tensor)
        if method in ("to", "type", "type_as"):
            return self._convert(node, tensor)
        if method == "t" and not node.args:
            return _transposed(node, tensor, 0, 1, only_matrix=True)
        if method == "transpose":
            return self._transpose(node, tensor)
        return self._keep(node, method, tensor, node.args)

    def _size(self, node: ast.Call, tensor: Tensor) -> Value:
        """Return `x.size()`, all of them, or `x.size(1)`, one of them."""
        if not node.args and not node.keywords:
            return tensor.sizes
        index = self.evaluate(node.args[0]) if len(node.args) == 1 else None
        if not isinstance(index, Number) or not -len(tensor.sizes) <= index.value < len(tensor.sizes):
            return not_read(node)
        return Number(tensor.sizes[int(index.value)].value)

    def _transpose(self, node: ast.Call, tensor: Tensor) -> Value:
        """Return `x.transpose(0, 1)`, where the two sizes are equal."""
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        dimensions = [self.evaluate(argument) for argument in given]
        if len(dimensions) != 2 or not all(
            isinstance(one, Number) and isinstance(one.value, int) for one in dimensions
        ):
            return not_read(node)
        one, other = (int(one.value) for one in dimensions if isinstance(one, Number))
        return _transposed(node, tensor, one, other)

    def _convert(self, node: ast.Call, tensor: Tensor) -> Value:
        """Return `x.to(...)`: cast when an argument is a dtype or a tensor; a device changes nothing here."""
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            value = self.evaluate(argument)
            if isinstance(value, DType):
                tensor = replace(tensor, dtype=value.name)
            elif isinstance(value, Tensor):
                tensor = replace(tensor, dtype=value.dtype)
            elif not isinstance(value, Opaque):
                return value if isinstance(value, Unknown) else not_read(argument)
        return tensor

    def _keep(self, node: ast.Call, function: str, tensor: Tensor, others: list[ast.expr]) -> Value:
        """Return the tensor of a function or method that keeps sizes and dtype, whatever its other arguments."""
        if function not in _KEEPS_ALL and not (function in _KEEPS_FLOATS and tensor.dtype in _FLOATS):
            return not_read(node)
        for argument in [*others, *(keyword.value for keyword in node.keywords)]:
            value = self.evaluate(argument)
            if isinstance(value, Unknown):
                return value
            if not isinstance(value, (Number, Opaque)):
                return not_read(argument)
        return tensor


def read_inputs(module: Scope) -> list[Tensor]:
    """Return the tensors that `get_inputs()` gives, in their order; those of no dimension are no inputs.

    Nor is a number, a string, a boolean or None among them: it names no axis. Raises OutsideGrammar.
    """
    function = _function(module, "get_inputs", _NOT_STRAIGHT)
    scope = TensorScope(module, function)
    returned = scope.evaluate(_follow(scope, function))
    if isinstance(returned, Unknown):
        raise OutsideGrammar(str(returned))
    if not isinstance(returned, (tuple, list)):
        raise function.stop("does not return a list or a tuple")
    tensors = [_tensor(value, function) for value in returned if not isinstance(value, (Number, Opaque))]
    return [tensor for tensor in tensors if tensor.sizes]


def read_init(module: Scope) -> Iterator[tuple[ast.expr | None, Value]]:
    """Yield what `get_init_inputs()` returns: each expression with its value; no expression for a part of a splat.

    Raises OutsideGrammar.
    """
    function = _function(module, "get_init_inputs", (ast.Await, ast.Yield, ast.YieldFrom))
    scope = Scope(_local_names(module, function), module.volatile)
    returned = _follow(scope, function)
    if not isinstance(returned, (ast.Tuple, ast.List)):
        value = scope.evaluate(returned)
        if not isinstance(value, (tuple, list)):
            raise function.stop("does not return a list or a tuple")
        yield from ((None, item) for item in value)
        return
    for node in returned.elts:
        if not isinstance(node, ast.Starred):
            yield node, scope.evaluate(node)
            continue
        value = scope.evaluate(node.value)
        if isinstance(value, (tuple, list)):
            yield from ((None, item) for item in value)
        else:
            yield node, value


def _tensor(value: Value, function: Function) -> Tensor:
    if isinstance(value, Tensor):
        return value
    raise (OutsideGrammar(str(value)) if isinstance(value, Unknown) else function.stop("returns more than tensors"))


def _function(module: Scope, name: str, refused: tuple[type[ast.expr], ...]) -> Function:
    """Return a plain function of the module that has no expression of the refused kinds."""
    value = module.names.get(name)
    if not isinstance(value, ast.FunctionDef):
        raise OutsideGrammar(str(value) if isinstance(value, Unknown) else f"there is no function {name}")
    nodes = everything_in(*value.body)
    for node in nodes:
        if isinstance(node, refused):
            raise OutsideGrammar(f"line {node.lineno}: {type(node).__name__} in {name}")
    return Function(value, nodes)


def _follow(scope: Scope, function: Function) -> ast.expr:
    """Follow the statements of a function to its `return`, and give what is returned."""
    for statement in function.definition.body:
        if isinstance(statement, ast.Return) and statement.value is not None:
            return statement.value
        if isinstance(statement, _STRAIGHT):
            scope.bind(statement)
        elif not _is_harmless(statement):
            raise OutsideGrammar(f"line {statement.lineno}: {type(statement).__name__} in {function.definition.name}")
    raise function.stop("returns nothing")


def _is_harmless(statement: ast.stmt) -> bool:
    """Tell whether a statement is a docstring or seeds a generator: neither changes a tensor."""
    if not isinstance(statement, ast.Expr):
        return False
    call = statement.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return call.func.attr in ("seed", "manual_seed", "manual_seed_all")
    return isinstance(call, ast.Constant)


def _local_names(module: Scope, function: Function) -> dict[str, Value]:
    """Return the names as they are when a function starts: its own are not bound yet, whatever the module's are."""
    names: dict[str, Value] = dict(module.names)
    given = function.definition.args
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
        if argument is not None:
            names[argument.arg] = Unknown(f"{argument.arg} is an argument", argument)
    for node in function.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] = Unknown("is not bound yet", node)
    return names


def _assignments(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Yield the variables of a function with the expressions assigned to them directly, the first of `a = b = 1`."""
    for statement in function.body:
        if isinstance(statement, ast.Assign):
            yield from _pairs(statement.targets[0], statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            yield from _pairs(statement.target, statement.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for item, part in zip(target.elts, value.elts):  # noqa: B905 (strict= came with Python 3.10)
            yield from _pairs(item, part)


def _is_same_input(tensor: Tensor, other: Tensor) -> bool:
    """Tell whether two tensors are one input in two guises, as in `(x + x.T) / 2`: of one name, sizes and dtype."""
    sizes, others = ([size.value for size in one.sizes] for one in (tensor, other))
    return (tensor.name, sizes, tensor.dtype) == (other.name, others, other.dtype)


def _transposed(node: ast.expr, tensor: Tensor, one: int, other: int, *, only_matrix: bool = False) -> Value:
    """Return a tensor with two dimensions exchanged, where they are equal: it keeps its sizes and their names."""
    dimensions = len(tensor.sizes)
    known = all(-dimensions <= position < dimensions for position in (one, other))
    if not known or (only_matrix and dimensions != 2) or tensor.sizes[one].value != tensor.sizes[other].value:
        return not_read(node)
    return tensor


def _keeps_dtype(op: ast.operator, tensor: Tensor, other: Tensor | Number) -> bool:
    """Tell whether torch's promotion leaves the dtype of a tensor alone when a scalar is combined with it."""
    if tensor.dtype in _FLOATS:
        return bool(tensor.sizes) or not isinstance(other, Tensor) or other.dtype == tensor.dtype
    if tensor.dtype == "bool" or isinstance(op, (ast.Div, ast.Pow)):
        return False
    if isinstance(other, Tensor):
        return other.dtype == tensor.dtype
    return isinstance(other.value, int)
