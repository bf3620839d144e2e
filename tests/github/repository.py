"""A real git repository's answers in the shapes of GitHub's API; asked of git once each."""

from __future__ import annotations

import base64
import io
import os
import subprocess
import tarfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any

_SETTINGS = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
_FORMAT = "--format=%H %T %ct %P"


class Repository:
    """A bare repository. Branches may move meanwhile; what an object id names may not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self.commit, self.tree, self.blob = cache(self._commit), cache(self._tree), cache(self._blob)
        self.log, self.files, self.archive = cache(self._log), cache(self._files), cache(self._archive)

    def resolve(self, ref: str) -> str | None:
        """The commit that a ref names; None where there is none."""
        done = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", check=False)
        return done.decode().strip() or None

    def default_branch(self) -> str:
        return self._git("symbolic-ref", "--short", "HEAD").decode().strip()

    def is_empty(self) -> bool:
        return not self._git("for-each-ref", "--count=1")

    def file(self, commit: str, path: str) -> tuple[str, bytes] | None:
        """Blob id and bytes of a file in a commit."""
        sha = self.files(commit).get(path)
        data = self.blob(sha) if sha else None
        return (sha, data) if sha and data is not None else None

    def close(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.stdin.close()
                self._process.stdout.close()
                self._process.wait()

    def _commit(self, commit: str) -> dict[str, Any]:
        return _as_json(self._git("log", "-1", _FORMAT, commit).decode().strip())

    def _log(self, commit: str, path: str | None, full_history: bool) -> list[dict[str, Any]]:
        arguments = ["--full-history"] if full_history else []
        arguments += ["--", path] if path else []
        return [_as_json(line) for line in self._git("log", _FORMAT, commit, *arguments).decode().splitlines()]

    def _tree(self, name: str, recursive: bool) -> list[dict[str, Any]] | None:
        found = self._object(name if ":" in name else f"{name}^{{tree}}")
        if found is None or found[1] != "tree":
            return None
        arguments = ["-r", "-t"] if recursive else []
        listed = self._git("ls-tree", "-z", *arguments, found[0]).decode("utf-8", "replace").split("\0")[:-1]
        entries = []
        for line in listed:
            (mode, kind, sha), path = line.partition("\t")[0].split(), line.partition("\t")[2]
            entries.append({"path": path, "mode": mode, "type": kind, "sha": sha})
        return entries

    def _files(self, commit: str) -> dict[str, str]:
        return {entry["path"]: entry["sha"] for entry in self.tree(commit, True) or [] if entry["type"] == "blob"}

    def _blob(self, sha: str) -> bytes | None:
        found = self._object(sha)
        return found[2] if found and found[1] == "blob" else None

    def _archive(self, commit: str, top: str, instead: tuple[tuple[str, bytes], ...]) -> bytes:
        """A gzipped tar of a commit under one folder; ``instead`` replaces the bytes of some blobs."""
        other = dict(instead)
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1, format=tarfile.PAX_FORMAT) as archive:
            for entry in self.tree(commit, True) or []:
                member = tarfile.TarInfo(f"{top}/{entry['path']}")
                if entry["type"] == "tree":
                    member.type = tarfile.DIRTYPE
                    archive.addfile(member)
                elif entry["mode"] == "120000":
                    member.type, member.linkname = tarfile.SYMTYPE, (self.blob(entry["sha"]) or b"").decode()
                    archive.addfile(member)
                elif entry["type"] == "blob":
                    data = other.get(entry["sha"], self.blob(entry["sha"]) or b"")
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))
        return out.getvalue()

    def _object(self, name: str) -> tuple[str, str, bytes] | None:
        """Id, type and content, from one process for all."""
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    ["git", "-C", str(self.path), "cat-file", "--batch"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=_SETTINGS,
                )
            self._process.stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
            self._process.stdin.flush()
            header = self._process.stdout.readline().decode("utf-8", "replace").rsplit(maxsplit=2)
            if len(header) != 3 or header[1] not in {"blob", "tree", "commit", "tag"}:
                return None
            data = self._process.stdout.read(int(header[2]))
            self._process.stdout.read(1)
            return header[0], header[1], data

    def _git(self, *arguments: str, check: bool = True) -> bytes:
        done = subprocess.run(["git", "-C", str(self.path), *arguments], capture_output=True, env=_SETTINGS)
        assert not check or done.returncode == 0, done.stderr.decode()
        return done.stdout


def blob_answer(sha: str, data: bytes) -> dict[str, Any]:
    """As GitHub gives a blob: base64, in lines."""
    return {"sha": sha, "size": len(data), "encoding": "base64", "content": base64.encodebytes(data).decode()}


def _as_json(line: str) -> dict[str, Any]:
    commit, tree, seconds, *parents = line.split()
    date = f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}"
    other = {"name": "A", "email": "a@example.org", "date": "2001-01-01T00:00:00Z"}
    return {
        "sha": commit,
        "commit": {
            "author": other,
            "committer": {"name": "C", "email": "c@example.org", "date": date},
            "message": "made for a test",
            "tree": {"sha": tree, "url": f"https://example.org/trees/{tree}"},
        },
        "author": None,
        "committer": None,
        "parents": [{"sha": parent, "url": f"https://example.org/commits/{parent}"} for parent in parents],
    }
