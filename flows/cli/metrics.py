"""The health of sources as a text file of Prometheus, for its node exporter to pick up (``--metrics FILE``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.render import Row
from warehouse.files import write_once

MetricsOption = Annotated[
    Path | None,
    typer.Option(
        "--metrics", help="Also write the health of each source into this text file of Prometheus.", show_default=False
    ),
]


@dataclass(frozen=True)
class Metric:
    """One gauge of a source: its name, with its unit, what it says, and its value; none where it is not known."""

    name: str
    help: str
    value: Callable[[Row], float | None]


def is_well(row: Row) -> bool:
    """Whether nobody need look: the source was checked in time, and its last check succeeded."""
    return row["status"] in ("fresh", "due") and not row["last_error"]


METRICS = (
    Metric("kbw_source_up", "1: checked in time, and the last check succeeded; else 0.", lambda row: is_well(row)),
    Metric(
        "kbw_source_last_check_timestamp_seconds",
        "Last check that succeeded.",
        lambda row: _seconds_since_1970(row["checked_at"]),
    ),
    Metric(
        "kbw_source_last_change_timestamp_seconds",
        "Last check that found something new.",
        lambda row: _seconds_since_1970(row["changed_at"]),
    ),
    Metric(
        "kbw_source_last_failure_timestamp_seconds",
        "Last check, where it failed.",
        lambda row: _seconds_since_1970(row["failed_at"]),
    ),
    Metric(
        "kbw_source_due_after_seconds",
        "So long after a check the next is due.",
        lambda row: _seconds(row["due_after_hours"]),
    ),
    Metric(
        "kbw_source_stale_after_seconds",
        "So long after a check the source is stale.",
        lambda row: _seconds(row["stale_after_hours"]),
    ),
    Metric("kbw_source_files", "Timing files at the newest revision.", lambda row: row["files_present"]),
    Metric("kbw_source_files_refused", "Of these, those refused as a whole.", lambda row: row["files_refused"]),
    Metric("kbw_source_last_check_requests", "Requests of the last check that succeeded.", lambda row: row["requests"]),
)


def write_metrics(path: Path, rows: Sequence[Row]) -> None:
    """Write the health of sources, the whole file at once: a scrape never sees half of it."""
    lines = [line for metric in METRICS for line in _lines(metric, rows)]
    write_once(path.expanduser(), "".join(f"{line}\n" for line in lines).encode())


def _lines(metric: Metric, rows: Sequence[Row]) -> list[str]:
    known = [(row["source"], value) for row in rows if (value := metric.value(row)) is not None]
    head = [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} gauge"]
    return [*head, *(f'{metric.name}{{source="{_escaped(source)}"}} {float(value)}' for source, value in known)]


def _escaped(label: str) -> str:
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _seconds_since_1970(moment: datetime | None) -> float | None:
    """Of a moment as tables hold it: in UTC, without a time zone."""
    return None if moment is None else moment.replace(tzinfo=UTC).timestamp()


def _seconds(hours: float | None) -> float | None:
    try:
        return None if hours is None else timedelta(hours=hours).total_seconds()
    except (OverflowError, ValueError):
        return None
