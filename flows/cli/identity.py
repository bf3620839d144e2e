"""Commands about identities: ``manifest``, ``find``, ``verify`` (DESIGN.md section 8)."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.asking import one_problem
from flows.cli.options import HomeOption, JsonOption, home_of
from flows.cli.reading import open_reader
from flows.cli.render import Column, Form, note, say, show, show_object
from warehouse.home import Home, WarehouseError

if TYPE_CHECKING:
    from flows.pins import PinnedRevision
    from warehouse.database import Reader

A_DIGEST_DOES_NOT_HOLD = 3
_AS_THE_SEED = ("run", "protocol", "environment")


class Kind(Enum):
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
    kind: Annotated[Kind | None, typer.Option(help="Only the manifest of this kind.", show_default=False)] = None,
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

    place = home_of(home)
    with closing(open_reader(place)) as reader:
        documents = _manifests(place, reader, _named(reader, run, pin is not None, kind), pin)
    if digests:
        show_object({name: digest(document) for name, document in documents.items()})
    elif kind is not None:
        show_object(documents[kind.value])
    else:
        show_object({name: documents[name] for name in _AS_THE_SEED})


_OF_A_WORKLOAD = (Kind.OPERATION, Kind.WORKLOAD, Kind.IMPLEMENTATION, Kind.PROTOCOL)
"""Kinds whose manifest is the same for every host: any run of the workload will do, the eager one first."""


def _named(reader: Reader, name: str, pinned: bool, kind: Kind | None) -> dict[str, Any]:
    """The run that a name means; raises WarehouseError with candidates when it means none or several."""
    found = reader.query("runs_named", name=name).records()
    if not found and kind in _OF_A_WORKLOAD:
        return _any_run_of(reader, name)
    if not found:
        raise WarehouseError(f'{name}: no run has this id; `kbw sql "from interop"` lists external ids')
    standing = [row for row in found if row["present"]]
    if len(found) > 1 and len(standing) != 1 and not pinned:
        candidates = ", ".join(f"{row['run_id'][:12]} ({row['observed_at']:%Y-%m-%d})" for row in found[:6])
        raise WarehouseError(f"{name}: {len(found)} runs have this id: {candidates}")
    return standing[0] if len(standing) == 1 else found[0]


def _any_run_of(reader: Reader, name: str) -> dict[str, Any]:
    """A run of the workload or problem that a name means: one that stands, the eager one, the latest observed."""
    found = reader.query("runs_of_workload", workload_id=name, level=None, problem=None).records()
    if not found:
        found = reader.query("runs_of_workload", workload_id=None, **one_problem(reader, name)).records()
    return reader.query("runs_named", name=found[0]["run_id"]).records()[0]


def _manifests(home: Home, reader: Reader, run: dict[str, Any], pin: str | None) -> dict[str, dict[str, Any]]:
    from flows.pins import pinned_problem, pinned_revision
    from transforms.manifests.documents import manifests
    from transforms.manifests.facts import PinnedRun
    from warehouse.landing import Landing

    if not run["reachable"]:
        raise WarehouseError(
            f"{run['run_id'][:12]}: the branch was rewritten and shows it no more; no revision is left to pin it to"
        )
    landing = Landing(home.landing)
    at = pinned_revision(landing, run["source"], pin or run["first_revision"])
    _refuse_absent(reader, run, at)
    path = at.timing_path(run["host"], run["mode"]) or run["path"]
    figures = json.loads(run["source_metrics"])
    measured = PinnedRun(
        host=run["host"],
        mode=run["mode"],
        level=run["level"],
        file=run["problem"],
        path=path,
        hardware=run["hardware"],
        mean=float(figures["mean"]),
        std=float(figures["std"]),
        min=float(figures["min"]),
        max=float(figures["max"]),
        num_trials=run["num_trials"],
    )
    return manifests(measured, pinned_problem(landing, at, run["level"], run["problem"]), at.pin)


def _refuse_absent(reader: Reader, run: dict[str, Any], at: PinnedRevision) -> None:
    if not reader.query("stands_at", run_id=run["run_id"], position=at.position).rows:
        raise WarehouseError(f"{run['run_id'][:12]}: did not stand at {at.shown.revision[:12]}; leave --pin out")


def find_command(
    digest: Annotated[str, typer.Argument(help="An interoperable or native digest, or the beginning of one.")],
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a digest is: run, workload, environment, code, blob, revision ..."""
    wanted = digest.removeprefix("sha256:").lower()
    if len(wanted) < 6 or not all(digit in "0123456789abcdef" for digit in wanted):
        raise typer.BadParameter("give at least six hex digits of a digest")
    with closing(open_reader(home_of(home))) as reader:
        rows = reader.query("find", beginning=wanted).records()
    if not rows:
        raise WarehouseError(f"{digest}: nothing in the warehouse has this digest")
    columns = (
        Column("what", lambda row: str(row["what"])),
        Column("digest", lambda row: str(row["digest"])[:19]),
        Column("of", lambda row: str(row["name"])),
        Column("source", lambda row: str(row["source"] or "")),
    )
    show(rows, columns, Form.JSON if as_json else Form.TABLE)


def verify_command(
    file: Annotated[
        Path, typer.Argument(help="Manifests as JSON (- reads standard input), or the folder of an export.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Recompute every digest in a manifest, a set of them, or an export; exit status 3 when one does not hold."""
    verdicts = _verify_export(file) if file.is_dir() else _verify_manifests(file)
    if as_json:
        show_object(verdicts)
    else:
        for verdict in verdicts:
            word = "holds" if verdict["holds"] else "DOES NOT HOLD"
            say(f"{verdict['name']}  {verdict['claimed']}  {word}{verdict['instead']}")
        wrong = sum(not verdict["holds"] for verdict in verdicts)
        note(f"{len(verdicts)} claims, {wrong} do not hold" if verdicts else "no digest is claimed")
    if not all(verdict["holds"] for verdict in verdicts):
        raise typer.Exit(A_DIGEST_DOES_NOT_HOLD)


def _verify_manifests(file: Path) -> list[dict[str, Any]]:
    from transforms.manifests.verify import verify

    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    try:
        verdicts = verify(json.loads(text))
    except ValueError as error:
        raise WarehouseError(f"{file}: cannot be verified: {error}") from None
    return [
        {
            "name": v.name,
            "claimed": v.claimed,
            "holds": v.holds,
            "instead": "" if v.holds else f": gives {v.recomputed}",
        }
        for v in verdicts
    ]


_TABLES = ("runs", "environments", "workloads", "sources", "files", "pinned_problems", "interop")


def _verify_export(folder: Path) -> list[dict[str, Any]]:
    """One claim per kind of digest: that every one of them is what the other columns give."""
    import polars as pl

    from transforms.manifests.exported import recompute

    absent = [name for name in _TABLES if not (folder / f"{name}.parquet").is_file()]
    if absent:
        raise WarehouseError(f"{folder}: no export: {absent[0]}.parquet is not there; make one with `kbw export`")
    found = recompute({name: pl.read_parquet(folder / f"{name}.parquet") for name in _TABLES})
    return [
        {
            "name": one.kind,
            "claimed": f"{one.digests:,} digests",
            "holds": one.holds,
            "instead": f": {len(one.wrong)}, the first of {one.wrong[0]}" if one.wrong else "",
        }
        for one in found
    ]
