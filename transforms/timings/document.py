"""A timing file as it is written: JSON that keeps repeated keys, the digits of numbers, and NaN."""

import codecs
import json
import math
import re
from collections.abc import Iterator
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder

from transforms.measures import JSON_INTEGER_LIMIT

__all__ = [
    "BOM",
    "LARGEST_FILE",
    "FileRefused",
    "Number",
    "Pairs",
    "Value",
    "compact",
    "excerpt",
    "is_level",
    "kind",
    "names_twice",
    "parse",
    "plain",
    "printable",
    "read_document",
    "strings",
    "without_mark",
]

BOM = codecs.BOM_UTF8
LARGEST_FILE = 16 * 1024 * 1024
DEEPEST = 100
EXCERPT = 200


class Number(str):
    """A number as it is written: digits kept, NaN and Infinity included."""

    __slots__ = ()

    @property
    def is_integer(self) -> bool:
        """Whether it is written as a whole number, without point or exponent."""
        return self.removeprefix("-").isdecimal()


class Pairs(tuple[tuple[str, "Value"], ...]):
    """An object as it is written: keys in their order, those that stand twice twice."""

    __slots__ = ()


Value = None | bool | str | list["Value"] | Pairs
"""Any JSON value; a Number is a str, an object a Pairs."""

_DECODER = JSONDecoder(object_pairs_hook=Pairs, parse_float=Number, parse_int=Number, parse_constant=Number)


class FileRefused(Exception):
    """A file of which no entry can be trusted, with a reason of DESIGN section 4."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def read_document(data: bytes) -> Pairs:
    """The top level of a timing file, which has at least one level, each an object. FileRefused otherwise."""
    if len(data) > LARGEST_FILE:
        raise FileRefused("too_large", f"{len(data)} bytes, more than {LARGEST_FILE}")
    top = parse(_text(data))
    if not isinstance(top, Pairs):
        raise FileRefused("unexpected_shape", f"the top level is {kind(top)}, not an object")
    if not top:
        raise FileRefused("empty", "an object without keys")
    levels = [(key, value) for key, value in top if is_level(key)]
    if not levels:
        raise FileRefused("unexpected_shape", "no key starts with 'level'")
    for key, value in levels:
        if not isinstance(value, Pairs):
            raise FileRefused("unexpected_shape", f"{printable(key)[:EXCERPT]} is {kind(value)}, not an object")
    return top


def is_level(key: str) -> bool:
    """Whether a key of the top level holds entries."""
    return key.startswith("level")


def without_mark(data: bytes) -> bytes:
    """The bytes after the byte order mark, if there is one."""
    return data.removeprefix(BOM)


def _text(data: bytes) -> str:
    try:
        text = without_mark(data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileRefused("not_text", f"not UTF-8: {error.reason} at byte {error.start}") from None
    if not text:
        raise FileRefused("empty", "no bytes")
    return text


def parse(text: str) -> Value:
    """The value that a JSON text holds. FileRefused when it is not JSON, or nested deeper than is read."""
    # Before parsing: a parser that recurses must not be led deeper than its stack.
    if _is_deep(text):
        raise FileRefused("not_json", f"nested deeper than {DEEPEST} levels")
    try:
        value: Value = _DECODER.decode(text)
    except JSONDecodeError as error:
        raise FileRefused("not_json", str(error)) from None
    return value


# The closing quote is optional: a text that ends inside a string is then still passed over only once.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_NOT_A_BRACKET = re.compile(r"[^\[\]{}]+")


def _is_deep(text: str) -> bool:
    if text.count("{") + text.count("[") <= DEEPEST:
        return False
    brackets = _NOT_A_BRACKET.sub("", _STRING.sub("", text))
    return any(depth > DEEPEST for depth in accumulate(1 if b in "[{" else -1 for b in brackets))


def kind(value: Value) -> str:
    """What JSON calls a value, with its article."""
    if isinstance(value, Pairs):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, Number):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "null" if value is None else "a boolean"


def compact(value: Value) -> str:
    """The JSON text of a value without spaces: numbers, NaN and repeated keys as they are written."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{_quoted(key)}:{compact(item)}" for key, item in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return _quoted(value)


def _quoted(scalar: str | bool | None) -> str:
    return printable(json.dumps(scalar, ensure_ascii=False))


def printable(text: str) -> str:
    """The text with lone surrogates, which UTF-8 and Arrow cannot hold, as the escapes they were written as."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def excerpt(data: bytes) -> str | None:
    """The first characters of a file, or None when they are not text."""
    # An incremental decoder passes over a character cut in two at the end.
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(without_mark(data)[: 4 * EXCERPT])[:EXCERPT]
    except UnicodeDecodeError:
        return None


def strings(value: Value) -> Iterator[str]:
    """Every key and string of a value, at every depth."""
    if isinstance(value, Pairs):
        for key, item in value:
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield value


def names_twice(value: Value) -> str | None:
    """A key that stands twice in one object, at any depth, in quotes."""
    if isinstance(value, Pairs):
        seen: set[str] = set()
        for key, item in value:
            if key in seen:
                return _quoted(key)
            seen.add(key)
            if inner := names_twice(item):
                return inner
    elif isinstance(value, list):
        return next(filter(None, map(names_twice, value)), None)
    return None


def plain(value: Value) -> object:
    """A value that names nothing twice, as dicts, lists and numbers, ready for canonical JSON (RFC 8785).

    A number that no double holds (NaN, an infinity, a whole number past 2^53) stays a string of what is written.
    """
    if isinstance(value, Number):
        return _plain_number(value)
    if isinstance(value, Pairs):
        return {key: plain(item) for key, item in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def _plain_number(number: Number) -> int | float | str:
    figure = float(number)
    if not math.isfinite(figure) or (number.is_integer and abs(figure) > JSON_INTEGER_LIMIT):
        return str(number)
    return int(number) if number.is_integer else figure
