"""Command line: which commands there are, and how one runs (DESIGN.md section 15)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

import typer

from flows import garbage
from flows.cli.asked import Command, PageCommand, PromptCommand, RowsCommand, keep
from flows.cli.exits import INTERRUPTED, READ_BY_NOBODY, in_words, status_of_error
from flows.cli.process import ending_in_order, finish, is_read_by_nobody, prepare
from flows.cli.render import printable, say

COMMANDS = {
    "ingest": ("kbw ingest sample", "kbw ingest sample --dry-run"),
    "rebuild": ("kbw rebuild", "kbw rebuild --json"),
    "records": (
        "kbw records --gpu H100 --level 3 --limit 10",
        "kbw records --mode eager --sort date --format markdown",
    ),
    "sql": (
        'kbw sql "select host, count(*) as runs from runs group by host"',
        'kbw sql "from quarantine" --csv',
    ),
    "check": ("kbw check", "kbw check --landing"),
    "sources": ("kbw sources", "kbw sources --json"),
    "info": ("kbw info", "kbw info --format csv"),
    "export": (
        "kbw export --to snapshot",
        "kbw export --as kernelbench --host H100_Modal --to h100.json",
    ),
    "show": ("kbw show VisionTransformer --host H100_Modal", "kbw show level3/28 --gpu B200 --as-of 2025-07-10"),
    "score": (
        "kbw score eval_results.json --level 1",
        "kbw score eval_results.json --level 1 --others",
    ),
    "lock": ("kbw lock baselines.json --against H100_Modal", "kbw lock --check baselines.json"),
    "history": ("kbw history level1/19 --host T4_modal", "kbw history ReLU --mode eager --format csv"),
    "stale": ("kbw stale --reason problem_changed", "kbw stale --severity error --level 1"),
    "coverage": ("kbw coverage --gpu H100", "kbw coverage --gaps --mode eager"),
    "manifest": (
        "kbw manifest H100_Modal/torch/level1/19_ReLU.py --pin newest",
        "kbw manifest H100_Modal/eager/1/19 --kind run",
    ),
    "find": ("kbw find 386c33f936e3", "kbw find 386c33f936e3 --json"),
    "verify": ("kbw verify run.json", "kbw verify run.json --json"),
    "config": ("kbw config", "kbw config --json"),
    "backup": ("kbw backup kbw-backup.tar.gz", "kbw backup kbw-backup.tar.gz --json"),
    "restore": (
        "kbw restore kbw-backup.tar.gz --home restored",
        "kbw restore kbw-backup.tar.gz --home restored --replace",
    ),
    "serve": ('kbw serve --cron "17 4 * * *"', "kbw serve"),
    "deploy": ("kbw deploy --pool kbw", 'kbw deploy --pool kbw --cron "17 4 * * *"'),
    "changes": ("kbw changes --since 2025-12-01", "kbw changes --level 1 --limit 5"),
    "diff": ("kbw diff 7dd9cfa0 88df56b9 --level 3", "kbw diff 7dd9cfa0 88df56b9 --mode eager --format csv"),
    "explain": (
        "kbw explain H100_Modal/torch/level1/97_ScaledDotProductAttention.py",
        "kbw explain ReLU --host H100_Modal --mode eager",
    ),
    "docs": ("kbw docs", "kbw docs records"),
}
"""Each command, in the order of the help, with two examples. It is ``<command>_command`` of ``flows.cli.commands``'
module of its name."""

_KINDS: dict[str, type[Command]] = {
    **dict.fromkeys(
        ("records", "stale", "coverage", "show", "history", "diff", "find", "sources", "info"), RowsCommand
    ),
    **dict.fromkeys(("explain", "docs"), PageCommand),
    "sql": PromptCommand,
}
"""Commands that answer with rows; the others answer with words, or with one object."""


def build(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command line; for arguments that name a command, of that alone: starting is most of a short answer's time."""
    named = next((argument for argument in arguments if not argument.startswith("-")), "")
    app = typer.Typer(
        name="kbw",
        no_args_is_help=True,
        add_completion=named not in COMMANDS,  # of a command that is named it has no use
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Trustworthy history of GPU kernel baselines: who holds the record, who held it when, and can this number "
        "still be trusted?",
    )
    app.callback()(_common)
    for command in [named] if named in COMMANDS else COMMANDS:
        function = ending_in_order(getattr(import_module(f"flows.cli.commands.{command}"), f"{command}_command"))
        examples = "\n\n".join(f"Example: {example}" for example in COMMANDS[command])
        app.command(command, cls=_KINDS.get(command, Command), epilog=examples)(function)
    return app


def _common(
    context: typer.Context,
    debug: bool = typer.Option(False, "--debug", help="Show a traceback when something fails."),
    no_pager: bool = typer.Option(False, "--no-pager", help="Never hand a long answer to a pager."),
    _: bool = typer.Option(
        False,
        "--version",
        callback=lambda asked: _say_version() if asked else None,
        is_eager=True,
        help="Say which version this is.",
    ),
) -> None:
    """Options of every command."""
    keep(context, "no_pager", no_pager)
    os.environ["KBW_DEBUG"] = "1" if debug else os.environ.get("KBW_DEBUG", "")


def _say_version() -> None:
    """Say which version this is, and on what it rests, for a report of a defect."""
    import platform
    from importlib.metadata import version

    beneath = f"Python {platform.python_version()}, DuckDB {version('duckdb')}"
    say(f"kbw {version('kernelbench-warehouse')} ({beneath})")
    raise typer.Exit


def main() -> None:
    """Run ``kbw`` and end with its exit status."""
    with garbage.looked_for_rarely():
        status = finish(run(sys.argv[1:], prepare))
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
        return _status_of(end)
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:
        if os.environ.get("KBW_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
        print(f"kbw: {printable(in_words(error))}", file=sys.stderr)
        return status_of_error(error)
    return 0


def _status_of(end: SystemExit) -> int:
    """The status that an end asks for; the line that click has no words for, where a signal or a pipe made it."""
    status = end.code if isinstance(end.code, int) else int(end.code is not None)
    if status == INTERRUPTED:
        return _interrupted()
    if isinstance(end.__context__, BrokenPipeError):  # click says nothing of it
        if is_read_by_nobody():
            return READ_BY_NOBODY
        print(f"kbw: {printable(in_words(end.__context__))}", file=sys.stderr)
    return status


def _interrupted() -> int:
    print("kbw: interrupted; run it again to go on", file=sys.stderr)
    return INTERRUPTED
