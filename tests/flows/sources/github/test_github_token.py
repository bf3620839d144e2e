"""The token goes to the API, and nowhere else: not to another host, not into a word, not into a file."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest

from flows.sources.github import GitHubSource
from flows.sources.github.hosts import Hosts
from flows.sources.interface import SourceError
from tests.flows.sources.github.everything import everything, everything_by_git
from tests.flows.sources.github.test_github_files import blob_at, with_many_files
from tests.github import Fault, GitHub

TOKEN = "ghp_Secret0123456789"


def sees_it(request) -> bool:
    return any(TOKEN in value for value in request.headers.values()) or TOKEN in request.target


@pytest.fixture
def signed(github, monkeypatch) -> GitHub:
    github.token = TOKEN
    github.set_environment(monkeypatch, token=TOKEN)
    return github


def test_only_the_api_sees_the_token(history, signed, open_github):
    """Archives, raw files, and files of the API: the redirect to the archive host loses it."""
    with_many_files(history)
    blob = blob_at(history, "src/eval.py")
    signed.wrong["raw", blob] = signed.wrong["codeload", blob] = b"wrong"
    assert everything(open_github()) == everything_by_git(history.path)
    assert {request.role for request in signed.requests if sees_it(request)} == {"api"}
    assert all(
        request.headers["authorization"] == f"Bearer {TOKEN}" for request in signed.requests if request.role == "api"
    )
    assert {request.role for request in signed.requests} == {"api", "raw", "codeload"}
    assert any("/git/blobs/" in request.path for request in signed.requests)


def test_a_renamed_repository_still_sees_it(history, signed, open_github):
    signed.old_name, signed.name = signed.name, "lab/Renamed"
    everything(open_github())
    assert {request.role for request in signed.requests if sees_it(request)} == {"api"}


@pytest.mark.parametrize("fault", ["reset", "500", "html", "foreign", "circle", "status", "429", "limit"])
def test_no_word_holds_the_token(history, signed, open_github, heard, caplog, tmp_path, fault):
    """Not what is raised, with all its variables; not what is said; not what is logged; not what is kept."""
    caplog.set_level(logging.DEBUG)
    source = open_github()
    assert TOKEN not in repr(source)
    signed.fail(Fault(fault, status=403, after=5000), pattern="/git/", times=None)
    with pytest.raises(SourceError) as ended:
        everything(source)
    told = traceback.TracebackException.from_exception(ended.value, capture_locals=True)
    assert TOKEN not in "".join(told.format())
    assert TOKEN not in "".join(heard) + caplog.text + str(source.requests_made)
    assert caplog.records, "nothing was logged: the test would prove nothing"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    assert signed.count("foreign") == 0


@pytest.mark.parametrize("value", [f"{TOKEN}\nx", f"{TOKEN} x", f"{TOKEN}\0", f"{TOKEN}é"])
def test_what_cannot_be_a_token_is_refused_unseen(history, github, open_github, monkeypatch, value):
    monkeypatch.setattr("os.environ", {**__import__("os").environ, "GITHUB_TOKEN": value})
    with pytest.raises(SourceError, match="GITHUB_TOKEN: holds characters that no token has") as refused:
        open_github()
    assert TOKEN not in str(refused.value)


def test_a_line_end_behind_the_token_does_no_harm(history, signed, open_github, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", f" {TOKEN}\n")
    open_github().revisions(())


def test_passwords_of_other_programs_are_not_used(history, github, open_github, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("default login someone password hunter2\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with_many_files(history)
    everything(open_github())
    assert not [request for request in github.requests if "authorization" in request.headers]


def test_no_cookie_is_kept(history, github, open_github, monkeypatch):
    reply = github._api_reply

    def with_cookie(request, known):
        answer = reply(request, known)
        answer.headers["Set-Cookie"] = "who=you; Path=/"
        return answer

    monkeypatch.setattr(github, "_api_reply", with_cookie)
    everything(open_github())
    assert not [request for request in github.requests if "cookie" in request.headers]


GITHUB = Hosts("https://api.github.com", "https://raw.githubusercontent.com")
ENTERPRISE = Hosts("https://git.example.com/api/v3", "https://git.example.com/raw")


@pytest.mark.parametrize(
    ("hosts", "url", "allowed", "api"),
    [
        (GITHUB, "https://api.github.com/repositories/1/commits", True, True),
        (GITHUB, "https://API.GitHub.com/repositories/1/commits", True, True),
        (GITHUB, "https://codeload.github.com/a/b/legacy.tar.gz/c?token=x", True, False),
        (GITHUB, "https://raw.githubusercontent.com/a/b/c/d", True, False),
        (GITHUB, "http://api.github.com/repositories/1", False, False),
        (GITHUB, "https://api.github.com:8443/repositories/1", False, False),
        (GITHUB, "https://api.github.com.example.org/x", False, False),
        (GITHUB, "https://api.github.com@example.org/x", False, False),
        (GITHUB, "https://example.org/https://api.github.com/", False, False),
        (GITHUB, "https://notgithub.com/x", False, False),
        (GITHUB, "//example.org/x", False, False),
        (GITHUB, "file:///etc/passwd", False, False),
        (GITHUB, "https://[", False, False),
        (GITHUB, "https://api.github.com:port/", False, False),
        (GITHUB, "", False, False),
        (ENTERPRISE, "https://git.example.com/api/v3/repositories/1", True, True),
        (ENTERPRISE, "https://git.example.com/raw/a/b/c/d", True, False),
        (ENTERPRISE, "https://git.example.com/api/v3/../../raw/a", True, False),
        (ENTERPRISE, "https://git.example.com/api/v33/x", True, False),
        (ENTERPRISE, "https://codeload.git.example.com/a", True, False),
        (ENTERPRISE, "https://api.github.com/x", False, False),
    ],
)
def test_which_addresses_may_be_asked_and_which_see_the_token(hosts, url, allowed, api):
    assert hosts.allows(url) == allowed
    assert (hosts.allows(url) and hosts.is_api(url)) == api


@pytest.mark.parametrize(
    "url", ["api.github.com", "ftp://x", "https://", "https://user:pw@host", "https://h/?a=b", "https://["]
)
def test_what_is_no_address_is_refused(monkeypatch, url):
    monkeypatch.setenv("KBW_GITHUB_API_URL", url)
    with pytest.raises(SourceError, match=r"^KBW_GITHUB_API_URL: not an address such as https://api\.github\.com$"):
        GitHubSource("lab/KernelBench")


def test_by_default_it_is_githubs_own(monkeypatch):
    for variable in ("KBW_GITHUB_API_URL", "KBW_GITHUB_RAW_URL"):
        monkeypatch.delenv(variable, raising=False)
    assert Hosts.from_environment() == GITHUB


def test_no_file_of_the_source_reads_the_token_but_one():
    folder = Path(__file__).parents[4] / "flows" / "sources" / "github"
    assert [path.name for path in folder.glob("*.py") if '"GITHUB_TOKEN"' in path.read_text()] == ["hosts.py"]
