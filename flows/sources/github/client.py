"""HTTP as GitHub wants it: pooled, bounded, retried, patient with limits, and never outside its hosts.

Failures that may pass (resets, timeouts, 5xx, cut bodies, HTML where JSON is due) are tried again with exponential
backoff and jitter. Whatever is raised from here is a SourceError of one line; it holds no address beyond a host and
what was asked of the repository, and nothing of the token.

A server may be slow, wrong or hostile: every transfer has an end and a size (``bounds``), one request with all its
tries has an end, and so has a source with all its requests. What is asked is not believed before ``answers`` has it.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from threading import Event, Lock
from typing import Generic, Literal, NoReturn, TypeVar
from urllib.parse import quote, urlencode

import msgspec
import requests
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    stop_after_attempt,
    stop_after_delay,
    wait_exponential_jitter,
)

from flows.sources.github.answers import ETAG, Complaint
from flows.sources.github.archives import ArchiveStream
from flows.sources.github.bounds import BOUNDS, BoundedAdapter, Bounds
from flows.sources.github.errors import Again, Denied, GaveUp, TooLarge, shown, what_broke
from flows.sources.github.hosts import Hosts, TokenForApi, host_named, host_of
from flows.sources.github.limits import Gate, Hold, asked_to_wait, nothing_remains
from flows.sources.github.patience import LARGEST_ARCHIVE, Patience
from flows.sources.interface import SourceError

AT_ONCE = 8
"""Transfers at a time: pooled connections, and threads that fetch files."""

_MOVED = (301, 302, 303, 307, 308)
_MOVED_FOR_GOOD = (301, 308)
_HOPS = 5
_CHUNK = 2**16

_LARGEST_JSON = 2**26
"""Unpacked. GitHub cuts a tree at 7 MB, and a page of commits is 100 of them; a file beside it comes raw."""

_LARGEST_HEAD = 2**18
"""GitHub's headers take 3 kB, a redirect to its archives with it."""

_LARGEST_COMPLAINT = 2**14
"""Of the body of a refusal, a sentence is wanted."""

_ON_THE_WIRE = {"api": 2 * _LARGEST_JSON, "raw": 2**28, "archive": 2 * LARGEST_ARCHIVE}
"""Bytes of an answer with all that delimits its parts: what a reader that is told a size less than that never meets."""

_LONGEST_COMPLAINT = 200
_SHOWN_OF_A_BODY = 60

MOST_PAGES = 2_000
"""Of 100 commits each: more than any repository of figures has, and few enough to be kept in memory."""

_BY_GIT = "and ingest git:PATH"
_INSTEAD = f"it is not believed; clone it, {_BY_GIT}"

Purpose = Literal["api", "raw", "archive"]
T = TypeVar("T")


@dataclass(frozen=True)
class _Errand:
    """One request with all its tries and redirects."""

    purpose: Purpose
    headers: Mapping[str, str]
    until: float
    """``time.monotonic`` from which on it is not sent again."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A JSON answer; ``value`` is null where nothing has changed since the ETag that was sent."""

    value: T | None
    etag: str | None
    next: str | None


class _Session(requests.Session):
    """Leaves every redirect to whoever asks: ``requests`` would read where it leads though it is told not to go."""

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        return None


class Client:
    """Requests about one repository."""

    def __init__(
        self,
        name: str,
        repository: str,
        ref: str | None,
        hosts: Hosts,
        patience: Patience,
        listener: Callable[[str], None],
        clock: Callable[[], float],
        sleep: Callable[[float], None] | None,
    ) -> None:
        """``listener`` hears of every wait; ``sleep`` (by default one that ``wake`` ends) must let ``clock`` go on."""
        self.repository = repository
        self.name = name
        self._ref = ref
        self._hosts = hosts
        self._patience = patience
        self._listener = listener
        self._clock = clock
        self._sleep = sleep or self._sleep_until_woken
        self._token = TokenForApi(hosts)
        self._address = f"{hosts.api}/repos/{repository}"
        self._awake = Event()
        self._lock = Lock()
        self._made: Counter[str] = Counter(api=0, raw=0, archive=0)
        self._begun: float | None = None
        advice = "" if self._token.is_set else "; a GITHUB_TOKEN raises GitHub's limits"
        self._gate = Gate(name, patience.longest_wait_s, clock, self._sleep, listener, advice)
        self._session = self._new_session()

    @property
    def requests_made(self) -> dict[str, int]:
        """Requests sent so far, by kind; those that failed, and redirects, count."""
        with self._lock:
            return dict(self._made)

    def ask(self, path: str, shape: type[T], etag: str | None = None, **query: object) -> Answer[T]:
        """Ask the API about the repository; ``path`` is what follows ``/repos/OWNER/REPO``."""
        return self._ask(self._api(path, query), path, shape, etag)

    def pages(self, path: str, shape: type[list[T]], /, per_page: int, **query: object) -> Iterator[list[T]]:
        """Ask for a list, page after page, as far as the caller goes on."""
        url: str | None = self._api(path, {**query, "per_page": per_page})
        passed: set[str] = set()
        while url is not None:
            if url in passed or len(passed) == MOST_PAGES:
                what = "pages in a circle" if url in passed else f"more than {MOST_PAGES:,} pages"
                raise SourceError(f"{self.name}: {host_of(url)} answers {path} by {what}; clone it, {_BY_GIT}")
            passed.add(url)
            answer = self._ask(url, path, shape, None)
            assert answer.value is not None
            if len(answer.value) > per_page:
                raise self.distrust(path, f"{len(answer.value)} items for {per_page}")
            yield answer.value
            url = self._next(url, answer.next)

    def _next(self, url: str, said: str | None) -> str | None:
        """The page after one, as it is asked for."""
        if said is None:
            return None
        following = self._hosts.follow(url, said)
        if following is None or not self._hosts.is_api(following):
            where = host_named(url, said)
            raise SourceError(f"{self.name}: the next page is said to be at {where}, which is not GitHub's API")
        return following

    def raw(self, commit: str, path: str, largest: int) -> bytes:
        """One file's bytes as the raw host has them."""
        url = f"{self._hosts.raw}/{self.repository}/{commit}/{quote(path, errors='surrogateescape')}"
        return self._get(url, "raw", {}, lambda response: self._plain(response, largest))

    @contextmanager
    def archive(self, commit: str) -> Iterator[ArchiveStream]:
        """A commit's archive, as it comes. Reading from it raises Again where the transfer breaks."""
        headers = {"Accept-Encoding": "identity"}
        response = self._get(
            self._api(f"/tarball/{commit}", {}), "archive", headers, lambda response: response, keep=True
        )
        with response:
            yield ArchiveStream(f"{self.name}: the archive of {commit[:12]}", response, self._patience)

    def attempts(self) -> Retrying:
        """Tries at something that raises Again; what ends it is GaveUp."""
        return Retrying(
            stop=stop_after_attempt(self._patience.attempts) | stop_after_delay(self._patience.request_s),
            wait=wait_exponential_jitter(max=self._patience.longest_backoff_s),
            retry=retry_if_exception_type(Again),
            sleep=self._sleep,
            before_sleep=self._say_again,
            retry_error_callback=self._give_up,
        )

    def say(self, words: str) -> None:
        """Tell the listener."""
        self._listener(words)

    def distrust(self, asked: str, what: str) -> SourceError:
        """What to raise of an answer of the API that cannot be true: to ask once more would not mend it."""
        about = asked or "for the repository"
        return SourceError(
            f"{self.name}: {host_of(self._hosts.api)} answers {about} by what cannot be: {what}; {_INSTEAD}"
        )

    def wake(self) -> None:
        """End every wait: whoever waits gets a SourceError."""
        self._awake.set()

    def rest(self) -> None:
        """Let waits be possible again."""
        self._awake.clear()

    def close(self) -> None:
        """Close the connections."""
        self.wake()
        self._session.close()

    def _new_session(self) -> requests.Session:
        session = _Session()
        session.headers["User-Agent"] = "kernelbench-warehouse"
        session.auth = self._token
        adapter = BoundedAdapter(pool_connections=4, pool_maxsize=AT_ONCE, pool_block=True)
        session.mount("https://", adapter)
        session.mount("http://", adapter)
        return session

    def _api(self, path: str, query: Mapping[str, object]) -> str:
        return f"{self._address}{path}{'?' if query else ''}{urlencode(query)}"

    def _ask(self, url: str, asked: str, shape: type[T], etag: str | None) -> Answer[T]:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if etag:
            headers["If-None-Match"] = etag
        return self._get(url, "api", headers, lambda response: self._json(response, asked, shape))

    def _get(
        self,
        url: str,
        purpose: Purpose,
        headers: Mapping[str, str],
        read: Callable[[requests.Response], T],
        *,
        keep: bool = False,
    ) -> T:
        """Ask until there is an answer, and read it. ``keep``: the reader goes on with the response."""
        errand = _Errand(purpose, headers, time.monotonic() + self._patience.request_s)

        def once() -> T:
            response = self._answer(url, errand)
            try:
                self._refuse(response, conditional="If-None-Match" in headers)
                value = read(response)
            except BaseException:
                response.close()
                raise
            if not keep:
                response.close()
            return value

        return self.attempts()(once)

    def _answer(self, url: str, errand: _Errand) -> requests.Response:
        """Send a request and follow where it leads; each hop by hand, so that the token goes to the API only."""
        for _ in range(_HOPS):
            response = self._send(url, errand)
            if response.status_code not in _MOVED:
                return response
            response.close()
            said = response.headers.get("Location", "")
            target = self._hosts.follow(url, said)
            if target is None:
                where = host_named(url, said)
                raise SourceError(f"{self.name}: {host_of(url)} redirects to {where}, which is not GitHub's")
            if response.status_code in _MOVED_FOR_GOOD:
                self._remember_move(url, target)
            url = target
        raise SourceError(f"{self.name}: {host_of(url)} redirects in a circle")

    def _send(self, url: str, errand: _Errand) -> requests.Response:
        """Send one request when its host wants it, as often as the host puts it off."""
        host = host_of(url)
        times = 0
        while True:
            self._gate.pass_through(host)
            if time.monotonic() > errand.until:
                raise GaveUp(f"{self.name}: {host} puts it off again and again; ingest it again later")
            self._count("api" if self._hosts.is_api(url) else errand.purpose)
            response = self._exchange(host, lambda: self._get_once(url, errand))
            hold = self._put_off(response, times)
            if hold is None:
                return response
            response.close()
            self._gate.close(host, hold)
            times += 1

    def _count(self, purpose: Purpose) -> None:
        """Count a request that is about to be sent; raises SourceError where it would be one too many."""
        with self._lock:
            now = time.monotonic()
            self._begun = self._begun or now
            made = sum(self._made.values())
            if made >= self._patience.requests or now - self._begun > self._patience.source_s:
                spent = f"{made:,} requests in {now - self._begun:,.0f} s"
                raise SourceError(f"{self.name}: it took {spent}, and there is no end; ingest it again to go on")
            self._made[purpose] += 1

    def _get_once(self, url: str, errand: _Errand) -> requests.Response:
        patience = self._patience
        bounds = Bounds(self.name, host_of(url), patience.connect_s + patience.read_s, _LARGEST_HEAD)
        BOUNDS.set(bounds)
        response = self._session.get(
            url,
            headers=dict(errand.headers),
            timeout=(patience.connect_s, patience.read_s),
            stream=True,
            allow_redirects=False,
        )
        if response.status_code == HTTPStatus.OK:
            body_s = patience.archive_s if errand.purpose == "archive" else patience.transfer_s
            bounds.allow(body_s, _ON_THE_WIRE[errand.purpose])
        else:
            bounds.allow(patience.complaint_s, _LARGEST_HEAD)
        return response

    def _put_off(self, response: requests.Response, times: int) -> Hold | None:
        host = host_of(response.url)
        said = ""
        if response.status_code in {HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}:
            said = self._complaint(response)
        hold = asked_to_wait(response.status_code, response.headers, said, self._clock(), times)
        if hold is None and (spent := nothing_remains(response.headers, self._clock())):
            self._gate.expect(host, spent)
        return hold

    def _remember_move(self, url: str, target: str) -> None:
        """A repository that was renamed is asked under its new address from now on."""
        rest = url.removeprefix(self._address)
        if rest != url and target.endswith(rest) and self._hosts.is_api(target):
            self._address = target.removesuffix(rest)

    def _refuse(self, response: requests.Response, *, conditional: bool) -> None:
        """Tell refusals apart, in one line each. Only who asked ``conditional``ly may be told that nothing changed."""
        status, host = response.status_code, host_of(response.url)
        if status == HTTPStatus.OK or (conditional and status == HTTPStatus.NOT_MODIFIED):
            return
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
            raise Again(f"{host} answers {status}")
        said = self._complaint(response)
        raise Denied(f"{self.name}: {self._in_words(status, host)}{said and f' [{said}]'}", status)

    def _in_words(self, status: int, host: str) -> str:
        ref = self._ref or "HEAD"
        if status == HTTPStatus.UNAUTHORIZED:
            if self._token.is_set:
                return f"{host} does not accept the GITHUB_TOKEN (401); renew it, or unset it to read what is public"
            return f"{host} wants a token (401); set GITHUB_TOKEN"
        words: dict[int, str] = {
            HTTPStatus.NOT_MODIFIED: f"{host} says that nothing has changed (304), which was not asked",
            HTTPStatus.FORBIDDEN: f"{host} forbids it (403); it takes a GITHUB_TOKEN that may read {self.repository}",
            HTTPStatus.NOT_FOUND: f"{host} has no such repository or ref, or it is private (404); check the spelling, "
            "or set a GITHUB_TOKEN that may read it",
            HTTPStatus.CONFLICT: "the repository has no commit yet (409); there is nothing to ingest",
            HTTPStatus.UNPROCESSABLE_ENTITY: f"the repository has no branch, tag or commit {ref!r} (422)",
            HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS: f"{host} may not show it, for legal reasons (451)",
        }
        return words.get(status, f"{host} answers {status}")

    def _complaint(self, response: requests.Response) -> str:
        """What a refusal says, in one line; nothing where it is not JSON, or does not come."""
        try:
            body = self._body(response, _LARGEST_COMPLAINT)
            said = msgspec.json.decode(body, type=Complaint).message
        except (Again, TooLarge, msgspec.MsgspecError, RecursionError):
            return ""
        return shown(" ".join(said.split()), _LONGEST_COMPLAINT)

    def _json(self, response: requests.Response, asked: str, shape: type[T]) -> Answer[T]:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return Answer(None, None, None)
        body = self._body(response, _LARGEST_JSON)
        wrong, passing = "", True
        try:
            value = msgspec.json.decode(body, type=shape)
            return Answer(value, _etag(response), response.links.get("next", {}).get("url"))
        except msgspec.ValidationError as error:
            wrong, passing = shown(str(error), _LONGEST_COMPLAINT), False
        except RecursionError:
            wrong, passing = "JSON that is nested too deep", False
        except msgspec.DecodeError:
            wrong = f"what is not JSON, '{shown(body.decode(errors='replace'), _SHOWN_OF_A_BODY)}'"
        if passing:
            raise Again(f"{host_of(response.url)} answers {asked or 'for the repository'} by {wrong}")
        raise self.distrust(asked, wrong)

    def _plain(self, response: requests.Response, largest: int) -> bytes:
        if response.headers.get("Content-Type", "").startswith("text/html"):
            raise Again(f"{host_of(response.url)} answers with a page instead of a file")
        return self._body(response, largest)

    def _body(self, response: requests.Response, largest: int) -> bytes:
        return self._exchange(host_of(response.url), lambda: self._bounded(response, largest))

    def _bounded(self, response: requests.Response, largest: int) -> bytes:
        """The body, unpacked: what is packed small and large within is given up as it grows."""
        body = bytearray()
        for chunk in response.iter_content(_CHUNK):
            body += chunk
            if len(body) > largest:
                raise TooLarge(
                    f"{self.name}: {host_of(response.url)} sends more than {largest >> 20} MiB for one answer; "
                    f"clone it, {_BY_GIT}"
                )
        return bytes(body)

    def _exchange(self, host: str, act: Callable[[], T]) -> T:
        """Do something on the network. What the library raises holds the request, token and all: it stays here.

        It raises more than it says: a chunk of a negative size is a ValueError.
        """
        try:
            return act()
        except (Again, SourceError):
            raise
        except Exception as error:
            words = what_broke(error, self._patience)
        raise Again(f"{host}: {words}")

    def _say_again(self, state: RetryCallState) -> None:
        wait = state.next_action.sleep if state.next_action else 0
        attempt = f"attempt {state.attempt_number + 1} of {self._patience.attempts}"
        self._listener(f"{self.name}: {_reason(state)}; trying again in {wait:.0f} s ({attempt})")

    def _give_up(self, state: RetryCallState) -> NoReturn:
        times = "" if state.attempt_number == 1 else f", {state.attempt_number} times in a row"
        raise GaveUp(f"{self.name}: {_reason(state)}{times}; ingest it again later")

    def _sleep_until_woken(self, seconds: float) -> None:
        if self._awake.wait(seconds):
            raise SourceError(f"{self.name}: ended while waiting")


def _reason(state: RetryCallState) -> str:
    return str(state.outcome.exception()) if state.outcome else ""


def _etag(response: requests.Response) -> str | None:
    """What to send as a condition next time; nothing where it is none that could be sent."""
    etag = response.headers.get("ETag", "")
    return etag if re.match(ETAG, etag) else None
