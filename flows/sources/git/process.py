"""git is started here and nowhere else: in an environment in which nothing that it reads can name a program.

A repository may be a stranger's, and its configuration is the stranger's too: it can name programs for dozens of
occasions, rewrite history for whoever reads it, and have missing objects fetched. Four things stand against that:

- The environment is closed. Of the user's own only what a process needs to run is handed on, and no configuration but
  ``safe.directory``, by which git believes repositories of other people.
- What a configuration could name is overruled, since the command line comes last: hooks, signatures, credentials, ssh.
- No way to fetch is open, to other hosts as little as to other folders; a bundle alone may be cloned.
- Only plumbing is asked (``rev-list``, ``cat-file``, ``ls-tree``, ...), whose output no configuration shapes, and which
  starts no pager, no difference and no filter. Whatever else names a program (``diff.<driver>.textconv``,
  ``filter.<driver>.smudge``, ``alias.<name>``) is therefore never come by.

Every call has a deadline and a bound on what it may say: a repository can be made of pipes that never end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self, cast

from flows.sources.interface import LARGEST_BLOB, SourceError

PATIENCE_S = 600.0
"""How long one answer may take: that for the commits of a history of millions takes a minute."""

PATIENCE_TO_CLONE_S = 3600.0

_LARGEST_ANSWER = 2**28
"""Bytes of one answer but for objects: a listing of some million files."""

_LARGEST_COMPLAINT = 2**20
_PART = 2**16

_KEPT = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "SUDO_UID")
"""What is handed on of the user's environment. By the last git knows whose repositories ``sudo`` may read."""

_ENVIRONMENT: Mapping[str, str] = {
    "LC_ALL": "C",
    "HOME": os.devnull,
    "XDG_CONFIG_HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    # History is what was committed: no replaced objects, no grafts, and nothing fetched meanwhile.
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_SSH_COMMAND": "false",
    "GIT_PAGER": "cat",
    "GIT_EDITOR": "false",
}

_SETTINGS: Mapping[str, str] = {
    "core.alternateRefsCommand": "false",
    "core.askPass": "",
    "core.attributesFile": os.devnull,
    "core.bigFileThreshold": str(LARGEST_BLOB),
    "core.commitGraph": "false",  # a copy of what commits say, which nothing holds to them
    "core.editor": "false",
    "core.fsmonitor": "false",
    "core.gitProxy": "none",
    "core.hooksPath": os.devnull,
    "core.multiPackIndex": "false",
    "core.pager": "cat",
    "core.quotePath": "false",
    "core.sshCommand": "false",
    "core.useReplaceRefs": "false",
    "credential.helper": "",
    "diff.external": "false",
    "gpg.openpgp.program": "false",
    "gpg.program": "false",
    "gpg.ssh.defaultKeyCommand": "false",
    "gpg.ssh.program": "false",
    "gpg.x509.program": "false",
    "log.showSignature": "false",
    "protocol.allow": "never",
    "uploadpack.packObjectsHook": "",
}
"""What overrules every configuration that git reads, also one that another includes."""


@dataclass(frozen=True)
class Answer:
    """What git said. ``complaint`` is what it wrote beside its answer: where it failed, the reason."""

    status: int
    out: bytes
    complaint: str

    @property
    def text(self) -> str:
        """The answer as text, without the line's end: names of refs hold no backslash, so none becomes another."""
        return self.out.decode("utf-8", "backslashreplace").strip()


class Git:
    """git in one folder."""

    def __init__(self, folder: Path, named: str | None = None) -> None:
        """``named`` is how messages call the folder. Whom the user believes is asked once, here."""
        self._folder = folder
        self.named = named or str(folder)
        self._believed = _believed()

    def ask(self, *arguments: str, protocols: str = "", patience_s: float | None = None) -> Answer:
        """Run git to its end; raises SourceError where that does not come in time, or where it says too much.

        ``protocols`` are those by which it may fetch.
        """
        with tempfile.TemporaryFile() as complaints:
            process = self._start(arguments, subprocess.DEVNULL, complaints, protocols)
            with Watch(process, patience_s) as watch, watch.waiting():
                out = _read_bounded(watch.out, _LARGEST_ANSWER)
                if out is not None:
                    process.wait()
            if watch.ran_out:
                raise SourceError(f"{self.named}: git {arguments[0]} came to no end; is everything there a plain file?")
            if out is None:
                raise SourceError(f"{self.named}: git {arguments[0]} says more than {_LARGEST_ANSWER >> 20} MiB")
            complaints.seek(0)
            complaint = complaints.read(_LARGEST_COMPLAINT).decode("utf-8", "backslashreplace").strip()
        return Answer(process.returncode, out, complaint)

    def must(self, *arguments: str, protocols: str = "", patience_s: float | None = None) -> Answer:
        """The same; raises SourceError, with the last line that git complains in, also where git fails."""
        answer = self.ask(*arguments, protocols=protocols, patience_s=patience_s)
        if answer.status:
            last = (answer.complaint.splitlines() or ["no reason given"])[-1]
            raise SourceError(f"{self.named}: git {arguments[0]} failed: {last}")
        return answer

    def serve(self, *arguments: str) -> Watch:
        """Start git to be asked and answer as long as it is wanted."""
        return Watch(self._start(arguments, subprocess.PIPE, subprocess.DEVNULL, ""))

    def _start(
        self, arguments: Sequence[str], stdin: int, stderr: int | IO[bytes], protocols: str
    ) -> subprocess.Popen[bytes]:
        environment = {**_environment(), "GIT_ALLOW_PROTOCOL": protocols}
        settings = (part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}"))
        command = ["git", "--no-pager", "-C", str(self._folder), *settings, *arguments]
        if not self._believed:
            return _start(command, environment, stdin, stderr)
        with tempfile.TemporaryFile() as configuration:
            configuration.write(self._believed)
            configuration.flush()
            configuration.seek(0)
            environment["GIT_CONFIG_GLOBAL"] = f"/dev/fd/{configuration.fileno()}"
            return _start(command, environment, stdin, stderr, (configuration.fileno(),))


class Watch:
    """Ends a process, and all that it started, when it does not answer in time, and in any case when it is left."""

    def __init__(self, process: subprocess.Popen[bytes], patience_s: float | None = None) -> None:
        """``patience_s`` is for one answer; it may become a quarter longer."""
        self._process = process
        self._patience_s = PATIENCE_S if patience_s is None else patience_s
        self._waiting_since_s: float | None = None
        self._left = threading.Event()
        self.ran_out = False
        """Whether an answer did not come in time, and the process was ended for it."""
        self._thread = threading.Thread(target=self._look, name="kbw-git-watch", daemon=True)
        self._thread.start()

    @property
    def out(self) -> IO[bytes]:
        """What the process says."""
        return cast(IO[bytes], self._process.stdout)

    @property
    def requests(self) -> IO[bytes]:
        """What it is asked."""
        return cast(IO[bytes], self._process.stdin)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts, the process is waited for; else it is the process that waits, as long as it may take."""
        self._waiting_since_s = time.monotonic()
        try:
            yield
        finally:
            self._waiting_since_s = None

    def close(self) -> None:
        """End the process, if it has not ended by itself, and close what was open to it."""
        self._left.set()
        self._thread.join()
        if self._process.poll() is None:
            self._end()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not written yet, to a process that is no more
                    stream.close()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _look(self) -> None:
        while not self._left.wait(self._patience_s / 4):
            since_s = self._waiting_since_s
            if since_s is not None and time.monotonic() - since_s > self._patience_s:
                self.ran_out = True
                self._end()
                return

    def _end(self) -> None:
        """Also those that git started, and that would keep open what it answers by when it is no more."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


def _start(
    command: Sequence[str],
    environment: Mapping[str, str],
    stdin: int,
    stderr: int | IO[bytes],
    files: Collection[int] = (),
) -> subprocess.Popen[bytes]:
    """In a session of its own: so git has no terminal to ask at, and ends with all that it started."""
    try:
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=environment,
            start_new_session=True,
            pass_fds=files,
        )
    except FileNotFoundError:
        raise SourceError("git is not installed; install it, or ingest `sample` or a dir: source") from None


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _KEPT if name in os.environ} | dict(_ENVIRONMENT)


def _believed() -> bytes:
    """The user's ``safe.directory``, as a configuration: empty, as it mostly is.

    git asks the system's and the user's own configuration for it, never that of a repository. So it is read as the user
    has it, in no repository, and handed on as the user's: older releases do not hear of it on the command line.
    """
    user = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    user |= {name: value for name, value in os.environ.items() if name.startswith("GIT_CONFIG_")}
    user["GIT_DIR"] = os.devnull
    command = ["git", "config", "-z", "--type=path", "--get-all", "safe.directory"]
    with Watch(_start(command, user, subprocess.DEVNULL, subprocess.DEVNULL)) as watch, watch.waiting():
        folders = (_read_bounded(watch.out, _LARGEST_COMPLAINT) or b"").split(b"\0")[:-1]
    return b"".join(b"[safe]\n\tdirectory = %s\n" % _quoted(folder) for folder in folders)


def _quoted(value: bytes) -> bytes:
    """A value as git's configuration has it."""
    escaped = value.replace(b"\\", rb"\\").replace(b'"', rb"\"").replace(b"\n", rb"\n")
    return b'"%s"' % escaped


def _read_bounded(stream: IO[bytes], most: int) -> bytes | None:
    """All that comes; None where it is more than ``most`` bytes."""
    parts: list[bytes] = []
    left = most
    while part := stream.read1(_PART):  # type: ignore[attr-defined]  # of a pipe, what there is
        left -= len(part)
        if left < 0:
            return None
        parts.append(part)
    return b"".join(parts)
