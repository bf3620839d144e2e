"""``kbw config``: which settings are in force, and where they come from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.render import Column, Format, note, show, show_object
from flows.prefect_settings import without_user
from flows.settings import Followed, InForce, Settings, settings_in_force
from flows.sources.kinds import UPSTREAM
from warehouse.home import Home


def config_command(home: HomeOption = None, as_json: JsonOption = False, as_csv: CsvOption = False) -> None:
    """The settings in force: each value and its origin, the file that was read, and those that were looked for."""
    form = form_of(as_json, as_csv)
    warehouse = home_of(home)
    found = settings_in_force(warehouse)
    values = list(_values(warehouse, home, found))
    looked_for = [{"path": str(path.absolute()), "found": words} for path, words in found.passed_by]
    if form is Format.JSON:
        read = str(found.path.absolute()) if found.path else None
        show_object({"read": read, "table": ".".join(found.table) or None, "passed_by": looked_for, "values": values})
        return
    show(values, _COLUMNS, form)
    for one in looked_for:
        note(f"looked for {one['path']}: {one['found']}")
    note(f"read {found.path.absolute()}" if found.path else f"no settings are found: `kbw ingest` follows {UPSTREAM}")


def _values(home: Home, given: Path | None, found: InForce) -> Iterator[dict[str, Any]]:
    """Every value in force by its name in the file, with its origin: the file, the environment, or ``default``."""
    read = str(found.path.absolute()) if found.path else "default"
    yield _value("home", str(home.root.absolute()), _origin_of_home(given))
    settings, untouched = found.settings, Settings()
    days = settings.stale_after_days
    yield _value("stale_after_days", days, "default" if days == untouched.stale_after_days else read)
    for number, one in enumerate(settings.sources or [Followed(UPSTREAM)]):
        nothing = msgspec.structs.asdict(Followed(""))
        for name, value in msgspec.structs.asdict(one).items():
            is_told = bool(settings.sources) and value != nothing[name]
            yield _value(f"sources[{number}].{name}", value, read if is_told else "default")
    for host, told in settings.hosts.items():
        yield _value(f"hosts.{host}.gpu", told.gpu, read)
    for name in _ENVIRONMENT:
        value = os.environ.get(name)
        yield _value(name, value and without_user(value), "default" if value is None else "environment")
    token = os.environ.get("GITHUB_TOKEN")
    yield _value("GITHUB_TOKEN", "set, not shown" if token else None, "environment" if token else "default")


_ENVIRONMENT = ("KBW_CONFIG", "KBW_GITHUB_API_URL", "KBW_GITHUB_RAW_URL", "PREFECT_API_URL")


def _origin_of_home(given: Path | None) -> str:
    if given is not None:
        return "--home"
    return "KBW_HOME" if os.environ.get("KBW_HOME") else "default"


def _value(name: str, value: object, origin: str) -> dict[str, Any]:
    return {"name": name, "value": value, "origin": origin}


_COLUMNS = (
    Column("name", lambda row: str(row["name"]), whole=True),
    Column("value", lambda row: "not set" if row["value"] is None else str(row["value"])),
    Column("origin", lambda row: str(row["origin"])),
)
