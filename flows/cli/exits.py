"""How a command ends: its exit status, and its error in one line (DESIGN.md section 15).

Exit 0 done, 1 failed, 2 wrong usage (most of it typer's own), 3 done but a file was refused or a check found something.
"""

from __future__ import annotations

from warehouse.home import WarehouseError, WrongUsage, in_one_line

FAILED = 1
WRONG_USAGE = 2
FOUND_SOMETHING = 3


def status_of_error(error: Exception) -> int:
    """The exit status of what went wrong."""
    return WRONG_USAGE if isinstance(error, WrongUsage) else FAILED


def in_words(error: Exception) -> str:
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
