"""``kbw export``: the published database as a snapshot of Parquet files."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.lookup import open_reader, sources_asked
from flows.cli.options import AsOfOption, HomeOption, JsonOption, home_of, moment
from flows.cli.render import say, show_object
from warehouse.home import Home, WarehouseError


def export_command(
    to: Annotated[Path, typer.Option("--to", help="Folder to write; one that an export made is replaced.")],
    shape: Annotated[
        str, typer.Option("--as", help="parquet: all of it; kernelbench: one host's timing file, --to FILE.")
    ] = "parquet",
    host: Annotated[str | None, typer.Option(help="For --as kernelbench: the host.", show_default=False)] = None,
    mode: Annotated[str, typer.Option(help="For --as kernelbench: the mode.")] = "torch",
    source: Annotated[
        str | None, typer.Option(help="For --as kernelbench: the source; upstream's.", show_default=False)
    ] = None,
    as_of: AsOfOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a snapshot: one Parquet file per table and view, checksums, licence notice. Or one host's timing file."""
    from warehouse.snapshot import export

    to = to.expanduser()
    if shape == "kernelbench":
        _export_timings(home_of(home), to, host, mode, source, as_of)
        return
    if shape != "parquet" or host is not None or source is not None or as_of is not None:
        raise typer.BadParameter(
            "--as is parquet or kernelbench; --host, --mode, --source and --as-of are for the latter"
        )
    written = export(home_of(home).database, to)
    if as_json:
        show_object({"to": to, "files": written})
    else:
        say(f"{to}: {len(written)} files; check them with `cd {to} && sha256sum -c SHA256SUMS`")


def _export_timings(home: Home, to: Path, host: str | None, mode: str, source: str | None, as_of: str | None) -> None:
    """What one host showed in one mode at a moment, as KernelBench writes it."""
    from transforms.registry import upstream
    from transforms.score.locks import timing_document
    from warehouse.files import write_once

    if host is None:
        raise typer.BadParameter("--as kernelbench wants a --host")
    with closing(open_reader(home)) as reader:
        (named,) = sources_asked(reader, source or upstream())
        rows = reader.query("export_figures", source=named, host=host, mode=mode, moment=moment(as_of)).records()
    if not rows:
        raise WarehouseError(
            f"{named}: showed nothing of {host} in mode {mode} then; `kbw coverage` shows what there is"
        )
    if to.is_dir():
        raise WarehouseError(f"{to}: is a folder; name the file to write")
    write_once(to, json.dumps(timing_document(rows), indent=4, ensure_ascii=False).encode() + b"\n")
    say(f"{to}: {len(rows)} figures of {named}:{host}/{mode}")
