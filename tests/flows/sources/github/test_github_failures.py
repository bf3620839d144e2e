"""Everything a network does: what passes is waited out, what does not is said in one line."""

from __future__ import annotations

import pickle
import subprocess
import threading
import time
from contextlib import closing
from itertools import product

import pytest

from flows.sources.github import GitHubSource, Patience, transfers
from flows.sources.github.client import AT_ONCE
from flows.sources.interface import SourceError
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.github import Fault
from tests.histories import module, module_path

PASSING = ["reset", "cut", "chunks", "500", "502", "503", "html"]


def many_files(history) -> None:
    """More files than are fetched one by one."""
    names = [f"{number}_Problem{number}.py" for number in range(1, transfers.FEW + 30)]
    history.commit("2025-02-01", {module_path(name): module(name) for name in names})
    assert history.path


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        *product(["head", "list", "tree", "raw", "archive"], PASSING),
        *product(["redirect"], ["500", "502", "503", "html"]),  # its body does not matter
    ],
)
def test_what_passes_is_waited_out(history, github, clock, open_github, asked, kind):
    many_files(history)
    pattern, role = {
        "head": ("/commits/", "api"),
        "list": ("/commits[?]", "api"),
        "tree": ("/git/trees/", "api"),
        "raw": ("", "raw"),
        "redirect": ("/tarball/", "api"),
        "archive": ("", "codeload"),
    }[asked]
    github.fail(Fault(kind), pattern, times=2, roles=[role])
    assert everything(open_github()) == everything_by_git(history.path)
    assert len(clock.slept) == 2
    assert all(rule.left == 0 for rule in github._rules), "nothing failed: the test would prove nothing"


def test_waits_grow_and_differ(history, github, clock, open_github, heard):
    github.fail(Fault("500"), times=4)
    open_github().revisions(())
    assert all(2**n <= wait <= 2**n + 1 for n, wait in enumerate(clock.slept))
    assert len({wait % 1 for wait in clock.slept}) == 4
    assert "answers 500; trying again in 1 s (attempt 2 of 6)" in heard[0] or "in 2 s (attempt 2" in heard[0]


@pytest.mark.parametrize("kind", PASSING)
def test_what_does_not_pass_ends_in_one_line(history, github, open_github, kind):
    github.fail(Fault(kind), times=None)
    with pytest.raises(SourceError, match=r"^lab/KernelBench: .*, 6 times in a row; ingest it again later$") as ended:
        open_github().revisions(())
    assert ended.value.__cause__ is ended.value.__context__ is None, "the library's error holds the request"
    assert github.count("api") == 6


def test_nobody_there(history, github, open_github, monkeypatch):
    monkeypatch.setenv("KBW_GITHUB_API_URL", "http://127.0.0.1:9")
    with pytest.raises(
        SourceError, match=r"^lab/KernelBench: 127\.0\.0\.1:9: no connection, or one that broke, 6 times"
    ):
        open_github().revisions(())


def test_silence_is_waited_out_only_so_long(history, github, open_github, clock):
    github.fail(Fault("silent", after=4))
    open_github(patience=Patience(read_s=1.5)).revisions(())
    assert len(clock.slept) == 1


def test_a_body_that_dribbles_is_given_up(history, github, open_github, heard):
    github.fail(Fault("slow", after=0.1), roles=["raw"])
    assert everything(open_github(patience=Patience(transfer_s=1))) == everything_by_git(history.path)
    assert any("is too slow" in words for words in heard)


def test_an_archive_that_never_comes_is_done_without(history, github, open_github, heard):
    many_files(history)
    github.fail(Fault("reset"), roles=["codeload"], times=None)
    assert everything(open_github()) == everything_by_git(history.path)
    assert any("in the middle of an answer, 6 times in a row" in words and "file by file" in words for words in heard)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "wants a token (401); set GITHUB_TOKEN"),
        (403, "forbids it (403); it takes a GITHUB_TOKEN that may read lab/KernelBench"),
        (
            404,
            "has no such repository or ref, or it is private (404); check the spelling, or set a GITHUB_TOKEN that may",
        ),
        (409, "the repository has no commit yet (409)"),
        (422, "the repository has no branch, tag or commit 'HEAD' (422)"),
        (451, "for legal reasons (451)"),
        (418, "answers 418"),
    ],
)
def test_refusals_are_told_apart(history, github, open_github, status, words):
    github.fail(Fault("status", status=status))
    with pytest.raises(SourceError) as refused:
        open_github().revisions(())
    assert words in str(refused.value)
    assert str(refused.value).startswith("lab/KernelBench: ")
    assert "\n" not in str(refused.value)
    assert github.count("api") == 1, "a refusal does not pass"
    again = pickle.loads(pickle.dumps(refused.value))  # as a flow's engine may do
    assert (str(again), again.status) == (str(refused.value), status)


def test_no_such_repository_and_no_such_ref(history, github, open_github):
    with pytest.raises(SourceError, match=r"lab/Other: .* no such repository"):
        open_github("lab/Other").revisions(())
    with pytest.raises(SourceError, match=r"lab/KernelBench@gone: .* no branch, tag or commit 'gone' \(422\)"):
        open_github(ref="gone").revisions(())


def test_a_wrong_token_is_named(history, github, open_github, monkeypatch):
    github.token = "right"
    github.set_environment(monkeypatch, token="wrong")
    with pytest.raises(
        SourceError, match=r"does not accept the GITHUB_TOKEN \(401\); renew it, or unset it"
    ) as refused:
        open_github().revisions(())
    assert "wrong" not in str(refused.value)


def test_a_repository_without_commits(tmp_path, github, open_github, history):
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "empty")], check=True)
    github.serve(tmp_path / "empty")
    with pytest.raises(SourceError, match="no commit yet"):
        open_github().revisions(())


@pytest.mark.parametrize(
    ("repository", "ref"),
    [
        ("", None), ("lab", None), ("lab/", None), ("/x", None), ("a/b/c", None), ("../x", None), ("lab/..", None),
        ("lab/x?y", None), ("lab/x y", None), ("lab/x\n", None), ("lab/x", ""), ("lab/x", "../../user"),
        ("lab/x", "a b"),
        ("lab/x", "-x"), ("lab/x", "a?b"), ("lab/x", "a\nb"), ("lab/x", "/a"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_repository_or_a_ref_is_not_asked_for(history, github, open_github, repository, ref):
    with pytest.raises(SourceError) as refused:
        open_github(repository, ref)
    assert len(str(refused.value).splitlines()) <= 1 or "\n" in repository
    assert not github.requests


def test_a_renamed_repository_is_followed_and_remembered(history, github, open_github):
    github.old_name = "lab/KernelBench"
    github.name = "lab/Renamed"
    source = open_github()
    assert everything(source) == everything_by_git(history.path)
    moved = [request for request in github.requests if request.path.startswith("/repos/")]
    assert len(moved) == 1
    assert source.requests_made["api"] == github.count("api")


@pytest.mark.parametrize("role", ["api", "raw", "codeload"])
def test_a_redirect_to_another_host_is_not_followed(history, github, open_github, role):
    many_files(history)
    github.fail(Fault("foreign"), roles=[role])
    with pytest.raises(SourceError, match=r"redirects to 127\.0\.0\.1:\d+, which is not GitHub's$"):
        everything(open_github())
    assert github.count("foreign") == 0


def test_a_redirect_in_a_circle_ends(history, github, open_github):
    github.fail(Fault("circle"), times=None)
    with pytest.raises(SourceError, match="redirects in a circle"):
        open_github().revisions(())


def test_at_most_eight_transfers_at_a_time(history, github, open_github, monkeypatch):
    many_files(history)
    monkeypatch.setattr(transfers, "FEW", 10_000)
    github.delay = 0.005
    everything(open_github())
    assert AT_ONCE // 2 <= github.most_at_once <= AT_ONCE


def test_a_reader_that_stops_in_the_middle_leaves_no_thread(history, github, open_github):
    many_files(history)
    source = open_github()
    chain = source.revisions(())
    blobs = sorted(set(source.files(chain.head).values()))
    transfers_before = source._transfers
    for _ in range(2):
        reading = transfers_before._one_by_one(blobs)
        next(reading)
        reading.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("kbw-github")]
    assert len(list(source.read(blobs))) == len(blobs), "it can be read again"


def test_where_one_transfer_ends_the_others_do_not_wait_on(history, github, monkeypatch):
    """With real waits: what ends one transfer must not leave the other seven asleep for a minute."""
    many_files(history)
    monkeypatch.setattr(transfers, "FEW", 10_000)
    with closing(GitHubSource("lab/KernelBench")) as source:
        blobs = sorted(set(source.files(source.revisions(()).head).values()))
        github.fail(Fault("foreign"), roles=["raw"])
        github.fail(Fault("429", after=60), roles=["raw"], times=7)
        begun = time.monotonic()
        with pytest.raises(SourceError, match="which is not GitHub's"):
            list(source.read(blobs))
        assert time.monotonic() - begun < 10


def test_closing_ends_every_wait(history, github):
    with closing(GitHubSource("lab/KernelBench")) as source:
        github.fail(Fault("429", after=60))
        threading.Timer(0.3, source.close).start()
        with pytest.raises(SourceError, match="ended while waiting"):
            source.revisions(())
