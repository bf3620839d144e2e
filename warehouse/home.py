"""Where the warehouse keeps its data (DESIGN.md sections 1 and 12)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parent.parent


class WarehouseError(Exception):
    """Something a person must act on: one line that says what, where and what to do."""


class WrongUsage(WarehouseError):
    """What a person wrote cannot be meant so."""


def in_one_line(error: BaseException) -> str:
    """What an error says, without the picture of the place that DuckDB adds below it."""
    said = str(error).partition("\n\n")[0]
    return " ".join(said.split()) or type(error).__name__


@dataclass(frozen=True)
class Home:
    """The folder that holds one warehouse, and the paths inside it."""

    root: Path

    @classmethod
    def default(cls) -> Home:
        """``KBW_HOME``; else ``warehouse/data/`` in a checkout; else the user's data directory."""
        if configured := os.environ.get("KBW_HOME"):
            return cls(Path(configured).expanduser())
        if (_CHECKOUT / "pyproject.toml").is_file():
            return cls(_CHECKOUT / "warehouse" / "data")
        import platformdirs

        return cls(Path(platformdirs.user_data_dir("kernelbench-warehouse", appauthor=False)))

    @property
    def database(self) -> Path:
        """The published file that readers open."""
        return self.root / "warehouse.duckdb"

    @property
    def landing(self) -> Path:
        """Every blob ever fetched, byte for byte."""
        return self.root / "landing"

    @property
    def heartbeat(self) -> Path:
        """What was last published and when each source was last checked."""
        return self.root / "heartbeat.json"

    @property
    def lock(self) -> Path:
        """Held by the one ingest that may run."""
        return self.root / "ingest.lock"

    @property
    def building(self) -> Path:
        """The database being built beside the published one."""
        return self.root / "warehouse.building.duckdb"
