"""Repositories that are not as git would make them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zlib
from pathlib import Path

from flows.sources.git import GitSource
from flows.sources.interface import Blob, RefusedBlob
from tests.histories import LAB


def git(folder: Path, *arguments: str | Path, given: bytes = b"", ok: bool = True, **environment: str) -> str:
    """What plain git answers, without a configuration of the user's; ``ok`` where it has to succeed."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    own |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", **environment}
    command = ["git", "-C", str(folder), *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, env=own, timeout=60)
    assert not (ok and done.returncode), done.stderr.decode()
    return done.stdout.decode("utf-8", "replace").strip()


def put(repository: Path, type_: str, data: bytes) -> str:
    """Write an object, well formed or not, as a file of its own; its id."""
    whole = f"{type_} {len(data)}".encode() + b"\0" + data
    object_id = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    path = loose(repository / ".git" if (repository / ".git").exists() else repository, object_id)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole, 1))
    return object_id


def raw_commit(repository: Path, tree: str, committer: bytes, *parents: str, more: bytes = b"") -> str:
    """Write a commit with a committer's line of any kind, and ``more`` header lines; its id."""
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents), "author A <a@example.org> 1735689600 +0000"]
    return put(repository, "commit", "\n".join(lines).encode() + b"\n" + committer + b"\n" + more + b"\nwords\n")


def loose(repository: Path, object_id: str) -> Path:
    """Where an object stands that is a file of its own."""
    return repository / "objects" / object_id[:2] / object_id[2:]


def under_the_id_of(repository: Path, given: str, asked: str) -> None:
    """Let git find one object under the id of another; both are files of their own."""
    loose(repository, asked).chmod(0o644)
    shutil.copyfile(loose(repository, given), loose(repository, asked))


def unpacked(repository: Path, to: Path) -> Path:
    """A bare copy of a repository, each object of which is a file of its own."""
    git(to.parent, "init", "--quiet", "--bare", "--initial-branch=main", to)
    for pack in (repository / "objects" / "pack").glob("*.pack"):
        git(to, "unpack-objects", "-q", given=pack.read_bytes())
    git(to, "fetch", "--quiet", repository, "+refs/*:refs/*")
    return to


def everything(source: GitSource) -> tuple[list[str], list[dict[str, str]], list[Blob | RefusedBlob]]:
    """All that a source says: its revisions, the files of each and of its head, and what they hold."""
    chain = source.revisions(())
    files = [dict(source.files(revision)) for revision in (*chain.new, chain.head)]
    blobs = sorted({blob for shown in files for blob in shown.values()})
    return [revision.id for revision in chain.new], files, list(source.read(blobs))


def opened(repository: Path) -> GitSource:
    """A repository as a source."""
    return GitSource(str(repository), None, LAB)
