"""The bytes of files: from a revision's one archive where many are missing, else one by one from the raw host.

Whatever the way, bytes are taken only where their git id is the one asked for.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from flows.sources.github.answers import BlobAnswer
from flows.sources.github.archives import Damaged, files_of
from flows.sources.github.client import AT_ONCE, Client
from flows.sources.github.errors import Again, Denied, GaveUp, TooLarge
from flows.sources.interface import Blob, RefusedBlob
from warehouse.landing import git_blob_id

FEW = 36
"""More missing files than this in one revision are worth its archive: floods of raw requests are answered with 429."""

LARGEST_FILE = 2**27
"""More than GitHub takes in one file (100 MB)."""

_WORD_EVERY = 25

FilesOf = Mapping[str, Mapping[str, str]]
"""Commit to ``path -> blob id``."""


class Transfers:
    """Fetches blobs that commits were seen to show."""

    def __init__(self, client: Client, name: str, files_of: FilesOf) -> None:
        """``files_of`` says where each blob is to be had; commits may be added to it later."""
        self._client = client
        self._name = name
        self._files_of = files_of

    def read(self, blobs: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        """Each blob once, in the order in which they come."""
        left = dict.fromkeys(blobs)
        wanted = len(left)
        for blob in self._every(left):
            del left[blob.id]
            done = wanted - len(left)
            if done % _WORD_EVERY == 0 or not left:
                self._client.say(f"{self._name}: {done} of {wanted} files")
            yield blob

    def _every(self, left: Mapping[str, None]) -> Iterator[Blob | RefusedBlob]:
        """``left`` shrinks as blobs are given out."""
        tried: set[str] = set()
        while (commit := self._worth_an_archive(left, tried)) is not None:
            tried.add(commit)
            yield from self._from_archive(commit, left)
        yield from self._one_by_one(list(left))

    def _worth_an_archive(self, left: Mapping[str, None], tried: set[str]) -> str | None:
        """The commit that shows most of what is left, where that is more than a few."""
        counts = {c: len(left.keys() & set(files.values())) for c, files in self._files_of.items() if c not in tried}
        best = max(counts, key=lambda commit: counts[commit], default=None)
        return best if best is not None and counts[best] > FEW else None

    def _from_archive(self, commit: str, left: Mapping[str, None]) -> Iterator[Blob]:
        """What an archive gives of ``left``. What it lacks, or gives wrong, is left for the other ways."""
        self._client.say(f"{self._name}: fetching the archive of {commit[:12]}")
        try:
            for attempt in self._client.attempts():
                state = attempt.retry_state
                try:
                    yield from self._unpack(commit, left)
                except Again as broken:
                    state.set_exception((Again, broken, None))
                except Damaged:
                    state.set_exception((Again, Again(f"the archive of {commit[:12]} is damaged"), None))
                else:
                    state.set_result(None)
        except (GaveUp, TooLarge, Denied) as error:
            self._client.say(f"{error}; going on file by file")

    def _unpack(self, commit: str, left: Mapping[str, None]) -> Iterator[Blob]:
        """Read an archive as it comes. Its names are only compared with those asked for; nothing of it is written."""
        wanted = {path: blob for path, blob in self._files_of[commit].items() if blob in left}
        with self._client.archive(commit) as stream:
            for name, data in files_of(stream, lambda name: wanted.get(_below_top(name)) in left, LARGEST_FILE):
                blob = wanted[_below_top(name)]
                if git_blob_id(data) == blob:
                    yield Blob(blob, data)

    def _one_by_one(self, blobs: Sequence[str]) -> Iterator[Blob | RefusedBlob]:
        """At most eight at a time, and no more in memory than that."""
        where = self._where(set(blobs))
        waiting = iter(blobs)
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="kbw-github")
        try:
            running: set[Future[Blob | RefusedBlob]] = set()
            while True:
                more = islice(waiting, AT_ONCE - len(running))
                running |= {pool.submit(self._one, blob, where.get(blob)) for blob in more}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            self._client.wake()  # where one failed, nobody waits for the others' patience to end
            pool.shutdown(cancel_futures=True)
            self._client.rest()

    def _where(self, blobs: set[str]) -> dict[str, tuple[str, str]]:
        """A commit and path under which each blob is to be had."""
        where: dict[str, tuple[str, str]] = {}
        for commit, files in self._files_of.items():
            for path, blob in files.items():
                if blob in blobs:
                    where.setdefault(blob, (commit, path))
        return where

    def _one(self, blob: str, found_at: tuple[str, str] | None) -> Blob | RefusedBlob:
        """From the raw host, else from the API; refused where neither gives what the id says."""
        routes: list[tuple[str, Callable[[], bytes]]] = [("the API", lambda: self._from_api(blob))]
        if found_at is not None:
            routes.insert(0, ("the raw host", lambda: self._client.raw(*found_at, LARGEST_FILE)))
        said = []
        for route, fetch in routes:
            try:
                data = fetch()
            except Denied as denied:
                said.append(f"{route} answers {denied.status}")
            except TooLarge:
                said.append(f"{route} gave more than {LARGEST_FILE >> 20} MiB")
            else:
                found = git_blob_id(data)
                if found == blob:
                    return Blob(blob, data)
                said.append(f"{route} gave {len(data)} bytes of blob {found[:12]}")
        return RefusedBlob(blob, "; ".join(said))

    def _from_api(self, blob: str) -> bytes:
        answer = self._client.ask(f"/git/blobs/{blob}", BlobAnswer).value
        assert answer is not None
        try:
            return b64decode(answer.content) if answer.encoding == "base64" else answer.content.encode()
        except (binascii.Error, ValueError):
            return b""  # not the blob either


def _below_top(name: str) -> str:
    """A member's path: an archive has all of a commit in one folder."""
    return name.partition("/")[2]
