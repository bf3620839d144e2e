"""``kbw verify``: whether digests are what they claim to be, recomputed from what they are of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.exits import FOUND_SOMETHING
from flows.cli.given import given_text
from flows.cli.options import JsonOption
from flows.cli.render import note, say, show_object
from warehouse.home import WarehouseError


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
        raise typer.Exit(FOUND_SOMETHING)


def _verify_manifests(file: Path) -> list[dict[str, Any]]:
    from transforms.manifests.verify import verify

    text = given_text(str(file))
    try:
        verdicts = verify(json.loads(text))
    except (ValueError, RecursionError) as error:
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
