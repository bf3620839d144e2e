"""What commands that put ingests on a schedule share: when, under what name, and a Prefect API to tell."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.render import note
from flows.settings import settings_in_force
from flows.sources.kinds import UPSTREAM
from warehouse.home import Home, WarehouseError, WrongUsage

EVERY_NIGHT = "17 4 * * *"
"""Upstream changes a few times a year; an odd minute spares GitHub the full hours."""

CronOption = Annotated[str, typer.Option(help="When, as cron writes it (UTC).")]
DeploymentOption = Annotated[str, typer.Option(help="Name of the deployment.")]


def refuse_wrong_cron(cron: str) -> None:
    """Raises WrongUsage for what cron cannot mean, before anything is registered."""
    from datetime import UTC, datetime

    from cronsim import CronSim, CronSimError

    try:
        next(CronSim(cron, datetime.now(UTC)))
    except (CronSimError, StopIteration):
        raise WrongUsage(
            f"--cron {cron!r}: no schedule; write minute, hour, day, month and weekday, e.g. '{EVERY_NIGHT}'"
        ) from None


def note_what_runs_go_by(home: Home) -> None:
    """Say which home and settings scheduled runs will use, wherever they run."""
    settings = settings_in_force(home).path
    followed = f"the sources of {settings.resolve()}" if settings else f"{UPSTREAM}, for no settings are found"
    note(f"runs bring {home.root.resolve()} up to date with {followed}")


def need_an_api() -> None:
    """Raises WarehouseError, with a way on, where Prefect is not installed or no API of it is configured."""
    from flows.prefect_settings import prefect_at_work, prefect_is_configured

    with prefect_at_work():
        if prefect_is_configured():
            return
        raise WarehouseError(
            "no Prefect API is configured; run `prefect server start` and set "
            "PREFECT_API_URL=http://127.0.0.1:4200/api, or use cron with `kbw ingest --all`"
        )
