"""``kbw deploy``: ingests on a schedule, by a worker of Prefect."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.options import HomeOption, home_of
from flows.cli.render import say
from flows.cli.scheduling import (
    EVERY_NIGHT,
    CronOption,
    DeploymentOption,
    need_an_api,
    note_what_runs_go_by,
    refuse_wrong_cron,
)


def deploy_command(
    cron: CronOption = EVERY_NIGHT,
    pool: Annotated[str, typer.Option(help="Work pool of the worker; made where there is none.")] = "kbw",
    name: DeploymentOption = "scheduled",
    home: HomeOption = None,
) -> None:
    """Register the schedule with the Prefect API, for a worker of a work pool to run."""
    refuse_wrong_cron(cron)
    need_an_api()
    from flows.prefect_settings import prefect_at_work

    warehouse = home_of(home)
    note_what_runs_go_by(warehouse)
    with prefect_at_work():
        from flows.schedule import deploy

        deploy(warehouse, name, cron, pool)
    say(f"deployed ingest-all/{name}; start a worker with: prefect worker start --pool {pool}")
