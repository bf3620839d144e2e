"""What Prefect is told before it is imported, which takes most of a second, and what is said when it is silent."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from warehouse.home import WarehouseError

_DEFAULTS = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # nobody is told that the warehouse is used
    "DO_NOT_TRACK": "1",
}
_QUIET = {"PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL"}
"""A temporary server that cannot start prints pages; one line says it."""

_NOT_REACHED = ("Failed to reach API", "Timed out while attempting to connect", "Connection refused", "All connection")

_INSTALL = 'install it with `pip install "prefect>=3.9,<4"`'


class NoAnswer(WarehouseError):
    """The Prefect API that is configured does not answer."""


@contextmanager
def prefect_at_work() -> Iterator[None]:
    """Prefect is used within: without telemetry, and with a word where it cannot be used.

    That is NoAnswer where its server does not answer, and another WarehouseError where it is not installed.
    """
    if not _is_installed():
        raise WarehouseError(f"Prefect is not installed; {_INSTALL}")
    for name, value in (_DEFAULTS if os.environ.get("KBW_DEBUG") else _DEFAULTS | _QUIET).items():
        os.environ.setdefault(name, value)
    try:
        yield
    except Exception as error:
        if any(words in str(error) for words in _NOT_REACHED):
            raise NoAnswer(_no_answer()) from error
        raise


def _no_answer() -> str:
    if url := os.environ.get("PREFECT_API_URL"):
        return f"no Prefect server answers at {without_user(url)}; start it, or unset PREFECT_API_URL to do without"
    if prefect_is_configured():
        return (
            "no Prefect server answers where the active profile says; start it, or set PREFECT_API_URL= to do without"
        )
    return "Prefect's temporary server did not start; --debug shows why. Without --flow none is needed"


def without_user(url: str) -> str:
    """An address without the name and password that may stand in it."""
    scheme, found, rest = url.partition("://")
    return f"{scheme}{found}{rest.rpartition('@')[2]}"


def ingests_are_flow_runs(say: Callable[[str], None]) -> bool:
    """Whether an ingest goes to Prefect unasked; ``say`` hears of a Prefect that is configured and not installed."""
    if not prefect_is_configured():
        return False
    if _is_installed():
        return True
    say(f"a Prefect API is configured but Prefect is not installed, so this is no flow run; {_INSTALL}")
    return False


def _is_installed() -> bool:
    return find_spec("prefect") is not None


def prefect_is_configured() -> bool:
    """Whether ``PREFECT_API_URL`` is set, in the environment or in the active Prefect profile."""
    if "PREFECT_API_URL" in os.environ:
        return bool(os.environ["PREFECT_API_URL"])
    try:
        home = Path(os.environ.get("PREFECT_HOME") or Path.home() / ".prefect")
        profiles = tomllib.loads((home / "profiles.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError):  # nor has every user a folder: a container's may have none
        return False
    active = os.environ.get("PREFECT_PROFILE") or profiles.get("active", "")
    return bool(profiles.get("profiles", {}).get(active, {}).get("PREFECT_API_URL"))
