"""Which sources are followed, and how long their silence is bearable: ``kbw.toml``, or ``[tool.kbw]`` of pyproject."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from flows.sources.kinds import SourceOptions
from transforms.measures import STALE_AFTER_DAYS
from warehouse.heartbeat import DUE_AFTER_HOURS, STALE_AFTER_HOURS
from warehouse.home import Home, WarehouseError, in_one_line

Hours = Annotated[float, msgspec.Meta(gt=0, le=24 * 3650)]
"""Ten years at most: nobody waits longer, and a number that no date can take is a slip."""


class Followed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One source to ingest, with its thresholds in hours since its last check.

    ``accept_rewritten`` is for a local branch that is wound back or replaced as a habit; with ``change_settings`` this
    file is what counts, whatever its lineage was told before.
    """

    source: str
    name: str | None = None
    observed_at: str | None = None
    problems: str | None = None
    due_after_hours: Hours = DUE_AFTER_HOURS
    stale_after_hours: Hours = STALE_AFTER_HOURS
    accept_rewritten: bool = False
    root: str | None = None
    change_settings: bool = False

    @property
    def options(self) -> SourceOptions:
        """What is said beside the source."""
        return SourceOptions(
            name=self.name,
            observed_at=self.observed_at,
            problems=self.problems,
            root=self.root,
            change_settings=self.change_settings,
            accept_rewritten=self.accept_rewritten,
        )


class ToldHost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host folder is, where its files do not say it: the GPU, as a file would report it."""

    gpu: str


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of settings may say."""

    sources: list[Followed] = []
    hosts: dict[str, ToldHost] = {}
    """Host folders by their names, whatever the source."""
    stale_after_days: Annotated[int, msgspec.Meta(ge=1, le=3650)] = STALE_AFTER_DAYS

    @property
    def gpu_of_hosts(self) -> dict[str, str]:
        """The GPU of each host that is told; raises WarehouseError where the registry does not know one."""
        from transforms.registry import gpus

        for host, told in self.hosts.items():
            if told.gpu not in gpus():
                raise WarehouseError(
                    f'{told.gpu}: told for host {host}, is no GPU of the registry; `kbw sql "from gpus"` lists them'
                )
        return {host: told.gpu for host, told in self.hosts.items()}


@dataclass(frozen=True)
class InForce:
    """The settings in force, and how they were found: in which file, or in none of those that were looked for.

    ``passed_by`` says of each place before it why it was: ``not there``, or ``says nothing``.
    """

    settings: Settings
    path: Path | None
    table: tuple[str, ...] = ()
    passed_by: tuple[tuple[Path, str], ...] = ()


def read_settings(home: Home) -> Settings:
    """From ``KBW_CONFIG``; else ``kbw.toml`` here or in the home; else ``[tool.kbw]`` of a pyproject.toml here.

    Raises WarehouseError, in one line, for a file that says something else than it may.
    """
    return settings_in_force(home).settings


def settings_in_force(home: Home) -> InForce:
    """Likewise, with the file they came from."""
    if configured := os.environ.get("KBW_CONFIG"):
        path = Path(configured).expanduser()
        table = ("tool", "kbw") if path.name == "pyproject.toml" else ()
        return InForce(_read(path, table), path, table)
    passed_by: list[tuple[Path, str]] = []
    for path, table in (
        (Path("kbw.toml"), ()),
        (home.root / "kbw.toml", ()),
        (Path("pyproject.toml"), ("tool", "kbw")),
    ):
        found = _read(path, table) if path.is_file() else None
        if found is not None and found != Settings():
            return InForce(found, path, table, tuple(passed_by))
        passed_by.append((path, "not there" if found is None else "says nothing"))
    return InForce(Settings(), None, (), tuple(passed_by))


def settings_file(home: Home) -> Path | None:
    """The file of settings in force, where that is one of kbw's own; None where nothing, or a pyproject.toml, is."""
    found = settings_in_force(home)
    return found.path if not found.table else None


def _read(path: Path, table: tuple[str, ...]) -> Settings:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        for name in table:
            document = document.get(name, {})
        return msgspec.convert(document, Settings)
    except FileNotFoundError:
        raise WarehouseError(
            f"{path}: no such file; the settings are said to be there (KBW_CONFIG, or the deployment)"
        ) from None
    except UnicodeDecodeError as error:
        raise WarehouseError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    except (ValueError, RecursionError, msgspec.ValidationError, AttributeError) as error:
        raise WarehouseError(f"{path}: {in_one_line(error)}") from None
