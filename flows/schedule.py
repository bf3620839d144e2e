"""Deployments of the flow: its schedule, its limit of one at a time, its tags (DESIGN.md section 13)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.exceptions import ObjectNotFound
from prefect.schedules import Cron

from flows.ingest import ingest_all_flow
from flows.settings import settings_in_force
from warehouse.home import Home

ENTRYPOINT = "flows/ingest.py:ingest_all_flow"
TAGS = ["kernelbench", "warehouse"]
_ROOT = Path(__file__).resolve().parent.parent


def serve(home: Home, name: str, cron: str) -> None:
    """Run the schedule in this process until it is interrupted."""
    ingest_all_flow.serve(
        name=name,
        schedule=Cron(cron, timezone="UTC"),
        parameters=_parameters(home),
        tags=TAGS,
        limit=1,
        print_starting_message=False,
    )


def deploy(home: Home, name: str, cron: str, pool: str) -> None:
    """Register the schedule for the workers of a pool, which is made where there is none."""
    with get_client(sync_client=True) as client:
        try:
            client.read_work_pool(pool)
        except ObjectNotFound:
            client.create_work_pool(WorkPoolCreate(name=pool, type="process"))
    stored: Any = ingest_all_flow.from_source(source=str(_ROOT), entrypoint=ENTRYPOINT)
    stored.deploy(
        name=name,
        work_pool_name=pool,
        schedule=Cron(cron, timezone="UTC"),
        parameters=_parameters(home),
        tags=TAGS,
        concurrency_limit=1,
        build=False,
        push=False,
        print_next_steps=False,
    )


def _parameters(home: Home) -> dict[str, Any]:
    """What a run is told: a worker starts elsewhere, with another environment, and must find the same."""
    settings = settings_in_force(home).path
    return {"home": str(home.root.resolve()), "settings": str(settings.resolve()) if settings is not None else None}
