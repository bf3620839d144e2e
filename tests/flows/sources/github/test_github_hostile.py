"""A server that lies, stalls or floods: the source is read right, or refused in one line, and nothing else happens."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
import zlib
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from flows.sources.github import Patience, answers, archives, client, limits, memory, trees
from flows.sources.github.hosts import Hosts
from flows.sources.interface import SourceError
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.flows.sources.github.test_github_files import member, packed, with_many_files
from tests.github import Fault, GitHub
from tests.github.clock import NOON
from tests.github.server import Reply, Request

HURRIED = Patience(connect_s=0.5, read_s=1, transfer_s=1, archive_s=1, complaint_s=1, attempts=1)
HEAD, LIST, TREE = "/commits/HEAD", "/commits[?]", "/git/trees/"


def change(github: GitHub, pattern: str, edit: Callable[[Any], Any], headers: dict[str, str] | None = None) -> None:
    """Let ``edit`` change the JSON of each answer whose target the pattern is found in, or give another."""

    def mangle(request: Request, reply: Reply) -> Reply:
        if request.role != "api" or reply.status != 200 or not re.search(pattern, request.target):
            return reply
        value = json.loads(reply.body)
        edited = edit(value)
        return Reply(200, json.dumps(value if edited is None else edited).encode(), headers={**(headers or {})})

    github.mangle = mangle


def refused(source: Any) -> str:
    """The one line in which a source refuses itself."""
    with pytest.raises(SourceError) as ended:
        everything(source)
    words = str(ended.value)
    assert words.isprintable(), "it is one line"
    assert len(words) < 600
    assert words.startswith("lab/KernelBench: ")
    return words


def put(value: Any, where: str, what: Any) -> None:
    """Replace what stands at ``a.0.b``."""
    *parts, last = [int(part) if part.isdecimal() else part for part in where.split(".")]
    for part in parts:
        value = value[part]
    value[last] = what


def beside_the_cache(folder: Path) -> list[Path]:
    cache = folder / "cache"
    return sorted(path for path in folder.rglob("*") if path != cache and cache not in path.parents)


NO_IDS = ["../../x", "", "A" * 40, "a" * 40 + "\n", "a" * 41, None]


@pytest.mark.parametrize("no_id", NO_IDS, ids=repr)
@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        (HEAD, "sha"),
        (HEAD, "commit.tree.sha"),
        (HEAD, "parents.0.sha"),
        (LIST, "0.sha"),
        (LIST, "1.commit.tree.sha"),
        (LIST, "1.parents.0.sha"),
        (TREE, "tree.0.sha"),
    ],
)
def test_what_is_no_id_is_refused_and_nothing_is_written_or_asked_by_it(
    history, github, open_github, tmp_path, pattern, where, no_id
):
    """A tree's entry without an id, which stopped a whole home, is one of them."""
    change(github, pattern, lambda value: put(value, where, no_id))
    before = beside_the_cache(tmp_path)
    words = refused(open_github())
    assert "what cannot be: " in words
    assert words.endswith("it is not believed; clone it, and ingest git:PATH")
    assert beside_the_cache(tmp_path) == before
    assert not [request for request in github.requests if ".." in request.target]


def test_what_came_and_what_was_asked_is_said(history, github, open_github):
    change(github, HEAD, lambda value: put(value, "commit.tree.sha", "../\x1b[31m\u202ex"))
    host = github.url("api").removeprefix("http://")
    assert refused(open_github()) == (
        f"lab/KernelBench: {host} answers /commits/HEAD by what cannot be: '../\\x1b[31m\\u202ex' is no id of git - "
        "at `$.commit.tree`; it is not believed; clone it, and ingest git:PATH"
    )
    assert github.count("api") == 1, "to ask once more would not mend it"


NO_PATHS = ["", "/etc/passwd", "a//b", "a/./b", ".", "..", "results/timing/../x.json", "a/", "a\0b", "x" * 5000, "../x"]


@pytest.mark.parametrize("path", NO_PATHS, ids=lambda path: repr(path[:30]))
def test_a_path_that_git_could_not_hold_is_refused(history, github, open_github, path):
    change(github, TREE, lambda value: put(value, "tree.0.path", path))
    assert "is no path that git could hold - at `$.tree[0]`" in refused(open_github())


def test_a_path_that_stands_twice_in_a_tree_is_refused(history, github, open_github):
    change(github, TREE, lambda value: value["tree"].append(value["tree"][0]))
    assert "a path stands there twice" in refused(open_github())


def test_a_path_in_the_place_of_a_name_is_refused(history, github, open_github):
    """Where a folder is listed by itself, its entries are named and not told by their paths."""

    def edit(value: Any) -> None:
        put(value, "tree.0.path", f"results/{value['tree'][0]['path']}")

    github.truncate_at = 0
    change(github, "/git/trees/[0-9a-f]+$", edit)
    assert "which is no name in one folder" in refused(open_github())


@pytest.mark.parametrize(("where", "what"), [("mode", "../x"), ("mode", "0" * 100), ("type", "fifo"), ("type", 1)])
def test_an_entry_of_no_kind_is_refused(history, github, open_github, where, what):
    change(github, TREE, lambda value: put(value, f"tree.0.{where}", what))
    assert "what cannot be" in refused(open_github())


NO_DATES = [
    "10000-01-01T00:00:00Z", "+10000-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00",
    "1969-12-31T23:59:59Z", "1970-01-01T00:30:00+01:00", "2025-01-01T00:00:00", "2025-02-30T00:00:00Z", "yesterday",
    "", None, True, -1, 1e308,
]  # fmt: skip


@pytest.mark.parametrize("date", NO_DATES, ids=repr)
@pytest.mark.parametrize(("pattern", "where"), [(HEAD, ""), (LIST, "1.")], ids=["head", "list"])
def test_a_date_that_no_commit_has_is_refused_in_one_line(history, github, open_github, pattern, where, date):
    change(github, pattern, lambda value: put(value, f"{where}commit.committer.date", date))
    assert "what cannot be" in refused(open_github())


@pytest.mark.parametrize("pattern", [HEAD, LIST, TREE])
def test_that_nothing_has_changed_is_believed_only_of_what_was_asked(history, github, open_github, pattern):
    github.fail(Fault("status", status=304), pattern)
    assert "says that nothing has changed (304), which was not asked" in refused(open_github())


@pytest.mark.parametrize("role", ["raw", "codeload"])
def test_a_file_that_has_not_changed_is_had_by_another_route(history, github, open_github, role):
    with_many_files(history)
    github.fail(Fault("status", status=304), roles=[role], times=None)
    assert everything(open_github()) == everything_by_git(history.path)


DEEP = 200_000


@pytest.mark.parametrize(
    "body",
    [b"[" * DEEP, b'{"sha":' * DEEP, b'{"x":' + b"[" * DEEP, b'[{"x":' * DEEP + b"1" + b"}]" * DEEP],
    ids=["lists", "objects", "passed over", "whole"],
)
@pytest.mark.parametrize("status", [200, 403])
def test_deep_json_is_refused_in_one_line(history, github, open_github, body, status):
    github.mangle = lambda request, reply: Reply(status, body)
    refused(open_github())


@pytest.mark.parametrize("pattern", [HEAD, LIST, TREE])
@pytest.mark.parametrize("value", [None, [], {}, 1, "x", [[]], [{}], {"sha": {}}, {"tree": [1]}, [None]], ids=repr)
def test_json_of_another_shape_is_refused_and_not_asked_for_again(history, github, open_github, pattern, value):
    def edit(_: object) -> object:
        return "nothing at all" if value is None else value

    change(github, pattern, edit)
    empty = pattern == LIST and value == []
    assert ("list of commits ends before" if empty else "what cannot be") in refused(open_github())
    assert len([request for request in github.requests if re.search(pattern, request.target)]) == 1


def test_a_page_in_the_place_of_json_is_shown_escaped(history, github, open_github):
    github.mangle = lambda request, reply: Reply(200, b"<html>\x1b]0;x\x07\n\xff\xe2\x80\xae", "text/html")
    words = refused(open_github(patience=HURRIED))
    assert "answers /commits/HEAD by what is not JSON, '<html>\\x1b]0;x\\x07\\n\\ufffd\\u202e'; ingest" in words


def test_a_commit_that_is_its_own_parent_is_refused(history, github, open_github):
    def edit(value: Any) -> None:
        for commit in value if isinstance(value, list) else [value]:
            commit["parents"] = [{"sha": commit["sha"]}]

    change(github, "/commits", edit)
    assert "is its own ancestor" in refused(open_github())


@pytest.mark.parametrize("length", [2, 3])
def test_commits_that_descend_from_one_another_are_refused(history, github, open_github, length):
    ring = [history.id(mark) for mark in (7, 6, 5)[:length]]

    def edit(value: Any) -> None:
        for commit in value if isinstance(value, list) else [value]:
            if commit["sha"] in ring:
                commit["parents"] = [{"sha": ring[(ring.index(commit["sha"]) + 1) % length]}]

    change(github, "/commits", edit)
    assert "is its own ancestor" in refused(open_github())


@pytest.mark.parametrize("target", ["", "?", "{0}", "{1}/repositories/4711/commits?page=1"])
def test_a_next_page_that_is_an_earlier_one_is_refused(history, github, open_github, target):
    """Named by itself, relatively, or in a circle of two."""

    def mangle(request: Request, reply: Reply) -> Reply:
        if "/commits?" in request.target:
            there = target.format(github.url("api") + request.target, github.url("api"))
            return Reply(200, b"[]", headers={"Link": f'<{there}>; rel="next"'})
        return reply

    github.mangle = mangle
    assert "by pages in a circle" in refused(open_github(patience=Patience(requests=50)))
    assert github.count("api") < 6


def test_pages_without_end_are_refused(history, github, open_github, monkeypatch):
    monkeypatch.setattr(client, "MOST_PAGES", 7)

    def mangle(request: Request, reply: Reply) -> Reply:
        if "/commits?" in request.target:
            there = f"{github.url('api')}/repositories/4711/commits?page={len(github.requests)}"
            return Reply(200, b"[]", headers={"Link": f'<{there}>; rel="next"'})
        return reply

    github.mangle = mangle
    assert "answers /commits by more than 7 pages; clone it" in refused(open_github(patience=Patience(requests=50)))


def test_a_page_of_more_than_was_asked_for_is_refused(history, github, open_github):
    change(github, LIST, lambda value: value * 20)
    assert "140 items for 100" in refused(open_github()) or "160 items for 100" in refused(open_github())


def test_a_source_ends_after_so_many_requests_and_so_long(history, github, open_github):
    assert "it took 3 requests in " in refused(open_github(patience=Patience(requests=3)))
    assert github.count("api") == 3
    assert "and there is no end; ingest it again to go on" in refused(open_github(patience=Patience(source_s=-1)))


def test_a_host_that_puts_off_and_puts_off_is_given_up(history, github, open_github):
    github.fail(Fault("429", after=1), times=None)
    words = refused(open_github(patience=Patience(request_s=0.2, longest_wait_s=1e9)))
    assert "puts it off again and again; ingest it again later" in words


ABSURD = [
    "-1", "1e308", "inf", "nan", "x", "", "9" * 30, "9" * 5000, "٣", "0x10", "1.5", "99999999999", "-" + "9" * 400, "²",
    "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 10000 00:00:00 GMT", "Mon, 01 Jan 0000 00:00:00 GMT", ",", " , ",
    "Mon, 01 Jan 0001 00:00:00 -0000", "Mon, 99 Foo 2026 99:99:99 +99999999999999999999", "Thu, 01 Jan 1970", "\x01",
]  # fmt: skip


@pytest.mark.parametrize("absurd", ABSURD, ids=lambda text: ascii(text[:40]))
def test_absurd_words_on_limits_are_survived_and_wait_for_an_hour_at_most(absurd):
    plain = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOON) + 60), "x-ratelimit-limit": "60"}
    late = {"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}
    headers = ["retry-after", "x-ratelimit-reset", "x-ratelimit-limit", "date"]
    for header, beside, status, times in product(headers, ({}, plain, late), (403, 429, 503), (0, 5000)):
        given = beside | {header: absurd}
        for hold in (
            limits.asked_to_wait(status, given, "secondary rate limit", NOON, times),
            limits.nothing_remains(given, NOON),
        ):
            assert hold is None or 1 <= hold.seconds <= 3601
            assert hold is None or (hold.why.isprintable() and len(hold.why) < 150)


@pytest.mark.parametrize("header", ["Retry-After", "x-ratelimit-reset"])
@pytest.mark.parametrize("absurd", ["9" * 12, "9" * 4999, "-5", "soon"], ids=lambda text: text[:6])
def test_an_absurd_wait_ends_the_ingest_in_one_line_or_is_short(history, github, open_github, clock, header, absurd):
    said = {"x-ratelimit-remaining": "0", header: absurd}
    github.mangle = lambda request, reply: Reply(429, b"{}", headers=said)
    words = refused(open_github())
    assert "wants no request until 2026-03-05 1" in words
    assert sum(clock.slept) <= 900
    if absurd == "9" * 12:
        assert "(it asks for longer than the hour of its limits)" in words


HOSTS = Hosts("https://api.github.com", "https://raw.githubusercontent.com")
ELSEWHERE = [
    r"http://other.example\@api.github.com/", r"https://other.example\@api.github.com/", r"https:\\other.example/x",
    r"https://api.github.com\@other.example/", r"https://api.github.com\.other.example/", r"\\other.example\x",
    r"/\other.example/x", "//other.example/x",
    "https://user@api.github.com/x", "https://user:pw@api.github.com/x", "https://@api.github.com/x",
    "https://api.github.com@other.example/", "https://api.github.com%40other.example/", "https://api.github.com./x",
    "https://api.github.com:444/x", "https://api.github.com:80/x", "https://api.github.com:x/", "https://api.github.com:-1/",
    "https://api.github.com:99999/x", "http://api.github.com/x", "http://api.github.com:443/x", "ftp://api.github.com/x",
    "https://other.example#@api.github.com/", "https://other.example?@api.github.com/", "https://other.example/@api.github.com/",
    "https://api.github.com\t.other.example/", "https://api.github.com\x00.other.example/",
    "https://api.github.com .other.example/",
    "https://api\u3002github\u3002com/x", "https://api.github.c\u043em/x", "https://\uff41pi.github.com/x",
    "https://[::1]/x", "https://[", "https://[v1.x]/", "https://[api.github.com]/", "https://127.0.0.1/x",
    "javascript:alert(1)", "file:///etc/passwd", "https://sub.api.github.com/x", "https://github.com/x",
]  # fmt: skip


@pytest.mark.parametrize("target", ELSEWHERE, ids=ascii)
def test_an_address_of_another_host_however_written_is_not_followed(target):
    assert HOSTS.follow("https://api.github.com/repos/a/b", target) is None


@pytest.mark.parametrize(
    ("target", "there"),
    [
        ("https://API.github.com/x", "https://api.github.com/x"),
        ("https://api.github.com:443/x", "https://api.github.com:443/x"),
        ("/repositories/1?page=2", "https://api.github.com/repositories/1?page=2"),
        ("https://codeload.github.com/a/b?token=x%20y", "https://codeload.github.com/a/b?token=x%20y"),
        ("https://raw.githubusercontent.com/a/../b", "https://raw.githubusercontent.com/b"),
        ("?page=2", "https://api.github.com/repos/a/b?page=2"),
        ("///other.example/x", "https://api.github.com/other.example/x"),
        ("https:///other.example/x", "https://api.github.com/other.example/x"),
        ("https:other.example", "https://api.github.com/repos/a/other.example"),
        ("https://%61pi.github.com/x", "https://api.github.com/x"),
    ],
)
def test_an_address_of_githubs_is_followed_as_it_was_read(target, there):
    assert HOSTS.follow("https://api.github.com/repos/a/b", target) == there


@pytest.mark.parametrize("written", [r"{0}\@{1}/x", r"{0}\\@{1}/x", "{0}#@{1}/x", r"{0}\.{1}"])
@pytest.mark.parametrize("how", ["redirect", "page"])
def test_a_redirect_and_a_next_page_go_where_they_were_judged_to_go(history, github, open_github, written, how):
    target = "http://" + written.format(*(github.url(role).removeprefix("http://") for role in ("foreign", "api")))

    def mangle(request: Request, reply: Reply) -> Reply:
        if "/commits?" not in request.target:
            return reply
        if how == "redirect":
            return Reply(302, headers={"Location": target})
        return Reply(200, b"[]", headers={"Link": f'<{target}>; rel="next"'})

    github.mangle = mangle
    assert "which is not GitHub's" in refused(open_github())
    assert github.count("foreign") == 0


def test_by_http_only_this_machine_is_asked(monkeypatch):
    monkeypatch.setenv("KBW_GITHUB_API_URL", "http://git.example.com/api/v3")
    with pytest.raises(SourceError, match=r"^KBW_GITHUB_API_URL: http is for this machine alone; write https://git"):
        Hosts.from_environment()
    for here in ("http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:1"):
        monkeypatch.setenv("KBW_GITHUB_API_URL", here)
        assert Hosts.from_environment().api == here


@pytest.mark.parametrize(
    ("fault", "pattern"),
    [
        (Fault("drip", after=0.05), HEAD),
        (Fault("drip", after=0.05), TREE),
        (Fault("drip", after=0.05, status=404), HEAD),
        (Fault("slow", after=0.05), HEAD),
        (Fault("slow", after=0.05), LIST),
        (Fault("slow", after=0.05), TREE),
    ],
    ids=lambda one: one if isinstance(one, str) else one.kind,
)
def test_a_byte_at_a_time_ends(history, github, open_github, fault, pattern):
    """Headers as well as bodies: no silence is longer than the twentieth part of what is allowed."""
    github.fail(fault, pattern, times=None)
    words = refused(open_github(patience=HURRIED))
    assert re.search(r"is too slow: the answer was not whole within 1(\.5)? s; ingest it again later$", words)


@pytest.mark.parametrize("status", [403, 404, 429, 500])
@pytest.mark.parametrize("kind", ["slow", "endless", "line"])
def test_the_body_of_a_refusal_ends(history, github, open_github, kind, status):
    """One byte at a time, and gigabytes at once: what the status says stays said."""
    github.fail(Fault(kind, after=0.05, status=status), HEAD, times=None)
    words = refused(open_github(patience=Patience(complaint_s=0.5, attempts=1, longest_wait_s=100)))
    assert str(status) in words or "wants no request until" in words
    assert github.sent < 2**27


@pytest.mark.parametrize("kind", ["endless", "line"])
def test_an_answer_without_end_is_given_up(history, github, open_github, monkeypatch, kind):
    monkeypatch.setattr(client, "_LARGEST_JSON", 2**20)
    monkeypatch.setattr(client, "_ON_THE_WIRE", {"api": 2**21})
    github.fail(Fault(kind), HEAD, times=None)
    assert re.search("sends more than (1 MiB|2048 KiB)|the connection broke", refused(open_github(patience=HURRIED)))
    assert github.sent < 2**27


@pytest.mark.parametrize("kind", ["slow", "drip", "endless", "line"])
@pytest.mark.parametrize("role", ["raw", "codeload"])
def test_a_file_and_an_archive_without_end_are_had_by_another_route(
    history, github, open_github, monkeypatch, heard, role, kind
):
    with_many_files(history)
    monkeypatch.setattr(client, "_ON_THE_WIRE", client._ON_THE_WIRE | {role.replace("codeload", "archive"): 2**20})
    github.fail(Fault(kind, after=0.05), times=1, roles=[role])
    hurried = Patience(connect_s=0.5, read_s=2, transfer_s=2, archive_s=1, attempts=2)
    assert everything(open_github(patience=hurried)) == everything_by_git(history.path)
    assert github.sent < 2**27


@pytest.mark.parametrize("layers", [1, 2])
def test_what_is_packed_small_and_large_within_is_given_up(history, github, open_github, layers):
    """64 MiB of zeros in 64 kB: no more is unpacked than may be an answer."""
    body = b'{"sha": "' + bytes(2**27)
    for _ in range(layers):
        body = gzip.compress(body, 6)
    headers = {"Content-Encoding": ", ".join(["gzip"] * layers)}
    github.mangle = lambda request, reply: Reply(200, body, headers=headers)
    assert "sends more than 64 MiB for one answer" in refused(open_github())


def longest(kind: bytes, size: int) -> bytes:
    """An archive whose first header says that its own words take so many bytes, all of them zero."""
    info = tarfile.TarInfo("pax_global_header")
    info.type, info.size = kind, size
    return gzip.compress(info.tobuf(tarfile.USTAR_FORMAT) + bytes(size + 1024), 1)


def chained() -> bytes:
    """A header of a header of a header."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 512
    words = b"12 path=xyz\n" + bytes(500)
    return gzip.compress((info.tobuf(tarfile.USTAR_FORMAT) + words) * 900 + bytes(1024), 1)


def negative() -> bytes:
    info = tarfile.TarInfo("x")
    block = bytearray(info.tobuf(tarfile.USTAR_FORMAT))
    block[124:136] = (-1536).to_bytes(12, "big", signed=True)
    block[148:156] = b"%06o\0 " % (sum(block[:148]) + 8 * 32 + sum(block[156:512]))
    return gzip.compress(bytes(block) * 3 + bytes(1024), 1)


def sparse(words: str) -> bytes:
    info = tarfile.TarInfo("top/x")
    info.pax_headers = {"GNU.sparse.major": words, "GNU.sparse.minor": "0", "GNU.sparse.map": "x,y", "size": words}
    return gzip.compress(info.tobuf(tarfile.PAX_FORMAT) + b"9" * 512 + bytes(1024), 1)


@pytest.mark.parametrize(
    "body",
    [
        longest(tarfile.XGLTYPE, 2**23),
        longest(tarfile.XHDTYPE, 2**23),
        longest(tarfile.GNUTYPE_LONGNAME, 2**23),
        chained(),
        negative(),
        sparse("1"),
        sparse("x"),
        sparse("0"),
        packed(*[member(f"top/{number}") for number in range(200)]),
    ],
    ids=["global", "pax", "long name", "chained", "negative", "sparse", "no number", "sparse map", "members"],
)
def test_an_archive_that_is_a_trap_is_done_without(history, github, open_github, monkeypatch, heard, body):
    with_many_files(history)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 100)
    github.mangle = lambda request, reply: Reply(200, body) if request.role == "codeload" else reply
    assert everything(open_github(patience=Patience(attempts=2))) == everything_by_git(history.path)
    assert any(words.endswith("going on file by file") for words in heard)


def test_a_tree_that_holds_itself_is_refused(history, github, open_github):
    """One folder, and within it the same, without end; and a thousand of them beside each other."""

    def edit(value: Any) -> None:
        names = ["results"] if "results" in str(value) else [f"timing{number}" for number in range(9)]
        mine = [
            {"path": name, "mode": "040000", "type": "tree", "sha": value["sha"]}
            for name in ("results", "timing", *names)
        ]
        value["truncated"] = "timing" not in str(value["sha"])
        value["tree"] = list({entry["path"]: entry for entry in mine}.values())

    change(github, "recursive", edit)
    change_all = github.mangle

    def mangle(request: Request, reply: Reply) -> Reply:
        if TREE in request.target and "recursive" not in request.target:
            sha = json.loads(reply.body)["sha"]
            entries = [
                {"path": name, "mode": "040000", "type": "tree", "sha": sha} for name in ("results", "timing", "a")
            ]
            return Reply(200, json.dumps({"sha": sha, "tree": entries, "truncated": False}).encode())
        return change_all(request, reply)

    github.mangle = mangle
    assert re.search("more than (64 folders above it|[0-9,]+ entries)", refused(open_github()))


def test_a_small_tree_with_more_entries_than_can_be_is_refused(history, github, open_github, monkeypatch):
    monkeypatch.setattr(trees, "MOST_ENTRIES", 3)
    assert "has more than 3 entries" in refused(open_github())


def kept(folder: Path, name: str) -> Path:
    (found,) = folder.rglob(name)
    return found


def keep(path: Path, data: bytes) -> None:
    """With the digest that belongs to it: whoever can write there can do so."""
    path.write_bytes(data + b"\n" + sha256(data).hexdigest().encode())


@pytest.mark.parametrize("name", ["head.json", "listing.json", "timing.json"])
def test_one_letter_changed_in_what_is_remembered_is_not_believed(history, github, open_github, tmp_path, name):
    """A date, an id, a path: each reads as well as before."""
    list(open_github().listings())
    everything(open_github())
    path = kept(tmp_path / "cache", name)
    whole = path.read_bytes()
    for old, new in ((b"2025", b"2024"), (b"timing", b"timinG"), (b"1", b"2")):
        path.write_bytes(whole.replace(old, new))
        assert everything(open_github()) == everything_by_git(history.path)


def test_a_date_changed_in_what_is_remembered_is_not_published(history, github, open_github, tmp_path):
    everything(open_github())
    path = kept(tmp_path / "cache", "head.json")
    path.write_bytes(path.read_bytes().replace(b"2025-01-0", b"2025-02-0"))
    assert everything(open_github()).chain == everything_by_git(history.path).chain


@pytest.mark.parametrize(
    "edit",
    [
        lambda learnt: put(learnt, "chain.0", "../../x"),
        lambda learnt: put(learnt, "head.id", "../../x"),
        lambda learnt: put(learnt, "head.tree", "../x"),
        lambda learnt: put(learnt, "head.at", "0001-01-01T00:00:00+14:00"),
        lambda learnt: put(learnt, "head.at", "2025-01-01T00:00:00"),
        lambda learnt: put(learnt, "etag", "x\r\nHost: other"),
        lambda learnt: put(learnt, "etag", "\ud7ff" * 10),
        lambda learnt: learnt["dated"].update({"..": {"at": "2025-01-01T00:00:00Z", "tree": "a" * 40}}),
    ],
)
def test_a_memory_that_could_not_have_been_learnt_is_forgotten(history, github, open_github, tmp_path, edit):
    everything(open_github())
    path = kept(tmp_path / "cache", "head.json")
    learnt = json.loads(path.read_bytes().splitlines()[0])
    edit(learnt)
    keep(path, json.dumps(learnt).encode())
    assert everything(open_github()) == everything_by_git(history.path)


@pytest.mark.parametrize(
    "data", [b"[" * DEEP, b'{"a":' * DEEP, b"null", b"\xff", b""], ids=["deep", "x", "0", "1", "2"]
)
def test_a_memory_of_whatever_bytes_is_forgotten(history, github, open_github, tmp_path, data):
    everything(open_github())
    for path in [one for one in (tmp_path / "cache").rglob("*") if one.is_file()]:
        keep(path, zlib.compress(data) if path.parent.name == "listings" else data)
    assert everything(open_github()) == everything_by_git(history.path)


def test_files_that_are_remembered_under_no_path_are_forgotten(history, github, open_github, tmp_path):
    everything(open_github())
    for path in (tmp_path / "cache").rglob("trees/*.json"):
        keep(path, json.dumps({"../../x": "a" * 40}).encode())
    for path in (tmp_path / "cache").rglob("listings/*"):
        keep(path, zlib.compress(json.dumps({"results/timing/x.json": "../../x"}).encode()))
    assert everything(open_github()) == everything_by_git(history.path)


def test_an_etag_that_cannot_be_sent_again_is_not_kept(history, github, open_github):
    odd = ['W/"a\x01"', "bare", '"' + "x" * 5000 + '"', '"\xe4"']
    for etag in odd:
        change(github, HEAD, lambda value: value, {"ETag": etag})
        everything(open_github())
        assert open_github()._learnt.etag is None


def test_the_rules_of_answers_and_of_what_is_remembered_are_the_same():
    assert memory.Id is answers.Id


@pytest.mark.parametrize(
    "target", ["http://[", "https://\xd5", "/repos\xbfa", "http://[v1.x]:y/", "", "http://a:b:c/", "\\", "http://\xad/"]
)
def test_a_redirect_to_nowhere_is_refused_in_one_line(history, github, open_github, target):
    """What leads back to itself, or to no address at all."""
    github.mangle = lambda request, reply: Reply(302, headers={"Location": target})
    assert re.search("redirects (in a circle|to .*, which is not GitHub's)", refused(open_github()))


@pytest.mark.parametrize(
    "cookie", ["a=b; expires=Thu, 01 Jac 2030 00:00:00 GMT", "=;=;", "a=b; expires=Thu, 01 Jan \xb2\xb2 00:00:00 GMT"]
)
def test_an_odd_cookie_is_not_read(history, github, open_github, cookie):
    """Nothing is printed of it, and no warning is given."""
    github.mangle = lambda request, reply: Reply(
        reply.status, reply.body, reply.kind, {**reply.headers, "Set-Cookie": cookie}
    )
    assert everything(open_github()) == everything_by_git(history.path)


@pytest.mark.parametrize(
    "size", ["-10", "-1", "zz", "", "f" * 30, "\xff", "10;" + "x" * 100_000], ids=lambda size: size[:4]
)
def test_a_body_in_chunks_of_no_size_is_refused_in_one_line(history, github, open_github, size):
    body = f"{size}\r\n".encode("latin-1") + b"x" * 16
    github.mangle = lambda request, reply: Reply(200, body, headers={"Transfer-Encoding": "chunked"})
    assert "; ingest it again later" in refused(open_github(patience=HURRIED))
