"""HTTP as GitHub wants it: pooled, bounded, retried, patient with limits, and never outside its hosts.

Failures that may pass (resets, timeouts, 5xx, cut bodies, HTML where JSON is due) are tried again with exponential
backoff and jitter. Whatever is raised from here is a SourceError of one line; it holds no address beyond a host,
and nothing of the token.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from threading import Event, Lock
from typing import Generic, Literal, NoReturn, TypeVar
from urllib.parse import quote, urlencode, urljoin

import msgspec
import requests
import urllib3
from requests.adapters import HTTPAdapter
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from flows.sources.github.answers import Complaint
from flows.sources.github.hosts import Hosts, TokenForApi, host_of
from flows.sources.github.limits import Gate, Hold, asked_to_wait, nothing_remains
from flows.sources.interface import SourceError

AT_ONCE = 8
"""Transfers at a time: pooled connections, and threads that fetch files."""

_MOVED = (301, 302, 303, 307, 308)
_MOVED_FOR_GOOD = (301, 308)
_HOPS = 5
_CHUNK = 2**16
_LARGEST_JSON = 2**27
_LARGEST_ARCHIVE = 2**30
_LONGEST_COMPLAINT = 200

Purpose = Literal["api", "raw", "archive"]
T = TypeVar("T")


@dataclass(frozen=True)
class Patience:
    """How long to wait for what, in seconds, and how often to try."""

    connect_s: float = 10
    read_s: float = 60
    transfer_s: float = 600
    """A file or an answer that takes longer in all is given up; an archive may take as long as bytes keep coming."""
    attempts: int = 6
    longest_backoff_s: float = 30
    longest_wait_s: float = 900
    """In all, where GitHub asks for it; where it asks for more, the ingest ends and says when to come back."""


class Again(Exception):
    """A failure that may pass. Never raised to a caller of the client, except while an archive is read."""


class Denied(SourceError):
    """The host has an answer, and it is no: 4xx. ``status`` says which."""

    def __init__(self, words: str, status: int = 0) -> None:
        """Say it in words."""
        super().__init__(words)
        self.status = status


class GaveUp(SourceError):
    """A failure that did not pass."""

    may_pass = True


class TooLarge(SourceError):
    """An answer of a size that none should have."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A JSON answer; ``value`` is null where nothing has changed since the ETag that was sent."""

    value: T | None
    etag: str | None
    next: str | None


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
        return self._ask(self._api(path, query), shape, etag)

    def pages(self, path: str, shape: type[T], /, **query: object) -> Iterator[T]:
        """Ask for a list, page after page, as far as the caller goes on."""
        url: str | None = self._api(path, query)
        while url is not None:
            answer = self._ask(url, shape, None)
            assert answer.value is not None
            yield answer.value
            url = answer.next
            if url is not None and not self._hosts.is_api(url):
                raise SourceError(
                    f"{self.name}: the next page is said to be at {host_of(url)}, which is not GitHub's API"
                )

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
            yield ArchiveStream(response, self._patience)

    def attempts(self) -> Retrying:
        """Tries at something that raises Again; what ends it is GaveUp."""
        return Retrying(
            stop=stop_after_attempt(self._patience.attempts),
            wait=wait_exponential_jitter(max=self._patience.longest_backoff_s),
            retry=retry_if_exception_type(Again),
            sleep=self._sleep,
            before_sleep=self._say_again,
            retry_error_callback=self._give_up,
        )

    def say(self, words: str) -> None:
        """Tell the listener."""
        self._listener(words)

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
        session = requests.Session()
        session.headers["User-Agent"] = "kernelbench-warehouse"
        session.auth = self._token
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = HTTPAdapter(pool_connections=4, pool_maxsize=AT_ONCE, pool_block=True)
        session.mount("https://", adapter)
        session.mount("http://", adapter)
        return session

    def _api(self, path: str, query: Mapping[str, object]) -> str:
        return f"{self._address}{path}{'?' if query else ''}{urlencode(query)}"

    def _ask(self, url: str, shape: type[T], etag: str | None) -> Answer[T]:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if etag:
            headers["If-None-Match"] = etag
        return self._get(url, "api", headers, lambda response: self._json(response, shape))

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

        def once() -> T:
            response = self._answer(url, purpose, headers)
            try:
                self._refuse(response)
                value = read(response)
            except BaseException:
                response.close()
                raise
            if not keep:
                response.close()
            return value

        return self.attempts()(once)

    def _answer(self, url: str, purpose: Purpose, headers: Mapping[str, str]) -> requests.Response:
        """Send a request and follow where it leads; each hop by hand, so that the token goes to the API only."""
        for _ in range(_HOPS):
            response = self._send(url, purpose, headers)
            if response.status_code not in _MOVED:
                return response
            response.close()
            target = urljoin(url, response.headers.get("Location", ""))
            if not self._hosts.allows(target):
                raise SourceError(f"{self.name}: {host_of(url)} redirects to {host_of(target)}, which is not GitHub's")
            if response.status_code in _MOVED_FOR_GOOD:
                self._remember_move(url, target)
            url = target
        raise SourceError(f"{self.name}: {host_of(url)} redirects in a circle")

    def _send(self, url: str, purpose: Purpose, headers: Mapping[str, str]) -> requests.Response:
        """Send one request when its host wants it, as often as the host puts it off."""
        host = host_of(url)
        times = 0
        while True:
            self._gate.pass_through(host)
            with self._lock:
                self._made["api" if self._hosts.is_api(url) else purpose] += 1
            response = self._exchange(host, lambda: self._get_once(url, headers))
            hold = self._put_off(response, times)
            if hold is None:
                return response
            response.close()
            self._gate.close(host, hold)
            times += 1

    def _get_once(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        timeout = (self._patience.connect_s, self._patience.read_s)
        return self._session.get(url, headers=dict(headers), timeout=timeout, stream=True, allow_redirects=False)

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

    def _refuse(self, response: requests.Response) -> None:
        """Tell refusals apart, in one line each."""
        status, host = response.status_code, host_of(response.url)
        if status in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}:
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
            HTTPStatus.FORBIDDEN: f"{host} forbids it (403); it takes a GITHUB_TOKEN that may read {self.repository}",
            HTTPStatus.NOT_FOUND: f"{host} has no such repository or ref, or it is private (404); check the spelling, "
            "or set a GITHUB_TOKEN that may read it",
            HTTPStatus.CONFLICT: "the repository has no commit yet (409); there is nothing to ingest",
            HTTPStatus.UNPROCESSABLE_ENTITY: f"the repository has no branch, tag or commit {ref!r} (422)",
            HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS: f"{host} may not show it, for legal reasons (451)",
        }
        return words.get(status, f"{host} answers {status}")

    def _complaint(self, response: requests.Response) -> str:
        """What the answer says, in one line; nothing where it is not JSON."""
        body = self._exchange(host_of(response.url), lambda: response.content)
        try:
            said = msgspec.json.decode(body, type=Complaint).message
        except msgspec.MsgspecError:
            return ""
        return " ".join(said.split())[:_LONGEST_COMPLAINT]

    def _json(self, response: requests.Response, shape: type[T]) -> Answer[T]:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return Answer(None, None, None)
        body = self._body(response, _LARGEST_JSON)
        try:
            value = msgspec.json.decode(body, type=shape)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            value = None
        if value is None:
            raise Again(f"{host_of(response.url)} answers with something other than the JSON that was asked for")
        return Answer(value, response.headers.get("ETag"), response.links.get("next", {}).get("url"))

    def _plain(self, response: requests.Response, largest: int) -> bytes:
        if response.headers.get("Content-Type", "").startswith("text/html"):
            raise Again(f"{host_of(response.url)} answers with a page instead of a file")
        return self._body(response, largest)

    def _body(self, response: requests.Response, largest: int) -> bytes:
        return self._exchange(host_of(response.url), lambda: self._bounded(response, largest))

    def _bounded(self, response: requests.Response, largest: int) -> bytes:
        begun = time.monotonic()
        body = bytearray()
        for chunk in response.iter_content(_CHUNK):
            body += chunk
            if len(body) > largest:
                raise TooLarge(
                    f"{self.name}: {host_of(response.url)} sends more than {largest >> 20} MiB for one answer"
                )
            if time.monotonic() - begun > self._patience.transfer_s:
                raise Again(
                    f"{host_of(response.url)} is too slow: {len(body)} bytes in {self._patience.transfer_s:g} s"
                )
        return bytes(body)

    def _exchange(self, host: str, act: Callable[[], T]) -> T:
        """Do something on the network. What the library raises holds the request, token and all: it stays here."""
        try:
            return act()
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            words = what_broke(error, self._patience)
        raise Again(f"{host}: {words}")

    def _say_again(self, state: RetryCallState) -> None:
        wait = state.next_action.sleep if state.next_action else 0
        attempt = f"attempt {state.attempt_number + 1} of {self._patience.attempts}"
        self._listener(f"{self.name}: {_reason(state)}; trying again in {wait:.0f} s ({attempt})")

    def _give_up(self, state: RetryCallState) -> NoReturn:
        raise GaveUp(f"{self.name}: {_reason(state)}, {state.attempt_number} times in a row; ingest it again later")

    def _sleep_until_woken(self, seconds: float) -> None:
        if self._awake.wait(seconds):
            raise SourceError(f"{self.name}: ended while waiting")


class ArchiveStream:
    """An archive's bytes as they come: what ``tarfile`` needs of a file. Raises Again where the transfer breaks."""

    def __init__(self, response: requests.Response, patience: Patience) -> None:
        """``response`` stays the caller's to close."""
        self._response = response
        self._patience = patience
        self._left = _LARGEST_ARCHIVE

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes; none at the end."""
        try:
            data: bytes = self._response.raw.read(size, decode_content=False)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            words = what_broke(error, self._patience)
        else:
            self._left -= len(data)
            if self._left >= 0:
                return data
            raise TooLarge(f"an archive of more than {_LARGEST_ARCHIVE >> 20} MiB")
        raise Again(f"{host_of(self._response.url)}: {words}")


def what_broke(error: Exception, patience: Patience) -> str:
    """An error of the network in words of our own."""
    said: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
        (requests.exceptions.ConnectTimeout, f"no connection within {patience.connect_s:g} s"),
        ((requests.exceptions.ReadTimeout, urllib3.exceptions.ReadTimeoutError), f"silent for {patience.read_s:g} s"),
        (requests.exceptions.ProxyError, "the proxy does not let it through"),
        (requests.exceptions.SSLError, "its certificate is not accepted"),
        (requests.exceptions.ChunkedEncodingError, "the connection broke in the middle of an answer"),
        (requests.exceptions.ContentDecodingError, "the answer is damaged"),
        (urllib3.exceptions.ProtocolError, "the connection broke in the middle of an answer"),
        (requests.exceptions.ConnectionError, "no connection, or one that broke"),
    )
    return next((words for kind, words in said if isinstance(error, kind)), type(error).__name__)


def _reason(state: RetryCallState) -> str:
    return str(state.outcome.exception()) if state.outcome else ""
