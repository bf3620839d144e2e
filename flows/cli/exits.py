"""How a command ends: its exit status, and its error in one line (DESIGN.md section 15).

Exit 0 done, 1 failed, 2 wrong usage (most of it typer's own), 3 done but a file was refused or a check found something;
ended by a signal, what a shell says of it: 128 and its number.
"""

from __future__ import annotations

import errno

from warehouse.home import WarehouseError, WrongUsage, in_one_line

FAILED = 1
WRONG_USAGE = 2
FOUND_SOMETHING = 3
INTERRUPTED = 130
READ_BY_NOBODY = 141
"""As of a program that a broken pipe ends; git does."""


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
        return _of_the_machine(error)
    if type(error).__module__.endswith("duckdb"):
        return f"{in_one_line(error)}; free or allow what is named there and run again, the published file is as it was"
    return f"{type(error).__name__}: {in_one_line(error)}; this is a defect of kbw, --debug shows where"


_OF_A_NAME = "; check the name"
_OF_A_RIGHT = "; allow it, or name another folder (--home, KBW_HOME, --to)"
_OF_A_DISK = "; free some and run again, the published file is as it was"
_WHAT_TO_DO = {
    errno.ENOENT: _OF_A_NAME,
    errno.ENOTDIR: _OF_A_NAME,
    errno.EISDIR: _OF_A_NAME,
    errno.EEXIST: "; it is in the way: move it, or name another",
    errno.EACCES: _OF_A_RIGHT,
    errno.EPERM: _OF_A_RIGHT,
    errno.EROFS: _OF_A_RIGHT,
    errno.ENOSPC: _OF_A_DISK,
    errno.EDQUOT: _OF_A_DISK,
    errno.EMFILE: "; raise the limit with `ulimit -n`",
}


def _of_the_machine(error: OSError) -> str:
    """What the machine did not do, and what a person can do about it."""
    where = error.filename or "a file of the warehouse, or the output"
    otherwise = "; free or allow it and run again, the published file is as it was"
    return f"{where}: {error.strerror or error}{_WHAT_TO_DO.get(error.errno or 0, otherwise)}"
