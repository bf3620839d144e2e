"""How sources are, for the commands that tell it."""

from __future__ import annotations

from typing import Any

from warehouse.home import Home


def health_of(home: Home) -> list[dict[str, Any]]:
    """The rows of ``kbw sources``: one of each source that is published, was tried, or is listed in the settings."""
    from flows.following import followed
    from warehouse.health import sources_followed

    return sources_followed(home, followed(home))
