"""A small GitHub on loopback that serves a real repository, and can be told to fail.

The API, the raw host (with the archives, as on an Enterprise server) and a foreign host are three ports of one process,
so that a test can see what is sent to which. Every request is kept in ``requests``.

    with GitHub(history.path) as github:
        github.set_environment(monkeypatch)
        github.fail(Fault("reset"), "/git/trees/", times=2)
"""

from __future__ import annotations

import json
import random
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from tests.github.repository import Repository, blob_answer

Role = Literal["api", "raw", "codeload", "foreign"]
ROLES: tuple[Role, ...] = ("api", "raw", "codeload", "foreign")
PORTS: tuple[Role, ...] = ("api", "raw", "foreign")
_CODELOAD = "/_codeload/"

Kind = Literal[
    "reset",
    "cut",
    "chunks",
    "500",
    "502",
    "503",
    "429",
    "limit",
    "secondary",
    "html",
    "slow",
    "silent",
    "drip",
    "endless",
    "line",
    "status",
    "foreign",
    "circle",
]


@dataclass(frozen=True)
class Fault:
    """One way to fail.

    ``reset``: half of the answer, then a reset; ``cut``: half of it, then the end; ``chunks``: the same, sent in
    chunks without a length; ``limit``: 403, nothing remains until ``after`` seconds from now; ``secondary``: 403,
    with Retry-After ``after`` where it is not 0; ``429`` likewise; ``slow``: a byte at a time, ``after`` seconds
    apart; ``drip``: the same of the headers; ``silent``: nothing for ``after`` seconds; ``endless``: a body that has no
    end; ``line``: a body in chunks of which the first has a size without end; ``status``: ``status``, which also
    makes what is delivered badly a refusal; ``foreign``: a redirect to another host; ``circle``: a redirect to itself.
    """

    kind: Kind
    after: float = 0
    status: int = 0


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    role: Role
    method: str
    target: str
    headers: dict[str, str]

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {key: values[0] for key, values in parse_qs(urlsplit(self.target).query).items()}


@dataclass
class _Rule:
    fault: Fault
    pattern: re.Pattern[str]
    roles: Collection[Role]
    left: int | None


@dataclass
class Reply:
    status: int
    body: bytes = b""
    kind: str = "application/json; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class _Random:
    rate: float
    generator: random.Random
    faults: tuple[Fault, ...]


class GitHub:
    """The server. What a test may set stands in its public attributes."""

    def __init__(self, repository: Path, name: str = "lab/KernelBench", clock: Callable[[], float] = time.time) -> None:
        self.repository = Repository(repository)
        self.name = name
        self.clock = clock
        self.old_name: str | None = None  # it was renamed: asked under this name, it redirects
        self.token: str | None = None  # the one it accepts; any where None
        self.private = False  # not there for those without the token
        self.full_history = False  # the path filter follows every parent
        self.truncate_at: int | None = None  # entries in a recursive tree
        self.truncate_folders = False  # also those that are not recursive
        self.etag_suffix = ""  # another answer's ETag, though nothing changed
        self.page_size = 100  # the most items in a page, whatever is asked for
        self.allowance: int | None = None  # API requests an hour
        self.wrong: dict[tuple[Role, str], bytes] = {}  # (api, raw or codeload; blob) to other bytes
        self.missing: set[tuple[Role, str]] = set()
        self.stale_listing: str | None = None  # the path filter does not know what came after this commit
        self.requests: list[Request] = []
        self.at_once = 0
        self.most_at_once = 0
        self.delay = 0.0
        self.mangle: Callable[[Request, Reply], Reply] = lambda request, reply: reply  # of every good answer
        self.sent = 0  # bytes of bodies without end
        self._rules: list[_Rule] = []
        self._random: _Random | None = None
        self._used = 0
        self._window_ends = 0.0
        self._lock = threading.RLock()
        self._servers = {role: _Server(self, role) for role in PORTS}

    def __enter__(self) -> GitHub:
        for server in self._servers.values():
            server.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers.values():
            server.shutdown()
            server.thread.join()
            server.server_close()
        self.repository.close()

    def url(self, role: Role) -> str:
        return f"http://127.0.0.1:{self._servers[role].server_address[1]}"

    @property
    def environment(self) -> dict[str, str]:
        return {"KBW_GITHUB_API_URL": self.url("api"), "KBW_GITHUB_RAW_URL": self.url("raw")}

    def set_environment(self, monkeypatch: Any, token: str | None = None) -> None:
        """Point the product here, and nowhere else."""
        for variable, value in self.environment.items():
            monkeypatch.setenv(variable, value)
        for variable in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.delenv(variable, raising=False)
        if token is None:
            monkeypatch.delenv("GITHUB_TOKEN", raising=False)
        else:
            monkeypatch.setenv("GITHUB_TOKEN", token)

    def fail(self, fault: Fault, pattern: str = "", times: int | None = 1, roles: Collection[Role] = ROLES) -> None:
        """Fail the next ``times`` (None: all) requests whose target the pattern is found in."""
        self._rules.append(_Rule(fault, re.compile(pattern), roles, times))

    def fail_at_random(self, rate: float, seed: int, *faults: Fault) -> None:
        """Fail this part of all requests."""
        self._random = _Random(rate, random.Random(seed), faults)

    def heal(self) -> None:
        """Fail no more."""
        self._rules.clear()
        self._random = None

    def count(self, role: Role) -> int:
        return sum(request.role == role for request in self.requests)

    def serve(self, repository: Path) -> None:
        """Serve another repository under the same name."""
        self.repository.close()
        self.repository = Repository(repository)
        self.forget()

    def forget(self) -> None:
        """Begin to count anew."""
        self.requests.clear()

    # What follows is called by the handlers, in threads.

    def begin(self, request: Request) -> Fault | None:
        with self._lock:
            self.requests.append(request)
            for rule in self._rules:
                if rule.left != 0 and request.role in rule.roles and rule.pattern.search(request.target):
                    rule.left = None if rule.left is None else rule.left - 1
                    return rule.fault
            if self._random and self._random.generator.random() < self._random.rate:
                return self._random.generator.choice(self._random.faults)
            return None

    def reply(self, request: Request) -> Reply:
        return self.mangle(request, self._good_reply(request))

    def _good_reply(self, request: Request) -> Reply:
        if request.role == "api":
            return self._api(request)
        return {"raw": self._raw, "codeload": self._codeload}.get(request.role, lambda _: Reply(200, b"gotcha"))(
            request
        )

    def _api(self, request: Request) -> Reply:
        sent = request.headers.get("authorization")
        if self.token is not None and sent not in {None, f"Bearer {self.token}"}:
            return _complaint(401, "Bad credentials")
        limits = self._count_against_limit()
        if limits["x-ratelimit-remaining"] == "-1":
            body = _complaint(403, "API rate limit exceeded for 127.0.0.1.").body
            return Reply(403, body, headers={**limits, "x-ratelimit-remaining": "0"})
        reply = self._api_reply(request, known=sent is not None)
        if reply.status == 304 and sent:
            self._used -= 1
        reply.headers |= limits if self.allowance is not None else {}
        return reply

    def _count_against_limit(self) -> dict[str, str]:
        with self._lock:
            if self.clock() >= self._window_ends:
                self._window_ends, self._used = float(int(self.clock()) + 3600), 0
            self._used += 1
            allowance = 5000 if self.allowance is None else self.allowance
            remaining = max(allowance - self._used, -1)
            return {
                "x-ratelimit-limit": str(allowance),
                "x-ratelimit-remaining": str(remaining),
                "x-ratelimit-reset": str(int(self._window_ends)),
                "x-ratelimit-resource": "core",
            }

    def _api_reply(self, request: Request, known: bool) -> Reply:
        path = unquote(request.path)
        if self.old_name and f"{path}/".startswith(f"/repos/{self.old_name}/"):
            target = self.url("api") + request.target.replace(f"/repos/{self.old_name}", "/repositories/4711", 1)
            return Reply(301, _json({"message": "Moved Permanently", "url": target}), headers={"Location": target})
        for base in (f"/repos/{self.name}", "/repositories/4711"):
            if f"{path}/".startswith(f"{base}/") and (known or not self.private):
                return self._repository_reply(path.removeprefix(base).removeprefix("/"), request)
        return _complaint(404, "Not Found")

    def _repository_reply(self, path: str, request: Request) -> Reply:
        kind, _, rest = path.partition("/")
        if not path:
            return Reply(200, _json({"full_name": self.name, "default_branch": self.repository.default_branch()}))
        if kind == "commits" and self.repository.is_empty():
            return _complaint(409, "Git Repository is empty.")
        if path == "commits":
            return self._commits(request)
        if kind == "commits":
            return self._commit(rest, request)
        if path.startswith("git/trees/"):
            return self._tree(path.removeprefix("git/trees/"), "recursive" in request.query)
        if path.startswith("git/blobs/"):
            return self._blob(path.removeprefix("git/blobs/"))
        if kind == "tarball":
            target = f"{self.url('raw')}{_CODELOAD}{self.name}/legacy.tar.gz/{rest}?token=signed"
            return Reply(302, headers={"Location": target})
        return _complaint(404, "Not Found")

    def _commit(self, ref: str, request: Request) -> Reply:
        commit = self.repository.resolve(ref)
        if commit is None:
            return _complaint(422, f"No commit found for SHA: {ref}")
        etag = f'W/"{commit}{self.etag_suffix}"'
        if request.headers.get("if-none-match") == etag:
            return Reply(304, headers={"ETag": etag})
        return Reply(200, _json(self.repository.commit(commit)), headers={"ETag": etag})

    def _commits(self, request: Request) -> Reply:
        query = request.query
        commit = self.repository.resolve(query.get("sha", "HEAD"))
        if commit is None:
            return _complaint(404, "Not Found")
        listed = self.repository.log(commit, query.get("path"), self.full_history)
        if self.stale_listing and "path" in query:
            before = {one["sha"] for one in self.repository.log(self.stale_listing, None, False)}
            listed = [one for one in listed if one["sha"] in before]
        size, page = min(int(query.get("per_page", 30)), self.page_size), int(query.get("page", 1))
        part = listed[size * (page - 1) : size * page]
        headers = {}
        if size * page < len(listed):
            there = f"{self.url('api')}/repositories/4711/commits?"
            following, last = (urlencode({**query, "page": p}) for p in (page + 1, -(-len(listed) // size)))
            headers["Link"] = f'<{there}{following}>; rel="next", <{there}{last}>; rel="last"'
        return Reply(200, _json(part), headers=headers)

    def _tree(self, sha: str, recursive: bool) -> Reply:
        entries = self.repository.tree(sha, recursive)
        if entries is None:
            return _complaint(404, "Not Found")
        most = (
            self.truncate_at if self.truncate_at is not None and (recursive or self.truncate_folders) else len(entries)
        )
        return Reply(200, _json({"sha": sha, "tree": entries[:most], "truncated": most < len(entries)}))

    def _blob(self, sha: str) -> Reply:
        data = self.repository.blob(sha)
        if data is None or ("api", sha) in self.missing:
            return _complaint(404, "Not Found")
        return Reply(200, _json(blob_answer(sha, self.wrong.get(("api", sha), data))))

    def _raw(self, request: Request) -> Reply:
        path = unquote(request.path, errors="surrogateescape").lstrip("/")
        if self.old_name and path.startswith(f"{self.old_name}/"):
            target = self.url("raw") + request.target.replace(self.old_name, self.name, 1)
            return Reply(301, headers={"Location": target})
        commit, _, file = path.removeprefix(f"{self.name}/").partition("/")
        found = self.repository.file(commit, file) if path.startswith(f"{self.name}/") and not self.private else None
        if found is None or ("raw", found[0]) in self.missing:
            return Reply(404, b"404: Not Found", "text/plain; charset=utf-8")
        return Reply(200, self.wrong.get(("raw", found[0]), found[1]), "text/plain; charset=utf-8")

    def _codeload(self, request: Request) -> Reply:
        commit = self.repository.resolve(request.path.rpartition("/")[2])
        if commit is None:
            return Reply(404, b"404: Not Found", "text/plain")
        top = f"{self.name.replace('/', '-')}-{commit[:7]}"
        instead = tuple(sorted((blob, data) for (role, blob), data in self.wrong.items() if role == "codeload"))
        return Reply(200, self.repository.archive(commit, top, instead), "application/x-gzip")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, github: GitHub, role: Role) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.github = github
        self.role = role
        self.thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True, name=f"github-{role}")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    server: _Server

    def do_GET(self) -> None:
        github = self.server.github
        headers = {key.lower(): value for key, value in self.headers.items()}
        role: Role = "codeload" if self.path.startswith(_CODELOAD) else self.server.role
        request = Request(role, self.command, self.path, headers)
        fault = github.begin(request)
        with github._lock:
            github.at_once += 1
            github.most_at_once = max(github.most_at_once, github.at_once)
        try:
            if github.delay:
                time.sleep(github.delay)
            self._answer(github, request, fault)
        except OSError:
            self.close_connection = True
        finally:
            with github._lock:
                github.at_once -= 1

    def _answer(self, github: GitHub, request: Request, fault: Fault | None) -> None:
        reply = github.reply(request) if fault is None or fault.kind in _DELIVERY else self._refusal(github, fault)
        if fault is not None and fault.kind in _DELIVERY and fault.status:
            reply = _complaint(fault.status, "as a test wants it")
        if fault is None or fault.kind not in _DELIVERY:
            self._send(reply, reply.body)
        else:
            self._deliver_badly(reply, fault)

    def _refusal(self, github: GitHub, fault: Fault) -> Reply:
        after = {"Retry-After": f"{fault.after:g}"} if fault.after else {}
        reset = {"x-ratelimit-remaining": "0", "x-ratelimit-limit": "60"}
        reset["x-ratelimit-reset"] = str(int(github.clock() + fault.after))
        page = b"<!DOCTYPE html><html><body>Unicorn!</body></html>"
        return {
            "500": lambda: Reply(500, b"", "text/plain"),
            "502": lambda: Reply(502, page, "text/html"),
            "503": lambda: Reply(503, page, "text/html", after),
            "429": lambda: Reply(429, b"429: Too Many Requests", "text/plain", after),
            "limit": lambda: Reply(403, _complaint(403, "API rate limit exceeded").body, headers=reset),
            "secondary": lambda: Reply(403, _complaint(403, _SECONDARY).body, headers=after),
            "html": lambda: Reply(200, page, "text/html; charset=utf-8"),
            "status": lambda: _complaint(fault.status, "as a test wants it"),
            "foreign": lambda: Reply(302, headers={"Location": f"{github.url('foreign')}/trap"}),
            "circle": lambda: Reply(302, headers={"Location": self.path}),
        }[fault.kind]()

    def _deliver_badly(self, reply: Reply, fault: Fault) -> None:
        half = reply.body[: len(reply.body) // 2]
        if fault.kind == "silent":
            time.sleep(fault.after)
            self.close_connection = True
        elif fault.kind == "slow":
            self._head(reply, {"Content-Length": str(len(reply.body))})
            for position in range(len(reply.body)):
                self.wfile.write(reply.body[position : position + 1])
                time.sleep(fault.after)
        elif fault.kind == "drip":
            self._drip(b"HTTP/1.1 200 OK\r\nX-Nothing: %s\r\n" % (b"x" * 1000), fault.after)
        elif fault.kind in {"endless", "line"}:
            self._head(reply, {"Transfer-Encoding": "chunked"} if fault.kind == "line" else {})
            self._send_without_end()
        elif fault.kind == "chunks":
            self._head(reply, {"Transfer-Encoding": "chunked"})
            self.wfile.write(b"%x\r\n%s\r\n" % (len(half) or 1, half or b"x"))
            self.close_connection = True
        else:
            self._head(reply, {"Content-Length": str(len(reply.body) or 10)})
            self.wfile.write(half)
            self.close_connection = True
            if fault.kind == "reset":
                self.wfile.flush()
                with suppress(OSError):
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()

    def _drip(self, data: bytes, after: float) -> None:
        self.close_connection = True
        for position in range(len(data)):
            self.wfile.write(data[position : position + 1])
            time.sleep(after)

    def _send_without_end(self) -> None:
        """Until the client hangs up; a gigabyte stands for no end."""
        self.close_connection = True
        github = self.server.github
        while github.sent < 2**30:
            self.wfile.write(b"0" * 2**16)
            github.sent += 2**16

    def _send(self, reply: Reply, body: bytes) -> None:
        length = {} if reply.status == 304 else {"Content-Length": str(len(body))}
        self._head(reply, length)
        self.wfile.write(b"" if reply.status == 304 else body)

    def _head(self, reply: Reply, extra: dict[str, str]) -> None:
        self.send_response(reply.status)
        for key, value in {"Content-Type": reply.kind, **reply.headers, **extra}.items():
            self.send_header(key, value)
        self.end_headers()

    def date_time_string(self, timestamp: float | None = None) -> str:
        return formatdate(self.server.github.clock() if timestamp is None else timestamp, usegmt=True)

    def log_message(self, *_: Any) -> None:
        """``requests`` is the log."""


_DELIVERY = {"reset", "cut", "chunks", "slow", "silent", "drip", "endless", "line"}
_SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _complaint(status: int, message: str) -> Reply:
    return Reply(status, _json({"message": message, "documentation_url": "https://example.org/rest"}))
