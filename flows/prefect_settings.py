"""Whether a Prefect API is configured, found out without importing Prefect, which takes most of a second."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path


def prefect_is_configured() -> bool:
    """Whether ``PREFECT_API_URL`` is set, in the environment or in the active Prefect profile."""
    if "PREFECT_API_URL" in os.environ:
        return bool(os.environ["PREFECT_API_URL"])
    home = Path(os.environ.get("PREFECT_HOME") or Path.home() / ".prefect")
    try:
        profiles = tomllib.loads((home / "profiles.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError):
        return False
    active = os.environ.get("PREFECT_PROFILE") or profiles.get("active", "")
    return bool(profiles.get("profiles", {}).get(active, {}).get("PREFECT_API_URL"))
