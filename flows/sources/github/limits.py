"""How long GitHub asks to wait, and waiting so long, or saying when to come back.

The rules are those of its "Best practices for using the REST API": ``Retry-After`` where there is one, else
``x-ratelimit-reset`` where nothing remains, else a minute, doubled each time. Its limits are by the hour: what asks for
more than that, or cannot be read, asks for no more than an hour here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from threading import Lock

from flows.sources.interface import SourceError

_LIMITED = (HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_AT_LEAST_S = 1.0
_UNTOLD_S = 60.0
_LONGEST_S = 3601.0  # the hour of GitHub's limits, whose clock shows whole seconds
_MOST_DOUBLINGS = 6
_NUMBER = re.compile(r"[0-9]{1,15}")
_SECONDARY = ("secondary rate limit", "abuse detection")


@dataclass(frozen=True)
class Hold:
    """Seconds in which a host wants no request, and why."""

    seconds: float
    why: str


def asked_to_wait(status: int, headers: Mapping[str, str], text: str, now: float, times: int) -> Hold | None:
    """What an answer asks for; None where it is no refusal for a limit.

    ``now`` is this machine's clock, used where the answer has no date; ``times`` is how often the same request was
    put off before.
    """
    if status not in _LIMITED:
        return None
    told = _retry_after(headers, _said_at(headers, now))
    if told is not None:
        return _hold(told, "it answers too many requests")
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        return None
    spent = nothing_remains(headers, now)
    if spent is not None:
        return spent
    if status == HTTPStatus.TOO_MANY_REQUESTS or any(words in text.lower() for words in _SECONDARY):
        return _hold(_UNTOLD_S * 2 ** min(times, _MOST_DOUBLINGS), "it answers too many requests")
    return None


def nothing_remains(headers: Mapping[str, str], now: float) -> Hold | None:
    """The wait until the limit is renewed, where an answer says that it is used up."""
    reset = _number(headers.get("x-ratelimit-reset", ""))
    if headers.get("x-ratelimit-remaining") != "0" or reset is None:
        return None
    limit = _number(headers.get("x-ratelimit-limit", ""))
    seconds = reset - _said_at(headers, now) + 1  # its clock shows whole seconds
    return _hold(seconds, f"its limit of {limit or 'its number of'} requests an hour is used up")


def _hold(seconds: float, why: str) -> Hold:
    """A wait that can be; where more was asked for, that is said."""
    if seconds > _LONGEST_S:
        return Hold(_LONGEST_S, f"{why} (it asks for longer than the hour of its limits)")
    return Hold(max(seconds, _AT_LEAST_S), why)


def _retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds, written as such or as a date."""
    value = headers.get("retry-after", "").strip()
    seconds = _number(value)
    if seconds is not None:
        return seconds
    at = _http_date(value)
    return None if at is None else at - now


def _number(value: str) -> int | None:
    return int(value) if _NUMBER.fullmatch(value) else None


def _said_at(headers: Mapping[str, str], now: float) -> float:
    """The time on GitHub's clock: this machine's may be wrong."""
    at = _http_date(headers.get("date", ""))
    return now if at is None else at


def _http_date(value: str) -> float | None:
    """Seconds since 1970; None where it is no date, which ``email.utils`` has several ways to say."""
    try:
        return parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


class Gate:
    """Holds requests back until their host wants them; for all threads of one source.

    ``sleep`` must let ``clock`` go on. Raises SourceError, which says when to come back, rather than wait for more
    than ``longest_s`` in all.
    """

    def __init__(
        self,
        name: str,
        longest_s: float,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        say: Callable[[str], None],
        advice: str,
    ) -> None:
        """``advice`` ends the word on a limit: what would raise it."""
        self._name = name
        self._longest_s = longest_s
        self._clock = clock
        self._sleep = sleep
        self._say = say
        self._advice = advice
        self._lock = Lock()
        self._until: dict[str, float] = {}
        self._spent: dict[str, tuple[float, str]] = {}
        self._waited_s = 0.0

    def pass_through(self, host: str) -> None:
        """Return when the host may be asked."""
        with self._lock:
            until, why = self._spent.pop(host, (0.0, ""))
        if until > self._clock():
            self.close(host, Hold(until - self._clock(), why))
        while (left := self._until.get(host, 0.0) - self._clock()) > 0:
            self._sleep(left)

    def close(self, host: str, hold: Hold) -> None:
        """Let nobody ask the host for a while."""
        with self._lock:
            now = self._clock()
            until = now + hold.seconds
            more = until - max(now, self._until.get(host, 0.0))
            if more <= 0:
                return
            when = f"{datetime.fromtimestamp(until, UTC):%Y-%m-%d %H:%M:%S} UTC (in {_words(hold.seconds)})"
            if self._waited_s + more > self._longest_s:
                raise SourceError(
                    f"{self._name}: {host} wants no request until {when}: {hold.why}; "
                    f"ingest it again then{self._advice}"
                )
            self._waited_s += more
            self._until[host] = until
        self._say(f"{self._name}: {host} wants no request until {when}: {hold.why}; waiting{self._advice}")

    def expect(self, host: str, hold: Hold) -> None:
        """Note that the next request, if there is one, has to wait."""
        with self._lock:
            self._spent[host] = (self._clock() + hold.seconds, hold.why)


def _words(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
