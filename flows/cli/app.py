"""Command line: which commands there are, and how errors end (DESIGN.md section 15).

Exit 0 done, 1 failed, 2 wrong usage, 3 done but a file was refused or a check found something.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import typer

from flows import garbage
from warehouse.home import WarehouseError, in_one_line

COMMANDS = {
    "ingest": ("ingesting", "kbw ingest sample"),
    "rebuild": ("ingesting", "kbw rebuild"),
    "records": ("reading", "kbw records --gpu H100 --level level3 --limit 10"),
    "sql": ("reading", 'kbw sql "select host, count(*) as runs from runs group by host"'),
    "check": ("reading", "kbw check"),
    "sources": ("reading", "kbw sources"),
    "info": ("reading", "kbw info"),
    "export": ("reading", "kbw export --to snapshot"),
    "show": ("showing", "kbw show VisionTransformer --host H100_Modal"),
    "history": ("looking", "kbw history level1/19 --host T4_modal"),
    "stale": ("looking", "kbw stale --reason problem_changed"),
    "coverage": ("looking", "kbw coverage --gpu H100"),
    "manifest": ("identity", "kbw manifest H100_Modal/torch/level1/19_ReLU.py --pin newest"),
    "find": ("identity", "kbw find 386c33f936e3"),
    "verify": ("identity", "kbw verify run.json"),
    "serve": ("scheduling", 'kbw serve --cron "17 4 * * *"'),
    "deploy": ("scheduling", "kbw deploy --pool kbw"),
    "diff": ("trusting", "kbw diff 7dd9cfa0 88df56b9 --level level3"),
    "explain": ("trusting", "kbw explain H100_Modal/torch/level1/97_ScaledDotProductAttention.py"),
}
"""Each command, in the order of the help: the module of this folder whose ``<command>_command`` it is, an example."""


def build(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command line; for arguments that name a command, of that alone: starting is most of a short answer's time."""
    app = typer.Typer(
        name="kbw",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Trustworthy history of GPU kernel baselines: who holds the record, who held it when, and can this number "
        "still be trusted?",
    )
    app.callback()(_common)
    named = next((argument for argument in arguments if not argument.startswith("-")), "")
    for command in [named] if named in COMMANDS else COMMANDS:
        module, example = COMMANDS[command]
        function = getattr(import_module(f"flows.cli.{module}"), f"{command}_command")
        app.command(command, epilog=f"Example: {example}")(function)
    return app


def _common(
    debug: bool = typer.Option(False, "--debug", help="Show a traceback when something fails."),
) -> None:
    """Options of every command."""
    os.environ["KBW_DEBUG"] = "1" if debug else os.environ.get("KBW_DEBUG", "")


def main() -> None:
    """Run ``kbw`` and end with its exit status."""
    with garbage.looked_for_rarely():
        status = run(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    if "prefect" in sys.modules:  # it sends its last messages when Python ends
        sys.exit(status)
    os._exit(status)  # taking Python apart would be a tenth of a short command's time


def run(arguments: list[str]) -> int:
    """Run one command line; the exit status. Errors are one line on stderr that says what, where and what to do."""
    try:
        build(arguments)(args=arguments, prog_name="kbw")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception as error:
        if os.environ.get("KBW_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
        print(f"kbw: {_explained(error)}", file=sys.stderr)
        return 1
    return 0


def _explained(error: Exception) -> str:
    """What went wrong, in one line."""
    from flows.sources.interface import SourceError
    from transforms.contracts.broken import ContractBroken

    if isinstance(error, WarehouseError | SourceError | ContractBroken):
        return str(error)
    if isinstance(error, OSError):
        where = error.filename or "the warehouse"
        return f"{where}: {error.strerror or error}; free or allow it and run again, the published file is as it was"
    if type(error).__module__.endswith("duckdb"):
        return f"{in_one_line(error)}; free or allow what is named there and run again, the published file is as it was"
    return f"{type(error).__name__}: {in_one_line(error)}; this is a defect of kbw, --debug shows where"
