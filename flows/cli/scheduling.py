"""Commands that put ingests on a schedule: ``serve`` in the foreground, ``deploy`` for a worker."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.options import HomeOption, home_of
from flows.cli.render import note, say
from warehouse.home import WarehouseError

EVERY_NIGHT = "17 4 * * *"
"""Upstream changes a few times a year; an odd minute spares GitHub the full hours."""

CronOption = Annotated[str, typer.Option(help="When, as cron writes it (UTC).")]


def serve_command(
    cron: CronOption = EVERY_NIGHT,
    name: Annotated[str, typer.Option(help="Name of the deployment.")] = "scheduled",
    home: HomeOption = None,
) -> None:
    """Ingest all sources of the settings on a schedule, here in the foreground, until interrupted."""
    _need_an_api()
    from flows.schedule import serve

    place = home_of(home)
    note(f"ingesting into {place.root} at {cron!r} (UTC); end with Ctrl-C")
    serve(place, name, cron)


def deploy_command(
    cron: CronOption = EVERY_NIGHT,
    pool: Annotated[str, typer.Option(help="Work pool of the worker; made where there is none.")] = "kbw",
    name: Annotated[str, typer.Option(help="Name of the deployment.")] = "scheduled",
    home: HomeOption = None,
) -> None:
    """Register the schedule with the Prefect API, for a worker of a work pool to run."""
    _need_an_api()
    from flows.schedule import deploy

    deploy(home_of(home), name, cron, pool)
    say(f"deployed ingest-all/{name}; start a worker with: prefect worker start --pool {pool}")


def _need_an_api() -> None:
    from flows.prefect_settings import prefect_is_configured

    if not prefect_is_configured():
        raise WarehouseError(
            "no Prefect API is configured; run `prefect server start` and set "
            "PREFECT_API_URL=http://127.0.0.1:4200/api, or use cron with `kbw ingest --all`"
        )
