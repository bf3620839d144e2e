"""Command line: which commands there are, and how one runs (DESIGN.md section 15)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

import typer

from flows import garbage
from flows.cli.exits import in_words, status_of_error
from flows.cli.process import prepare
from flows.cli.render import printable

COMMANDS = {
    "ingest": "kbw ingest sample",
    "rebuild": "kbw rebuild",
    "records": "kbw records --gpu H100 --level level3 --limit 10",
    "sql": 'kbw sql "select host, count(*) as runs from runs group by host"',
    "check": "kbw check",
    "sources": "kbw sources",
    "info": "kbw info",
    "export": "kbw export --to snapshot",
    "show": "kbw show VisionTransformer --host H100_Modal",
    "score": "kbw score eval_results.json --level 2",
    "history": "kbw history level1/19 --host T4_modal",
    "stale": "kbw stale --reason problem_changed",
    "coverage": "kbw coverage --gpu H100",
    "manifest": "kbw manifest H100_Modal/torch/level1/19_ReLU.py --pin newest",
    "find": "kbw find 386c33f936e3",
    "verify": "kbw verify run.json",
    "config": "kbw config",
    "backup": "kbw backup kept.tar.gz",
    "restore": "kbw restore kept.tar.gz --home restored",
    "serve": 'kbw serve --cron "17 4 * * *"',
    "deploy": "kbw deploy --pool kbw",
    "diff": "kbw diff 7dd9cfa0 88df56b9 --level level3",
    "explain": "kbw explain H100_Modal/torch/level1/97_ScaledDotProductAttention.py",
}
"""Each command, in the order of the help, with an example. It is ``<command>_command`` of ``flows.cli.commands``'
module of its name."""


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
        function = getattr(import_module(f"flows.cli.commands.{command}"), f"{command}_command")
        app.command(command, epilog=f"Example: {COMMANDS[command]}")(function)
    return app


def _common(
    debug: bool = typer.Option(False, "--debug", help="Show a traceback when something fails."),
) -> None:
    """Options of every command."""
    os.environ["KBW_DEBUG"] = "1" if debug else os.environ.get("KBW_DEBUG", "")


def main() -> None:
    """Run ``kbw`` and end with its exit status."""
    with garbage.looked_for_rarely():
        status = run(sys.argv[1:], prepare)
    sys.stdout.flush()
    sys.stderr.flush()
    if "prefect" in sys.modules:  # it sends its last messages when Python ends
        sys.exit(status)
    os._exit(status)  # taking Python apart would be a tenth of a short command's time


def run(arguments: list[str], before: Callable[[], None] = lambda: None) -> int:
    """Run one command line; the exit status. Errors are one line on stderr that says what, where and what to do.

    ``before`` it, what a process of its own needs.
    """
    try:
        before()
        build(arguments)(args=arguments, prog_name="kbw")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception as error:
        if os.environ.get("KBW_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
        print(f"kbw: {printable(in_words(error))}", file=sys.stderr)
        return status_of_error(error)
    return 0
