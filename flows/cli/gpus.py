"""The one ``gpu`` object of every ``--json``: whatever a row says of its GPU, a program finds it in the same place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from flows.cli.render import Row

if TYPE_CHECKING:
    from warehouse.database import Reader

MEMBERS = ("hardware", "vendor", "product", "form_factor", "architecture", "memory_gb")
"""``hardware`` as the timing file reports it, null where it does not; the rest is the registry's, null if unknown."""


class Gpus:
    """The GPUs of one published database."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known = {row["hardware"]: _members(row) for row in reader.query("gpus_measured").records()}

    def of(self, hardware: str | None) -> dict[str, Any]:
        """The object of a reported GPU."""
        return self._known.get(hardware, {**dict.fromkeys(MEMBERS), "hardware": hardware})

    def within(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """Rows with the object in place of what each says of its GPU.

        A row about a run has that run's: what is told of a host is known by the run alone.
        """
        wanted = list({run for row in rows if (run := _run_of(row))})
        found = self._reader.query("gpus_of_runs", run_ids=wanted).records() if wanted else []
        of_runs = {row["run_id"]: _members(row) for row in found}
        return [self._within_one(row, of_runs.get(_run_of(row) or "")) for row in rows]

    def _within_one(self, row: Row, of_run: dict[str, Any] | None) -> dict[str, Any]:
        said = {name: value for name, value in row.items() if name not in (*MEMBERS, "gpu")}
        return {**said, "gpu": of_run or self.of(row.get("hardware"))}

    def each(self, hardware: Iterable[str]) -> list[dict[str, Any]]:
        """The objects of several reported GPUs."""
        return [self.of(one) for one in hardware]


def _members(row: Row) -> dict[str, Any]:
    return {member: row[member] for member in MEMBERS}


def _run_of(row: Row) -> str | None:
    """The run that a row is about; of a record that nobody holds any more, the run that held it."""
    run: str | None = row.get("run_id") or row.get("previous_run_id")
    return run
