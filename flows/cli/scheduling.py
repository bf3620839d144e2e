"""What commands that put ingests on a schedule share: when, under what name, and a Prefect API to tell."""

from __future__ import annotations

from typing import Annotated

import typer

from warehouse.home import WarehouseError

EVERY_NIGHT = "17 4 * * *"
"""Upstream changes a few times a year; an odd minute spares GitHub the full hours."""

CronOption = Annotated[str, typer.Option(help="When, as cron writes it (UTC).")]
DeploymentOption = Annotated[str, typer.Option(help="Name of the deployment.")]


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
