"""The floor of a history ingest, as DESIGN.md section 16 defines it, and nothing else.

List the trees, read the same blobs with one ``git cat-file --batch``, check their ids, write them once,
``orjson.loads`` the timings, ``ast.parse`` the modules.
"""

from __future__ import annotations

import ast
import hashlib
import subprocess
from pathlib import Path

import orjson


def floor(repository: Path, landing: Path) -> int:
    """Do it once on a clone, writing into the empty folder ``landing``; the number of blobs."""
    revisions = _git(repository, "log", "--first-parent", "--format=%H", "--", "results/timing").split()
    paths: dict[str, str] = {}
    for revision in revisions:
        for line in _git(repository, "ls-tree", "-r", revision, "--", "results/timing", "KernelBench").splitlines():
            entry, path = line.split("\t")
            paths[entry.split()[2]] = path
    done = subprocess.run(
        ["git", "-C", repository, "cat-file", "--batch"],
        input="".join(f"{blob}\n" for blob in paths).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    position = 0
    while position < len(done.stdout):
        end = done.stdout.index(b"\n", position)
        blob, _, size = done.stdout[position:end].decode().split()
        data = done.stdout[end + 1 : end + 1 + int(size)]
        position = end + 2 + int(size)
        if hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() != blob:
            raise ValueError(blob)
        (landing / blob).write_bytes(data)
        if paths[blob].endswith(".json"):
            orjson.loads(data)
        elif paths[blob].endswith(".py"):
            ast.parse(data)
    return len(paths)


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True, check=True)
    return done.stdout
