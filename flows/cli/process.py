"""The process that a command runs in: its streams, the signals that end it, the memory that it may have."""

from __future__ import annotations

import codecs
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import TextIO

from flows.cli.exits import FAILED, INTERRUPTED, READ_BY_NOBODY, in_words
from flows.cli.render import ASCII
from warehouse.home import WarehouseError

_ENDS = ("SIGINT", "SIGTERM", "SIGHUP")
_UNTOUCHED = (signal.SIG_DFL, signal.default_int_handler)
"""How Python finds them; what the caller ignores (nohup, a job in the background) stays ignored."""
LEAST_MEMORY = 1_500_000_000
"""Bytes of address space: with less the libraries cannot be loaded, or abort without a word when they ask for more."""


def prepare() -> None:
    """Let the command end in order, whatever way it is ended, and print, whatever its streams can hold.

    Raises WarehouseError where it may use so little memory that it would be aborted in the middle.
    """
    sys.stdout, sys.stderr = _open(sys.stdout), _open(sys.stderr)
    for name in _ENDS:
        number = getattr(signal, name, None)  # some machines have no hang-up
        if number is not None and signal.getsignal(number) in _UNTOUCHED:
            signal.signal(number, _end)
    _refuse_too_little_memory()


_received: list[int] = []
"""Signals that ask for the end, as they came. DuckDB makes another error of what a signal raises."""


def _end(number: int, _: FrameType | None) -> None:
    """End as after an error, so that temporary folders go. As Ctrl-C does: DuckDB listens to nothing else."""
    _received.append(number)
    raise KeyboardInterrupt


def status_of_signal() -> int | None:
    """The shell's own status for the signal that ended the command; None where none did."""
    return 128 + _received[-1] if _received else None


def ending_in_order(command: Callable[..., None]) -> Callable[..., None]:
    """A command that a signal ends with the signal's status, whatever is made of it on the way up."""

    @wraps(command)
    def run(*arguments: object, **named: object) -> None:
        try:
            command(*arguments, **named)
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, KeyboardInterrupt) or _received:
                raise SystemExit(status_of_signal() or INTERRUPTED) from error
            raise

    return run


def _open(stream: TextIO | None) -> TextIO:
    """A stream that takes any text: what its encoding has no sign for is written as an escape."""
    if stream is None:  # it was closed by who started the command
        return Path(os.devnull).open("w", encoding="utf-8")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="ascii" if stream.isatty() and _takes_ascii_alone() else None, errors=_SPELLED)
    return stream


_SPELLED = "spelled"


def _spelled(error: UnicodeError) -> tuple[str | bytes, int]:
    """What an encoding has no sign for: in signs that it has, where such are usual, else as an escape."""
    if isinstance(error, UnicodeEncodeError):
        known = [ASCII.get(sign) for sign in error.object[error.start : error.end]]
        if all(one is not None for one in known):
            return "".join(one or "" for one in known), error.end
    return codecs.backslashreplace_errors(error)


codecs.register_error(_SPELLED, _spelled)


def _takes_ascii_alone() -> bool:
    """Whether the person's locale is said to be C: Python writes UTF-8 even there."""
    said = next((found for name in ("LC_ALL", "LC_CTYPE", "LANG") if (found := os.environ.get(name))), "")
    return said in ("C", "POSIX") and not os.environ.get("PYTHONIOENCODING")


@contextmanager
def signals_call(interrupt: Callable[[], None]) -> Iterator[None]:
    """Within, a signal also calls ``interrupt``, from a thread of its own.

    A library that computes for minutes gives Python no chance to hear a signal before it comes back.
    """
    if current_thread() is not main_thread():
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    listener = Thread(target=_call_for_each, args=(heard, interrupt), daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)
        listener.join()
        os.close(heard)


def _call_for_each(heard: int, interrupt: Callable[[], None]) -> None:
    while os.read(heard, 1):
        interrupt()


@contextmanager
def interrupts_are_caught() -> Iterator[None]:
    """Within, Ctrl-C is Python's own, for who goes on after it, or has ways of ending of its own."""
    before = signal.getsignal(signal.SIGINT)
    if before != _end or current_thread() is not main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def is_read_by_nobody() -> bool:
    """Whether who read the output has gone, as ``head`` does when it has seen enough."""
    return any(_has_no_reader(stream) for stream in (sys.stdout, sys.stderr))


def _has_no_reader(stream: TextIO) -> bool:
    try:
        watched = select.poll()
        watched.register(stream.fileno(), 0)
        return any(event & select.POLLERR for _, event in watched.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call on this machine, or no such stream
        return False


def finish(status: int) -> int:
    """Print what is still held back; the status in which the command ends, also where that cannot be printed."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        _print_no_more()
        return READ_BY_NOBODY
    except OSError as error:
        _print_no_more()
        os.write(2, f"kbw: {in_words(error)}\n".encode())
        return status or FAILED
    return status


def _print_no_more() -> None:
    """What is held back goes nowhere: Python would try once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _refuse_too_little_memory() -> None:
    try:
        import resource
    except ImportError:  # no such limits on this machine
        return
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < LEAST_MEMORY:
        raise WarehouseError(
            f"this process may use {allowed // 10**6:,} MB of address space and needs "
            f"{LEAST_MEMORY // 10**6:,} MB; raise the limit with `ulimit -v`"
        )
