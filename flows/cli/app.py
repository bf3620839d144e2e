"""Command line: which commands there are, and how errors end (DESIGN.md section 15).

Exit 0 done, 1 failed, 2 wrong usage, 3 done but a file was refused or a check found something.
"""

from __future__ import annotations

import os
import sys
import traceback

import typer

from flows.cli import identity, ingesting, looking, reading, scheduling, showing, trusting
from flows.sources.interface import SourceError
from transforms.contracts.broken import ContractBroken
from warehouse.home import WarehouseError, in_one_line

app = typer.Typer(
    name="kbw",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Trustworthy history of GPU kernel baselines: who holds the record, who held it when, and can this number "
    "still be trusted?",
)


@app.callback()
def _common(
    debug: bool = typer.Option(False, "--debug", help="Show a traceback when something fails."),
) -> None:
    """Options of every command."""
    os.environ["KBW_DEBUG"] = "1" if debug else os.environ.get("KBW_DEBUG", "")


ingesting.add_to(app)
reading.add_to(app)
showing.add_to(app)
looking.add_to(app)
identity.add_to(app)
scheduling.add_to(app)
trusting.add_to(app)


def main() -> None:
    """Run ``kbw`` and end with its exit status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; the exit status. Errors are one line on stderr that says what, where and what to do."""
    try:
        app(args=arguments, prog_name="kbw")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception as error:
        if os.environ.get("KBW_DEBUG"):
            traceback.print_exc()
        print(f"kbw: {_explained(error)}", file=sys.stderr)
        return 1
    return 0


def _explained(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, WarehouseError | SourceError | ContractBroken):
        return str(error)
    if isinstance(error, OSError):
        where = error.filename or "the warehouse"
        return f"{where}: {error.strerror or error}; free or allow it and run again, the published file is as it was"
    if type(error).__module__.endswith("duckdb"):
        return f"{in_one_line(error)}; free or allow what is named there and run again, the published file is as it was"
    return f"{type(error).__name__}: {in_one_line(error)}; this is a defect of kbw, --debug shows where"
