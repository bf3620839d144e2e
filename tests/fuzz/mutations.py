"""How good bytes are made bad, and how often: ``make test-slow`` asks for more examples than the suite."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "300"))
"""Of each fuzz test."""

fuzzed = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
"""The same examples in every run, so that a failure of today is one of tomorrow."""

LONGEST_S = 2.0
"""Seconds of processor time that one example may take: a busy machine makes no test fail."""


@contextmanager
def in_time() -> Iterator[None]:
    """Nothing inside takes longer than an example may."""
    began = time.process_time()
    yield
    assert time.process_time() - began < LONGEST_S


_WORDS = st.sampled_from(
    [
        *(b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-0", b"1e-400", b"9" * 400, b"0." + b"3" * 400, b"1e18"),
        *(b"9223372036854775807", b"9223372036854775808", b"9007199254740993", b"-1", b"0", b"1.0", b"1e2", b"[]"),
        *(b"{}", b'""', b'"\\ud800"', b'"\\u0000"', b"\xff", b"\x00", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\r\n", b"\\"),
        *(b"[" * 200, b'{"a":' * 200, b'"unit":"us",', b'"unit":"parsec",', b'"precision":"bf16",', b'"median":1.4,'),
        *(
            b'"error":"x",',
            b'"status":"failed",',
            b'"mean":1.5,',
            b'"level1":{},',
            b'"19_ReLU.py":null,',
            b":",
            b",",
            b'"',
        ),
        *(
            b"lambda: 0",
            b"0x" + b"f" * 5000,
            b"**",
            b"*x.shape",
            b"'''",
            b"\t",
            b"# -*- coding: utf-16 -*-\n",
            b"(" * 300,
        ),
    ]
)
"""What hostile and broken files are full of."""


@st.composite
def mutated(draw: st.DrawFn, good: bytes, at_most: int = 4) -> bytes:
    """``good`` after a few cuts, copies, insertions and changed bytes."""
    data = good
    for _ in range(draw(st.integers(1, at_most))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 40)))
        kind = draw(st.sampled_from(["put in", "replace", "cut", "copy", "byte", "truncate"]))
        part = data[start:end]
        if kind == "put in":
            data = data[:start] + draw(_WORDS) + data[start:]
        elif kind == "replace":
            data = data[:start] + draw(_WORDS) + data[end:]
        elif kind == "cut":
            data = data[:start] + data[end:]
        elif kind == "copy":
            to = draw(st.integers(0, len(data)))
            data = data[:to] + part + data[to:]
        elif kind == "byte":
            data = data[:start] + draw(st.binary(min_size=1, max_size=1)) + data[start + 1 :]
        else:
            data = data[:start]
    return data


@st.composite
def exchanged(draw: st.DrawFn, good: bytes) -> bytes:
    """``good`` with some of its words, numbers and strings exchanged for others: more often still JSON, or Python."""
    import re

    tokens = re.split(rb'("[^"]*"|[\w.+-]+)', good)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, (len(tokens) - 1) // 2 - 1)) * 2 + 1
        tokens[at] = draw(st.one_of(_WORDS, st.sampled_from(tokens[1::2])))
    return b"".join(tokens)


def hostile(good: bytes) -> st.SearchStrategy[bytes]:
    """Bytes that once were ``good``."""
    return st.one_of(mutated(good), exchanged(good))
