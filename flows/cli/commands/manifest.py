"""``kbw manifest RUN``: the interoperable manifests of a run (DESIGN.md section 8)."""

from __future__ import annotations

import json
from contextlib import closing
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.lookup import DIGITS, one_problem, one_run, open_reader, runs_named, runs_of_id
from flows.cli.options import HomeOption, home_of
from flows.cli.render import show_object
from warehouse.home import WarehouseError

if TYPE_CHECKING:
    from flows.pins import PinnedRevision
    from warehouse.database import Reader
    from warehouse.landing import Landing

_AS_THE_SEED = ("run", "protocol", "environment")


class ManifestKind(Enum):
    """The six kinds of manifest."""

    RUN = "run"
    OPERATION = "operation"
    WORKLOAD = "workload"
    IMPLEMENTATION = "implementation"
    ENVIRONMENT = "environment"
    PROTOCOL = "protocol"


def manifest_command(
    run: Annotated[
        str,
        typer.Argument(
            help="Run id, the beginning of one, or external id HOST/MODE/LEVEL/FILE; with --kind also a workload id or "
            "a problem."
        ),
    ],
    kind: Annotated[
        ManifestKind | None, typer.Option(help="Only the manifest of this kind.", show_default=False)
    ] = None,
    pin: Annotated[
        str | None,
        typer.Option(
            help="As the public index would have published it at this revision (or newest). Without it: observed "
            "when the figures first appeared, pinned there.",
            show_default=False,
        ),
    ] = None,
    digests: Annotated[bool, typer.Option("--digests", help="Print the digests of all six kinds instead.")] = False,
    home: HomeOption = None,
) -> None:
    """The interoperable manifest of a run: run, protocol and environment, as JSON."""
    from transforms.manifests.digests import digest
    from warehouse.landing import Landing

    warehouse = home_of(home)
    landing = Landing(warehouse.landing)
    with closing(open_reader(warehouse)) as reader:
        documents = _manifests(landing, *_pinned(landing, reader, run, _versions(reader, run, kind), pin))
    if digests:
        show_object({name: digest(document) for name, document in documents.items()})
    elif kind is not None:
        show_object(documents[kind.value])
    else:
        show_object({name: documents[name] for name in _AS_THE_SEED})


_OF_A_WORKLOAD = (ManifestKind.OPERATION, ManifestKind.WORKLOAD, ManifestKind.IMPLEMENTATION, ManifestKind.PROTOCOL)
"""Kinds whose manifest is the same for every host: any run of the workload will do, the eager one first."""


def _versions(reader: Reader, name: str, kind: ManifestKind | None) -> list[dict[str, Any]]:
    """The versions of the figure that a name means; of a workload or a problem, one run."""
    if kind in _OF_A_WORKLOAD and not runs_of_id(reader, name):
        return _any_run_of(reader, name)
    return runs_named(reader, name)


def _any_run_of(reader: Reader, name: str) -> list[dict[str, Any]]:
    """A run of the workload or problem that a name means: a present one, the eager one, the latest observed."""
    found = reader.query("runs_of_workload", workload_id=name, level=None, problem=None).records()
    if not found:
        found = reader.query("runs_of_workload", workload_id=None, **one_problem(reader, name)).records()
    return runs_of_id(reader, found[0]["run_id"])


def _pinned(
    landing: Landing, reader: Reader, name: str, versions: list[dict[str, Any]], pin: str | None
) -> tuple[dict[str, Any], PinnedRevision]:
    """The one run that a name means and the revision it is pinned to: of the versions of a figure the one present.

    Present at the pin; or, where none is given, now, and then it is pinned to where it first appeared.
    """
    from flows.pins import pinned_revision

    if not any(row["reachable"] for row in versions):
        raise WarehouseError(
            f"{versions[0]['run_id'][:DIGITS]}: the branch was rewritten and shows it no more; no revision is left to "
            "pin it to"
        )
    if pin is None:
        run = one_run(name, versions)
        return run, pinned_revision(landing, run["source"], run["first_revision"])
    at = pinned_revision(landing, versions[0]["source"], pin)
    ids = [row["run_id"] for row in versions]
    present = [one for one in ids if reader.query("present_at", run_id=one, position=at.position).rows]
    if not present:
        raise WarehouseError(f"{ids[0][:DIGITS]}: did not stand at {at.revision[:DIGITS]}; leave --pin out")
    return one_run(name, versions, present), at


def _manifests(landing: Landing, run: dict[str, Any], at: PinnedRevision) -> dict[str, dict[str, Any]]:
    from flows.pins import pinned_problem
    from transforms.manifests.documents import manifests
    from transforms.manifests.facts import PinnedRun

    figures = json.loads(run["source_metrics"])
    measured = PinnedRun(
        host=run["host"],
        mode=run["mode"],
        level=run["level"],
        file=run["problem"],
        path=at.timing_path(run["host"], run["mode"]) or run["path"],
        hardware=run["hardware"],
        mean=float(figures["mean"]),
        std=float(figures["std"]),
        min=float(figures["min"]),
        max=float(figures["max"]),
        num_trials=run["num_trials"],
    )
    return manifests(measured, pinned_problem(landing, at, run["level"], run["problem"]), at.pin)
