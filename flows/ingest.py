"""The Prefect flow: the steps of ``flows.sequence``, each as a task (DESIGN.md section 13).

Only discovering and fetching are retried: they meet the network. Nothing is cached and no result is stored, since every
step reads or writes the warehouse's own folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from prefect import Task, flow
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner
from prefect.tasks import exponential_backoff

from flows.following import announce, follow
from flows.sequence import Item, Outcome, P, R, Together
from flows.settings import Followed, read_settings
from flows.sources.interface import SourceError
from flows.sources.kinds import UPSTREAM
from flows.steps.discover import discover
from flows.steps.fetch import fetch
from flows.steps.workspace import Workspace
from warehouse.heartbeat import DUE_AFTER_HOURS, STALE_AFTER_HOURS
from warehouse.home import Home, WarehouseError

_MEETS_THE_NETWORK: frozenset[Callable[..., object]] = frozenset({discover, fetch})
_RETRIES = 3
_FIRST_DELAY_S = 2
_JITTER = 0.5
_WORKERS = 2
"""Reading shares the interpreter lock: few, large parts; a cluster's task runner may take its place."""


class AsTasks:
    """Steps as Prefect tasks."""

    def __call__(self, step: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """See flows.sequence.Call."""
        return _as_task(step)(*arguments, **named)

    def each(self, step: Callable[[Workspace, Item], R], workspace: Workspace, items: Sequence[Item]) -> list[R]:
        """See flows.sequence.Call."""
        futures = [_as_task(step).submit(workspace, item) for item in items]
        return [future.result() for future in futures]


def _as_task(step: Callable[P, R]) -> Task[P, R]:
    if step not in _MEETS_THE_NETWORK:
        return Task(step, name=step.__name__, cache_policy=NO_CACHE, persist_result=False)
    return Task(
        step,
        name=step.__name__,
        cache_policy=NO_CACHE,
        persist_result=False,
        retries=_RETRIES,
        retry_delay_seconds=exponential_backoff(backoff_factor=_FIRST_DELAY_S),
        retry_jitter_factor=_JITTER,
        retry_condition_fn=_may_pass,
    )


def _may_pass(_: object, __: object, state: Any) -> bool:
    """Whether trying again may help: not where a person must act first."""
    return not isinstance(state.result(raise_on_failure=False), SourceError | WarehouseError)


_ON_THREADS: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=_WORKERS)


@flow(name="ingest", task_runner=_ON_THREADS, persist_result=False)
def ingest_flow(
    source: str = UPSTREAM,
    name: str | None = None,
    home: Path | None = None,
    observed_at: str | None = None,
    problems: str | None = None,
    dry_run: bool = False,
    due_after_hours: float = DUE_AFTER_HOURS,
    stale_after_hours: float = STALE_AFTER_HOURS,
    accept_rewritten: bool = False,
    root: str | None = None,
    change_settings: bool = False,
) -> Together:
    """Bring one source up to date, as ``kbw ingest`` does, and leave a table of what was kept and refused."""
    warehouse = Home(Path(home)) if home is not None else Home.default()
    one = Followed(
        source=source,
        name=name,
        observed_at=observed_at,
        problems=problems,
        due_after_hours=due_after_hours,
        stale_after_hours=stale_after_hours,
        accept_rewritten=accept_rewritten,
        root=root,
        change_settings=change_settings,
    )
    done = follow(warehouse, one, AsTasks(), dry_run=dry_run)
    table = [_row(outcome) for outcome in done.outcomes]
    create_table_artifact(table=table, key="ingest", description=f"What `kbw ingest {source}` did")
    if done.failures and not done.outcomes:
        raise done.failures[0]
    return done


def flow_run(warehouse: Home, one: Followed, *, dry_run: bool = False) -> Together:
    """Run the flow for one source of the settings: its parameters are what they say of it."""
    done: Together = ingest_flow(home=warehouse.root, dry_run=dry_run, **msgspec.structs.asdict(one))
    return done


@flow(name="ingest-all", persist_result=False)
def ingest_all_flow(home: Path | None = None, settings: Path | None = None) -> None:
    """Bring every source of the settings up to date, or upstream where none is listed; a failure stops no other.

    ``settings`` is the file that a deployment goes by; where it is gone, the run fails.
    """
    if settings is not None:
        os.environ["KBW_CONFIG"] = str(settings)  # every step reads them
    warehouse = Home(Path(home)) if home is not None else Home.default()
    failed = []
    listed = read_settings(warehouse).sources or [Followed(UPSTREAM)]
    announce(warehouse, listed)
    for one in listed:
        try:
            done = flow_run(warehouse, one)
        except Exception as error:
            failed.append(f"{one.source}: {error}")
        else:
            failed += [f"{one.source}: {failure}" for failure in done.failures]
    if failed:
        raise WarehouseError("; ".join(failed))


def _row(outcome: Outcome) -> dict[str, Any]:
    """One row: what the ingest kept, refused, added and withdrew, what is stale, and what it took."""
    assert outcome.discovered is not None
    row: dict[str, Any] = {
        "source": outcome.discovered.source,
        "head": outcome.discovered.chain.head.id,
        "changed": outcome.published is not None,
        "new revisions": len(outcome.discovered.chain.new),
        "files refused": len(outcome.refused_files),
    }
    if outcome.published is not None:
        counts = outcome.published.changes[outcome.discovered.source].counts
        row |= {
            "kept": counts["runs"],
            "present": counts["present"],
            "new": counts["runs_new"],
            "withdrawn": counts["runs_withdrawn"],
            "unreachable": counts["runs_unreachable"],
            "entries refused": counts["entries_refused"],
            "stale": counts["runs_stale"],
        }
    row["requests"] = outcome.requests
    return row | {f"{step} (s)": round(seconds, 3) for step, seconds in outcome.seconds.items()}
