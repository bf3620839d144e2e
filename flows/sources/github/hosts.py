"""Which hosts may be asked, and which of them may see the token.

Answers name further addresses (redirects, next pages). None is followed outside GitHub's own hosts, or those that
stand in for them: ``KBW_GITHUB_API_URL`` and ``KBW_GITHUB_RAW_URL`` name a GitHub Enterprise host or a test server.

Readers of addresses differ over backslashes, user names and blanks. So there is one reader for deciding and for going:
``parse_url``, by which ``requests`` sends, and what could be read in two ways is no address.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urljoin

from requests import PreparedRequest
from requests.auth import AuthBase
from urllib3.util import Url, parse_url

from flows.sources.interface import SourceError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_A_TOKEN = re.compile(r"[\x21-\x7e]+")
_AN_ADDRESS = re.compile(r"https?://[^/?#@]+(?:[/?#].*)?", re.IGNORECASE)
_IN_NO_ADDRESS = re.compile(r"[^\x21-\x7e]|\\")

Origin = tuple[str, str, int]


@dataclass(frozen=True)
class Hosts:
    """Base addresses of the API and of the raw host, without a slash at the end."""

    api: str
    raw: str

    @classmethod
    def from_environment(cls) -> Hosts:
        """GitHub's own, unless the environment names others; raises SourceError where it names no http address."""
        return cls(
            _base("KBW_GITHUB_API_URL", "https://api.github.com"),
            _base("KBW_GITHUB_RAW_URL", "https://raw.githubusercontent.com"),
        )

    def is_api(self, url: str) -> bool:
        """Whether an address lies within the API: only there the token is sent."""
        return _normal(url).startswith(self.api + "/")

    def allows(self, url: str) -> bool:
        """Whether an address that an answer named may be asked."""
        scheme, host, port = _origin(self.api)
        archives = (scheme, f"codeload.{host.removeprefix('api.')}", port)
        return _origin(url) in {_origin(self.api), _origin(self.raw), archives}

    def follow(self, url: str, target: str) -> str | None:
        """Where an answer of ``url`` leads that names ``target``, as it is asked; None where that may not be asked."""
        there = _joined(url, target)
        return _normal(there) if self.allows(there) else None


class TokenForApi(AuthBase):
    """Signs requests to the API and no other. Having it on the session also keeps a ``.netrc`` from being read."""

    def __init__(self, hosts: Hosts) -> None:
        """Take ``GITHUB_TOKEN`` from the environment; raises SourceError, without showing it, where it is none."""
        self._hosts = hosts
        self._token = os.environ.get("GITHUB_TOKEN", "").strip()
        if self._token and not _A_TOKEN.fullmatch(self._token):
            raise SourceError("GITHUB_TOKEN: holds characters that no token has; set it again, or unset it")

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        if self._token and self._hosts.is_api(request.url or ""):
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request

    def __repr__(self) -> str:
        return f"<TokenForApi {'set' if self._token else 'unset'}>"

    @property
    def is_set(self) -> bool:
        """Whether there is a token."""
        return bool(self._token)


def host_of(url: str) -> str:
    """What may be said of an address: its host. Paths and queries of redirects can hold secrets."""
    _, host, port = _origin(url)
    return f"{host or 'an address without a host'}{'' if port in (0, *_DEFAULT_PORTS.values()) else f':{port}'}"


def host_named(url: str, target: str) -> str:
    """The host to which an answer of ``url`` leads that names ``target``."""
    return host_of(_joined(url, target))


def _base(variable: str, default: str) -> str:
    url = os.environ.get(variable) or default
    scheme, host, _ = _origin(url)
    if not host or "?" in url or "#" in url:
        raise SourceError(f"{variable}: not an address such as {default}")
    if scheme == "http" and not _is_this_machine(host):
        raise SourceError(f"{variable}: http is for this machine alone; write https://{host}")
    return _normal(url).rstrip("/")


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _joined(url: str, target: str) -> str:
    """The address that ``target`` names beside ``url``; nothing where it names none."""
    try:
        return urljoin(url, target)
    except ValueError:
        return ""


def _parsed(url: str) -> Url | None:
    """The parts of an address, as it is sent; None where it is none, or could be read in two ways."""
    if _IN_NO_ADDRESS.search(url) or not _AN_ADDRESS.fullmatch(url):
        return None
    try:
        return parse_url(url)
    except ValueError:
        return None


def _origin(url: str) -> Origin:
    """Scheme, host and port; nowhere, where the address is none."""
    parts = _parsed(url)
    if parts is None or not parts.scheme or not parts.host:
        return "", "", 0
    return parts.scheme, parts.host, parts.port or _DEFAULT_PORTS[parts.scheme]


def _normal(url: str) -> str:
    """The address as it is sent, without ``..``; nothing where it is none."""
    parts = _parsed(url)
    return parts.url if parts else ""
