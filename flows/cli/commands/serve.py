"""``kbw serve``: ingests on a schedule, in the foreground."""

from __future__ import annotations

from flows.cli.options import HomeOption, home_of
from flows.cli.process import interrupts_are_caught
from flows.cli.render import note
from flows.cli.scheduling import (
    EVERY_NIGHT,
    CronOption,
    DeploymentOption,
    need_an_api,
    note_what_runs_go_by,
    refuse_wrong_cron,
)


def serve_command(
    cron: CronOption = EVERY_NIGHT,
    name: DeploymentOption = "scheduled",
    home: HomeOption = None,
) -> None:
    """Ingest all sources of the settings on a schedule, here in the foreground, until interrupted."""
    refuse_wrong_cron(cron)
    need_an_api()
    from flows.prefect_settings import prefect_at_work

    warehouse = home_of(home)
    note_what_runs_go_by(warehouse)
    note(f"ingesting into {warehouse.root} at {cron!r} (UTC); end with Ctrl-C")
    with interrupts_are_caught(), prefect_at_work():
        from flows.schedule import serve

        serve(warehouse, name, cron)
