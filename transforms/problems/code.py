"""Whether a module is the same code, and whether it computes the same thing (DESIGN.md, section 5).

Both digests are identities, so they rest on the text and on positions in the syntax tree only. `ast.dump` and
`ast.unparse` differ between Python versions and take no part.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import tokenize
from typing import TYPE_CHECKING, Any

import rfc8785

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

INPUT_FUNCTIONS = frozenset({"get_inputs", "get_init_inputs"})

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
SIGNS = (ast.UAdd, ast.USub, ast.Invert)

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_COMPOUND = frozenset(
    getattr(ast, name)
    for name in (
        *("Module", "ClassDef", "FunctionDef", "AsyncFunctionDef", "If", "For", "AsyncFor", "While", "With"),
        *("AsyncWith", "Try", "TryStar", "ExceptHandler", "Match", "match_case"),
    )
    if hasattr(ast, name)  # Match came with Python 3.10, TryStar with 3.11
)

# A string is taken whole, so that a '#' inside it is no comment. The prefix does not matter: a backslash hides the
# quote after it in raw strings too.
_STRING_OR_COMMENT = re.compile(
    r'("""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*')"
    r"|#[^\n]*",
    re.DOTALL,
)
# The opening quote of an f-string or t-string. The search looks for quotes, which are rarer than letters.
_REPLACEMENT_FIELDS = re.compile(
    r"""["'](?:(?<=(?<!\w)[fFtT]["'])|(?<=(?<!\w)[fFtT][rR]["'])|(?<=(?<!\w)[rR][fFtT]["']))"""
)


def code_text(text: str, tree: ast.Module) -> str:
    """Return the code of a module: LF, no docstrings, no comments, no blank lines, nothing after the last sign."""
    return _joined(code_lines(text, tree))


def code_digest(text: str, tree: ast.Module) -> str:
    """Return the SHA-256 of `code_text`, as hex digits."""
    return digest_of_lines(code_lines(text, tree))


def digest_of_lines(lines: Sequence[str]) -> str:
    """Return the code digest of lines that `code_lines` made."""
    return hashlib.sha256(_joined(lines).encode()).hexdigest()


def code_lines(text: str, tree: ast.Module) -> list[str]:
    """Return the lines of a module without comments and docstrings.

    Grain: one string per line of the text, emptied rather than dropped, so that the positions of the syntax tree
    still hold. `tree` is what `ast.parse` makes of `text`.
    """
    text = unix_lines(text)
    lines = _without_comments(text).split("\n") if "#" in text else text.split("\n")
    for docstring in _docstrings(tree):
        _cut(lines, docstring)
    return list(map(str.rstrip, lines))


def compute_digest(
    lines: Sequence[str],
    tree: ast.Module,
    inputs: list[list[Any]],
    init: Sequence[int | float | str | list[int]],
) -> str:
    """Return the digest that runs of the same computation on the same shapes share.

    `lines` are those of `code_lines`; `inputs` is `[dtype, [sizes]]` each; `init` holds what the constructor gets.
    SHA-256 over RFC 8785 canonical JSON.
    """
    removed = _input_lines(tree)
    code = _joined([line for index, line in enumerate(lines) if index not in removed])
    return hashlib.sha256(rfc8785.dumps({"code": code, "inputs": inputs, "init": list(init)})).hexdigest()


def unix_lines(text: str) -> str:
    """Return the text with every line end as LF, as Python itself reads it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def everything_in(*roots: ast.AST) -> list[ast.AST]:
    """Return nodes and everything below them, in no order: what `ast.walk` yields, at a third of its cost.

    Walking is most of what reading a module takes beyond parsing it.
    """
    pending: list[Any] = list(roots)
    found: list[ast.AST] = []
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.AST):  # None and names also stand in lists
            continue
        found.append(node)
        for field in node._fields:
            if field != "ctx":
                value = getattr(node, field, None)
                if isinstance(value, list):
                    pending += value
                elif isinstance(value, ast.AST):
                    pending.append(value)
    return found


def source_of(node: ast.expr | ast.stmt, lines: Sequence[str]) -> str:
    """Return an expression as it is written, without the comments that `code_lines` has cut."""
    first, last = node.lineno - 1, _end_line(node) - 1
    if first == last:
        return _columns(lines[first], node.col_offset, node.end_col_offset)
    head = _columns(lines[first], node.col_offset, None)
    return _joined([head.rstrip(), *lines[first + 1 : last], _columns(lines[last], 0, node.end_col_offset)])


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(filter(None, lines))


def _without_comments(text: str) -> str:
    """Cut the comments out and leave every other sign where it stands."""
    if _REPLACEMENT_FIELDS.search(text):
        return _without_comments_by_tokens(text)
    return _STRING_OR_COMMENT.sub(r"\1", text)


def _without_comments_by_tokens(text: str) -> str:
    """Do the same by Python's own tokens, at ten times the cost.

    Since Python 3.12 an f-string may hold the very quote that ends it, which an expression cannot follow. Where there
    is an f-string and a '#', the tokens decide; in a text that older versions can parse both ways agree.
    """
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines)


def _docstrings(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the first statement of every module, class and function that is a plain string."""
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if type(node) not in _COMPOUND:
            continue
        if isinstance(node, _DOCUMENTED) and node.body and _is_string(node.body[0]):
            yield node.body[0]
        for block in _BLOCKS:
            pending.extend(getattr(node, block, ()))


def _is_string(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _cut(lines: list[str], node: ast.stmt) -> None:
    """Take a statement out of the lines; what stands before and after it on its lines stays."""
    first, last = node.lineno - 1, _end_line(node) - 1
    rest = _columns(lines[last], node.end_col_offset or 0, None)
    lines[first] = _columns(lines[first], 0, node.col_offset) + rest
    lines[first + 1 : last + 1] = [""] * (last - first)


def _columns(line: str, start: int, end: int | None) -> str:
    """Return part of a line; the syntax tree counts columns in bytes of UTF-8."""
    return line[start:end] if line.isascii() else line.encode()[start:end].decode()


def _end_line(node: ast.expr | ast.stmt) -> int:
    return node.lineno if node.end_lineno is None else node.end_lineno


def _input_lines(tree: ast.Module) -> set[int]:
    """Return the indices of the lines that only say which inputs there are.

    Those of `get_inputs`, `get_init_inputs` and the assignments of sizes; not a line that also holds part of another
    statement, which would make different computations equal.
    """
    removed: set[int] = set()
    kept: list[range] = []
    for statement in tree.body:
        decorators = getattr(statement, "decorator_list", None)
        first = min(statement.lineno, decorators[0].lineno) if decorators else statement.lineno
        span = range(first - 1, _end_line(statement))
        if _is_input_statement(statement):
            removed.update(span)
        else:
            kept.append(span)
    removed.difference_update(*kept)
    return removed


def _is_input_statement(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.FunctionDef):
        return statement.name in INPUT_FUNCTIONS
    if isinstance(statement, ast.Assign):
        return all(map(_is_plain_target, statement.targets)) and _is_arithmetic(statement.value)
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return isinstance(statement.target, ast.Name) and _is_arithmetic(statement.value)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ARITHMETIC):
        return isinstance(statement.target, ast.Name) and _is_arithmetic(statement.value)
    return False


def _is_plain_target(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return all(isinstance(item, ast.Name) for item in target.elts)
    return isinstance(target, ast.Name)


def _is_arithmetic(node: ast.expr) -> bool:
    """Tell whether an expression consists of numbers, names, tuples or lists of them, and arithmetic on them."""
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)  # a bool is an int to isinstance
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(map(_is_arithmetic, node.elts))
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ARITHMETIC) and _is_arithmetic(node.left) and _is_arithmetic(node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, SIGNS) and _is_arithmetic(node.operand)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Starred) and _is_arithmetic(node.value))
