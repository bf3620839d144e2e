"""Of a GitHub whose answers were mutated, a source is read right or refused in one line, in time."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import urllib3
from hypothesis import given
from hypothesis import strategies as st
from requests.adapters import HTTPAdapter

from flows.sources.github import GitHubSource, Patience, transfers
from flows.sources.interface import SourceError
from tests.flows.sources.github.everything import Everything, everything, everything_by_git
from tests.fuzz.mutations import fuzzed, hostile, in_time
from tests.github import Clock, GitHub, Request
from tests.github.server import Reply
from tests.histories import COMPILED, LAB, GitHistory, module, module_path, timing_path, timings
from warehouse.landing import git_blob_id

Target = tuple[str, str]
"""Role and target of a request."""


@dataclass
class Served(HTTPAdapter):
    """The answers of a good GitHub, without a wire between; some of them replaced."""

    github: GitHub
    good: dict[Target, Reply] = field(default_factory=dict)
    asked: dict[Target, Reply] = field(default_factory=dict)
    """What a reading without a lie asks for."""
    bad: dict[Target, Reply] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def send(self, request: requests.PreparedRequest, *_: object, **__: object) -> requests.Response:
        parts = urlsplit(request.url)
        target = f"{parts.path}{'?' if parts.query else ''}{parts.query}"
        role = "api" if f"{parts.scheme}://{parts.netloc}" == self.github.url("api") else "raw"
        role = "codeload" if target.startswith("/_codeload/") else role
        reply = self.bad.get((role, target)) or self.good.get((role, target))
        if reply is None:
            headers = {name.lower(): value for name, value in request.headers.items()}
            reply = self.good[role, target] = self.github.reply(Request(role, "GET", target, headers))
        raw = urllib3.HTTPResponse(
            io.BytesIO(reply.body),
            urllib3.HTTPHeaderDict({"Content-Type": reply.kind, **reply.headers}),
            reply.status,
            preload_content=False,
        )
        return self.build_response(request, raw)


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[Served]:
    """Every way is gone: pages, a merge to be compared, an archive, single files."""
    history = GitHistory(tmp_path_factory.mktemp("history") / "history")
    relu = module_path("19_ReLU.py")
    history.commit("2025-01-01", {timing_path(): timings(n19_ReLU=1.5), relu: module("ReLU")})
    history.branch("side")
    history.commit("2025-01-02", {timing_path(mode=COMPILED): timings(n19_ReLU=1.25)}, branch="side")
    history.commit("2025-01-03", {timing_path("A100_lab"): timings(n19_ReLU=2.0)})
    history.merge("2025-01-04", "side")
    history.commit("2025-01-05", {relu: module("ReLU", draw="randn")})
    with GitHub(history.path, LAB, Clock()) as github, pytest.MonkeyPatch.context() as patch:
        github.set_environment(patch)
        github.page_size = 3
        patch.setattr(transfers, "FEW", 2)
        made = Served(github)
        assert read(made) == everything_by_git(history.path)
        made.asked = dict(sorted(made.good.items(), key=lambda one: one[0]))
        assert {role for role, _ in made.asked} == {"api", "raw", "codeload"}
        yield made


def read(served: Served, cache: Path | None = None) -> Everything:
    clock = Clock()
    with closing(
        GitHubSource(LAB, None, LAB, cache, patience=Patience(attempts=2), clock=clock, sleep=clock.sleep)
    ) as source:
        source._client._session.mount("http://", served)
        for _ in source.listings():
            pass
        return everything(source)


_ODD = [
    *(
        None,
        True,
        0,
        -1,
        1e308,
        2**63,
        "",
        "x",
        "../../x",
        "/etc/passwd",
        "a" * 40,
        "A" * 40,
        "a" * 40 + "\n",
        "\0",
        ".",
    ),
    *("10000-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "1969-01-01T00:00:00Z", "2025-01-01T00:00:00", "\u202e"),
    *("040000", "100644", "160000", "tree", "commit", "blob", "base64", [], {}, [[]], [{}], "x" * 5000),
]
_STATUSES = [200, 201, 204, 206, 300, 302, 304, 307, 400, 401, 403, 404, 408, 409, 422, 429, 451, 500, 503, 599, 999]
_HEADERS = [
    *("Link", "Location", "ETag", "Content-Encoding", "Content-Type", "Content-Length", "Transfer-Encoding", "Date"),
    *("Retry-After", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-limit", "Set-Cookie"),
]
_VALUES = [
    *("", "0", "-1", "1e308", "9" * 5000, "nan", "gzip", "gzip, gzip", "deflate", "br", "chunked", "text/html", "x;=,"),
    *("Sat, 01 Jan 10000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "http://[", "//other/x", "\\\\other\\x", "."),
    *(
        '<http://[>; rel="next"',
        '<?page=2>; rel="next"',
        '<>; rel="next"',
        "<<<;;;,,,",
        "a=b; expires=x; domain=..",
        "\x85",
    ),
]


@st.composite
def changed(draw: st.DrawFn, value: Any, known: list[str]) -> Any:
    """A JSON value of which something is another, away, or there twice; ``known`` are ids that exist."""
    if not isinstance(value, list | dict) or not value or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from([*_ODD, *known]))
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = draw(st.sampled_from(keys))
    how = draw(st.sampled_from(["within", "within", "within", "away", "twice"]))
    copy: Any = value.copy()
    if how == "within":
        copy[key] = draw(changed(value[key], known))
    elif how == "away":
        del copy[key]
    elif isinstance(copy, list):
        copy.append(value[key])
    else:
        copy[draw(st.sampled_from(keys))] = value[key]
    return copy


@st.composite
def bad_reply(draw: st.DrawFn, good: Reply, known: list[str]) -> Reply:
    """An answer that once was ``good``."""
    status, body, headers = good.status, good.body, dict(good.headers)
    how = draw(st.sampled_from(["body", "body", "body", "headers", "status"]))
    if how == "headers":
        headers[draw(st.sampled_from(_HEADERS))] = draw(st.sampled_from(_VALUES))
    if how == "status":
        status = draw(st.sampled_from(_STATUSES))
    if how == "body" and body.startswith((b"[", b"{")) and draw(st.booleans()):
        body = json.dumps(draw(changed(json.loads(body), known))).encode()
    elif how == "body" and body.startswith(b"\x1f\x8b") and draw(st.booleans()):
        body = gzip.compress(draw(hostile(gzip.decompress(body))), 1)
    elif how == "body":
        body = draw(hostile(body or b"nothing"))
    return Reply(status, body, good.kind, headers)


def assert_sound(found: Everything) -> None:
    """Whatever a lie made of it: ids, dates, paths and bytes are such as can be."""
    for revision in (*found.chain.new, found.chain.head):
        assert re.fullmatch("[0-9a-f]{40}", revision.id)
        assert 1970 <= revision.committed_at.year <= 9999
    for files in found.trees.values():
        for path, blob in files.items():
            assert re.fullmatch("[0-9a-f]{40}", blob)
            assert all(part not in {"", ".", ".."} for part in path.split("/"))
    assert all(git_blob_id(data) == blob for blob, data in found.blobs.items())


def assert_read_or_refused(reading: Callable[[], Everything]) -> None:
    try:
        with in_time():
            found = reading()
    except SourceError as refused:
        assert str(refused).isprintable()
        assert len(str(refused)) < 800
    else:
        assert_sound(found)


@fuzzed
@given(st.data())
def test_a_mutated_github_is_read_or_refused_and_one_that_is_right_again_is_read(served, data):
    """Also out of what was learnt of the mutated one; without that, it is read as git reads it."""
    known = [commit["sha"] for commit in served.github.repository.log("HEAD", None, False)]
    targets = data.draw(st.lists(st.sampled_from(list(served.asked)), min_size=1, max_size=2, unique=True))
    with TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        served.bad = {target: data.draw(bad_reply(served.asked[target], known)) for target in targets}
        assert_read_or_refused(lambda: read(served, cache))
        assert {path.name for path in Path(folder).iterdir()} <= {"cache"}
        served.bad = {}
        assert_read_or_refused(lambda: read(served, cache))


@fuzzed
@given(st.data())
def test_a_mutated_memory_is_believed_or_forgotten(served, data):
    """The digest at its end is not that of what was changed: it is read as if nothing were there."""
    with TemporaryDirectory() as folder:
        cache = Path(folder)
        expected = read(served, cache)
        path = data.draw(st.sampled_from(sorted(path for path in cache.rglob("*") if path.is_file())))
        path.write_bytes(data.draw(hostile(path.read_bytes())))
        with in_time():
            assert read(served, cache) == expected
