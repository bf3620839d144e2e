"""Which hosts may be asked, and which of them may see the token.

Answers name further addresses (redirects, next pages). None is followed outside GitHub's own hosts, or those that
stand in for them: ``KBW_GITHUB_API_URL`` and ``KBW_GITHUB_RAW_URL`` name a GitHub Enterprise host or a test server.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from requests import PreparedRequest
from requests.auth import AuthBase
from urllib3.util import parse_url

from flows.sources.interface import SourceError

_DEFAULT_PORTS = {"http": 80, "https": 443}
_A_TOKEN = re.compile(r"[\x21-\x7e]+")

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


def _base(variable: str, default: str) -> str:
    url = os.environ.get(variable) or default
    scheme, host, _ = _origin(url)
    if scheme not in _DEFAULT_PORTS or not host or "?" in url or "@" in url:
        raise SourceError(f"{variable}: not an address such as {default}")
    return _normal(url).rstrip("/")


def _origin(url: str) -> Origin:
    """Scheme, host and port; nowhere, where the address is none."""
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname or "", parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", "", 0


def _normal(url: str) -> str:
    """The address as it is sent, without ``..``; nothing where it is none."""
    try:
        return parse_url(url).url
    except ValueError:
        return ""
