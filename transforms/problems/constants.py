"""What the names of a module are bound to, as far as that can be known without running it (DESIGN.md, section 6).

The statements of a module are followed in order, as Python would run them. A name that something else may bind (an
`if`, a loop, an import, `global` in a function, a walrus) is bound to `Unknown`, which says why, and is never guessed.
"""

from __future__ import annotations

import ast
import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transforms.measures import JSON_INTEGER_LIMIT
from transforms.problems.code import ARITHMETIC, everything_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SHOWN_LENGTH = 80
LONGEST = 1000
"""A tuple longer than this is not followed: doubling one on each of forty lines would fill the memory."""

DTYPES = {
    "torch.float16": "fp16",
    "torch.half": "fp16",
    "torch.bfloat16": "bf16",
    "torch.float32": "fp32",
    "torch.float": "fp32",
    "torch.float64": "fp64",
    "torch.double": "fp64",
    "torch.int32": "int32",
    "torch.int": "int32",
    "torch.int64": "int64",
    "torch.long": "int64",
    "torch.bool": "bool",
}


class OutsideGrammar(Exception):
    """A module needs more than its text to tell what it declares; the message says which expression at which line."""


@dataclass(frozen=True)
class Unknown:
    """A value that the text does not tell: why not, and at which expression.

    Most unknown values never matter, so the words are put together only when asked for.
    """

    why: str
    node: ast.AST

    def __str__(self) -> str:
        """Say it in words, for people; no identity rests on them."""
        source = " ".join(_unparsed(self.node).split()) if isinstance(self.node, ast.expr) else ""
        shown = source if len(source) <= SHOWN_LENGTH else f"{source[:SHOWN_LENGTH]}..."
        return " ".join(filter(None, (f"line {getattr(self.node, 'lineno', 0)}:", shown, self.why)))


@dataclass(frozen=True)
class Number:
    """An integer or a fraction, with the bare name that it was written as, if any: in a shape that is an axis."""

    value: int | float
    name: str | None = None


@dataclass(frozen=True)
class Path:
    """Something imported, by its full dotted name, whatever it is called in the module."""

    dotted: str


@dataclass(frozen=True)
class DType:
    """A torch dtype by its short name, such as `fp16`."""

    name: str


@dataclass(frozen=True)
class Opaque:
    """A value that is known and is neither a size nor a tensor nor a dtype: a string, a boolean, None, a device."""


@dataclass(frozen=True)
class Tensor:
    """A tensor made by a constructor call: the name its input has, its sizes, its dtype."""

    name: str
    sizes: tuple[Number, ...]
    dtype: str


if TYPE_CHECKING:
    Value = Unknown | Number | Path | DType | Opaque | Tensor | ast.FunctionDef | tuple[Any, ...] | list[Any]
    """What an expression gives. A tuple or list of values is a tuple or list here too."""

_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_EVALUATED_BY: dict[type[ast.expr], str] = {
    ast.Attribute: "_attribute",
    ast.BinOp: "_binary",
    ast.Call: "call",
    ast.Constant: "_literal",
    ast.IfExp: "_choice",
    ast.List: "_list",
    ast.Name: "_lookup",
    ast.Subscript: "_item",
    ast.Tuple: "_tuple",
    ast.UnaryOp: "_unary",
}
_REACHES_ANY_NAME = ("globals", "exec")
_EXPONENT_LIMIT = 64


class Scope:
    """The names of a module, or of one of its functions, and how expressions over them are evaluated."""

    def __init__(self, names: dict[str, Value], volatile: Mapping[str, Unknown] | None = None) -> None:
        """Start from names already bound; `volatile` names are bound at times that the text does not tell."""
        self.names = names
        self.volatile = {} if volatile is None else volatile

    def bind(self, statement: ast.stmt) -> None:
        """Follow one statement; what it may bind otherwise than by a plain assignment becomes unknown."""
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            if statement.value is not None:  # `n: int` alone binds nothing
                self._bind_value(statement.value, _targets(statement))
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            self._bind_import(statement)
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self._bind_definition(statement)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            self._bind_augmented(statement, statement.target)
        elif not _is_idle(statement):
            self._forget(statement)

    def evaluate(self, node: ast.expr) -> Value:
        """Return what an expression gives; `Unknown` where the text does not tell."""
        method = _EVALUATED_BY.get(type(node))
        if method is None:
            return not_read(node)
        value: Value = getattr(self, method)(node)
        return value

    def combine(self, node: ast.stmt | ast.expr, op: ast.operator, left: Value, right: Value) -> Value:
        """Return the result of arithmetic on two numbers, or of joining two tuples or two lists.

        A list multiplied by a number stays unread: it is no tuple of sizes (upstream's level3/3 is the case).
        """
        for side in (left, right):
            if isinstance(side, Unknown):
                return side
        if isinstance(left, Number) and isinstance(right, Number) and isinstance(op, ARITHMETIC):
            return _number(node, _OPERATIONS[type(op)], left.value, right.value)
        if isinstance(op, ast.Add):
            if isinstance(left, tuple) and isinstance(right, tuple):
                return _bounded(node, left + right)
            if isinstance(left, list) and isinstance(right, list):
                return _bounded(node, left + right)
        return not_read(node)

    def sign(self, node: ast.UnaryOp, operand: Value) -> Value:
        """Return a number with its sign changed."""
        if isinstance(operand, Number) and type(node.op) in _SIGNS:
            return _number(node, _SIGNS[type(node.op)], operand.value)
        return operand if isinstance(operand, Unknown) else not_read(node)

    def member(self, node: ast.Attribute, owner: Value) -> Value:
        """Return a dtype of torch, or what else an imported module holds by its full name."""
        if isinstance(owner, Path):
            dotted = f"{owner.dotted}.{node.attr}"
            return DType(DTYPES[dotted]) if dotted in DTYPES else Path(dotted)
        return owner if isinstance(owner, Unknown) else not_read(node)

    def call(self, node: ast.Call) -> Value:
        """Return a device; no other call is known at module level."""
        return Opaque() if self.dotted(node.func) == "torch.device" else not_read(node)

    def dotted(self, node: ast.expr) -> str | None:
        """Return the full name of something imported, when a name or a chain of attributes is that."""
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            return None if owner is None else f"{owner}.{node.attr}"
        value = self.names.get(node.id) if isinstance(node, ast.Name) else None
        return value.dotted if isinstance(value, Path) else None

    def _binary(self, node: ast.BinOp) -> Value:
        return self.combine(node, node.op, self.evaluate(node.left), self.evaluate(node.right))

    def _attribute(self, node: ast.Attribute) -> Value:
        return self.member(node, self.evaluate(node.value))

    def _unary(self, node: ast.UnaryOp) -> Value:
        return self.sign(node, self.evaluate(node.operand))

    def _choice(self, node: ast.IfExp) -> Value:
        """Return either of two values that are alike to a reader, as in `"cuda" if ... else "cpu"`."""
        either, other = self.evaluate(node.body), self.evaluate(node.orelse)
        return Opaque() if isinstance(either, Opaque) and isinstance(other, Opaque) else not_read(node)

    def _tuple(self, node: ast.Tuple) -> Value:
        return _bounded(node, tuple(self._items(node.elts)))

    def _list(self, node: ast.List) -> Value:
        return _bounded(node, list(self._items(node.elts)))

    def _literal(self, node: ast.Constant) -> Value:
        if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return _number(node, operator.pos, node.value)
        return Opaque()

    def _lookup(self, node: ast.Name) -> Value:
        value = self.names.get(node.id)
        if isinstance(value, Number):
            return Number(value.value, node.id)
        if value is None:
            return Unknown("is not bound by a plain assignment", node)
        return value

    def _items(self, nodes: list[ast.expr]) -> Iterator[Value]:
        for node in nodes:
            if not isinstance(node, ast.Starred):
                yield self.evaluate(node)
                continue
            value = self.evaluate(node.value)
            if isinstance(value, (tuple, list)):
                yield from value
            else:
                yield value if isinstance(value, Unknown) else not_read(node)

    def _item(self, node: ast.Subscript) -> Value:
        """Return one item of a tuple or list; a number loses its name, for it is not written as a bare name."""
        owner, index = self.evaluate(node.value), self.evaluate(node.slice)
        for part in (owner, index):
            if isinstance(part, Unknown):
                return part
        if not (isinstance(owner, (tuple, list)) and isinstance(index, Number) and isinstance(index.value, int)):
            return not_read(node)
        if not -len(owner) <= index.value < len(owner):
            return not_read(node)
        item: Value = owner[index.value]
        return Number(item.value) if isinstance(item, Number) else item

    def _bind_value(self, node: ast.expr, targets: list[ast.expr]) -> None:
        value = self.evaluate(node)
        if not _is_numeric(value) and _calls_something(node):  # `last = sizes.pop()` changes what it mentions
            self._forget_lists_used_in(node)
        for target in targets:
            self._bind_target(target, value)

    def _bind_target(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._set(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)) and _fits(target, value):
            for item, part in zip(target.elts, value):  # type: ignore[arg-type]  # noqa: B905 (strict= is 3.10)
                self._bind_target(item, part)
        else:
            self._forget(target)

    def _bind_augmented(self, statement: ast.AugAssign, target: ast.Name) -> None:
        before = self.names.get(target.id, Unknown(f"{target.id} is not bound before it is changed", statement))
        after = self.combine(statement, statement.op, before, self.evaluate(statement.value))
        self._forget_lists_used_in(statement)  # changed in place, under whatever other names it has
        self._set(target.id, after)

    def _bind_definition(self, definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        if isinstance(definition, ast.FunctionDef) and not definition.decorator_list:
            self._set(definition.name, definition)
        else:
            self._set(definition.name, Unknown(f"{definition.name} is no plain function", definition))

    def _bind_import(self, statement: ast.Import | ast.ImportFrom) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                root = alias.name.partition(".")[0]
                self._set(alias.asname or root, Path(alias.name if alias.asname else root))
            return
        for alias in statement.names:
            if alias.name == "*":
                self.forget_all(Unknown("may bind any name again", statement))
            else:
                self._set(alias.asname or alias.name, Path(f"{statement.module or ''}.{alias.name}"))

    def _set(self, name: str, value: Value) -> None:
        self.names[name] = self.volatile.get(name, value)

    def _forget(self, statement: ast.AST) -> None:
        """Make unknown every name that a statement may bind, and the lists that it mentions and so may change."""
        for name in _names_bound_in(statement):
            self._set(name, Unknown(f"{name} is bound here in a way that is not followed", statement))
        self._forget_lists_used_in(statement)

    def _forget_lists_used_in(self, node: ast.AST) -> None:
        """Make every list unknown when one is mentioned: they may be one list under several names."""
        if not any(isinstance(self.names.get(name), list) for name in _names_used_in(node)):
            return
        for name, value in self.names.items():
            if isinstance(value, list):
                self.names[name] = Unknown(f"the list {name} may have been changed here", node)

    def forget_all(self, unknown: Unknown) -> None:
        """Make every name unknown, for one reason."""
        self.names.update({name: unknown for name in self.names if name != "torch"})


def module_scope(text: str, tree: ast.Module) -> Scope:
    """Return the names of a module once it has been imported.

    A module that mentions `torch` without importing it means torch. `globals()` and `exec()` put every name in doubt.
    """
    scope = Scope({"torch": Path("torch")}, _volatile_names(text, tree))
    for statement in tree.body:
        scope.bind(statement)
    reach = _reach_for_any_name(text, tree)
    if reach is not None:
        scope.forget_all(reach)
    return scope


def _unparsed(node: ast.expr) -> str:
    """Return an expression as text; nothing where Python does not write it out: a number of thousands of digits."""
    try:
        return ast.unparse(node)
    except ValueError:
        return ""


def not_read(node: ast.AST) -> Unknown:
    """Return the unknown value of an expression that the grammar does not hold."""
    return Unknown("is not read", node)


def _number(node: ast.AST, operation: Callable[..., Any], *values: float) -> Number | Unknown:
    """Return the result of an operation on numbers, unless JSON could not write it or it has none."""
    if operation in (operator.pow, operator.lshift) and abs(values[1]) > _EXPONENT_LIMIT:
        return not_read(node)  # before it is computed: 9**9**9 would never end
    try:
        result = operation(*values)
        # Nothing is counted beyond what canonical JSON can write.
        writable = abs(result) <= JSON_INTEGER_LIMIT if isinstance(result, int) else math.isfinite(result)
    except (ArithmeticError, TypeError, ValueError):
        return not_read(node)
    return Number(result) if writable else not_read(node)


def _bounded(node: ast.AST, values: tuple[Any, ...] | list[Any]) -> Value:
    return values if len(values) <= LONGEST else not_read(node)


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def _fits(target: ast.Tuple | ast.List, value: Value) -> bool:
    """Tell whether a value can be unpacked into a target, name by name."""
    return (
        isinstance(value, (tuple, list))
        and len(value) == len(target.elts)
        and not any(isinstance(item, ast.Starred) for item in target.elts)
    )


def _is_idle(statement: ast.stmt) -> bool:
    """Tell whether a statement binds and changes nothing: `pass`, a docstring."""
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _names_bound_in(statement: ast.AST) -> Iterator[str]:
    """Yield every name that a statement, or anything in it, may bind or delete."""
    for node in everything_in(statement):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        else:  # a def, a class, `except ... as name`, `case name`, `case [*name]`, `case {**rest}`
            for field in ("name", "rest"):
                name = getattr(node, field, None)
                if isinstance(name, str):
                    yield name


def _names_used_in(statement: ast.AST) -> Iterator[str]:
    return (node.id for node in everything_in(statement) if isinstance(node, ast.Name))


def _is_numeric(value: Value) -> bool:
    """Tell whether a value is a number or consists of numbers, so that no call had a part in it."""
    if isinstance(value, (tuple, list)):
        return all(isinstance(item, Number) for item in value)
    return isinstance(value, Number)


def _calls_something(node: ast.expr) -> bool:
    if isinstance(node, (ast.Constant, ast.Name)):
        return False
    return any(isinstance(part, ast.Call) for part in everything_in(node))


def _volatile_names(text: str, tree: ast.Module) -> dict[str, Unknown]:
    """Return the names that are bound from inside a function or an expression, at a time that cannot be known."""
    volatile: dict[str, Unknown] = {}
    if "global" not in text and ":=" not in text:
        return volatile
    for node in everything_in(tree):
        names = node.names if isinstance(node, ast.Global) else []
        if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        volatile.update({name: Unknown(f"{name} may be bound here at any time", node) for name in names})
    return volatile


def _reach_for_any_name(text: str, tree: ast.Module) -> Unknown | None:
    """Return the place where `globals` or `exec` is mentioned, which puts every name in doubt."""
    if not any(name in text for name in _REACHES_ANY_NAME):
        return None
    for node in everything_in(tree):
        if isinstance(node, ast.Name) and node.id in _REACHES_ANY_NAME:
            return Unknown("may bind any name", node)
    return None
