"""What a tree shows: one recursive request, or, where that is cut short, a walk into the folders that matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from flows.sources.github.answers import Entry, TreeAnswer
from flows.sources.github.client import Client
from flows.sources.github.errors import shown
from flows.sources.github.objects import is_tree
from flows.sources.interface import SourceError
from transforms.layout import TOP, Layout

_SMALL = 5_000
"""Entries up to which a whole tree is asked for where only one object of it is wanted: one request instead of two or
three, at the price of some hundred kilobytes."""

MOST_ENTRIES = 1_000_000
"""In one tree, with all below it: a tree whose folders are all the same one is small and without end."""

_DEEPEST = 64
"""Folders within one another that are walked into."""

_INSTEAD = "clone it, and ingest git:PATH"


@dataclass(frozen=True)
class TreeFiles:
    """The tracked files of a tree, ``path -> blob id``, and the object at ``results/timing`` of the layout, or none.

    ``proven``: the entries make the tree that was asked for, by its id.
    """

    files: dict[str, str]
    timing: str | None
    proven: bool


class Trees:
    """Trees of one repository. An object is asked for once: revisions share most of them."""

    def __init__(self, client: Client, timing: dict[str, str | None]) -> None:
        """``timing`` is as in ``read_at``."""
        self._client = client
        self._timing = timing
        self.layout = TOP
        self._files: dict[str, TreeFiles] = {}
        self._answers: dict[tuple[str, bool], TreeAnswer] = {}
        self._entries = 0  # in the largest tree so far

    def read_at(self, layout: Layout, timing: dict[str, str | None]) -> None:
        """From now on read the files of this layout.

        ``timing`` is what is known from before: trees to the object at its ``results/timing``. It is added to.
        """
        self.layout, self._timing = layout, timing
        self._files.clear()

    def files(self, tree: str) -> TreeFiles:
        """Of a tree or of a commit."""
        if tree not in self._files:
            found = self._all_below(tree)
            timing = next((f"{entry.mode} {entry.sha}" for path, entry in found if path == self.layout.timings), None)
            files = {path: e.sha for path, e in found if _is_file(e) and self.layout.is_tracked(path)}
            self._files[tree] = TreeFiles(files, timing, is_tree(tree, dict(found)))
            self._timing[tree] = timing
        return self._files[tree]

    def paths(self, tree: str) -> list[str]:
        """Every file of a tree, or of a commit; where it is too large to be told at once, the files that matter."""
        answer = self._ask(tree, recursive=True, keep=True)
        found = self._all_below(tree) if answer.truncated else _at("", answer.tree)
        return [path for path, entry in found if _is_file(entry)]

    def timing(self, tree: str) -> str | None:
        """The object at ``results/timing`` of a tree or of a commit: two trees with the same show the same figures."""
        if tree not in self._timing:
            self._timing[tree] = self.files(tree).timing if self._entries <= _SMALL else self._walk_to_timing(tree)
        return self._timing[tree]

    def _walk_to_timing(self, tree: str) -> str | None:
        first, *names = self.layout.timings.split("/")
        entry = self._named(tree, first)
        for name in names:
            entry = self._named(entry.sha, name) if entry and entry.type == "tree" else None
        return f"{entry.mode} {entry.sha}" if entry else None

    def timing_of_listed(self, tree: str) -> str | None:
        """The same, by the one request that listing its files takes anyway."""
        return self._timing[tree] if tree in self._timing else self.files(tree).timing

    def _named(self, folder: str, name: str) -> Entry | None:
        return next((entry for entry in self._level(folder) if entry.path == name), None)

    def _all_below(self, tree: str) -> list[tuple[str, Entry]]:
        found = list(islice(self._below(tree, ""), MOST_ENTRIES + 1))
        if len(found) > MOST_ENTRIES:
            raise SourceError(
                f"{self._client.name}: tree {tree[:12]} has more than {MOST_ENTRIES:,} entries; {_INSTEAD}"
            )
        return found

    def _below(self, tree: str, prefix: str) -> Iterator[tuple[str, Entry]]:
        """Every entry below a tree that may matter, with its path from the root."""
        if prefix.count("/") > _DEEPEST:
            where = f"{self._client.name}: tree {tree[:12]} at {shown(prefix)}"
            raise SourceError(f"{where} has more than {_DEEPEST} folders above it; {_INSTEAD}")
        answer = self._ask(tree, recursive=True, keep=bool(prefix))
        if not answer.truncated:
            yield from _at(prefix, answer.tree)
            return
        for path, entry in _at(prefix, self._level(tree)):
            yield path, entry
            if entry.type == "tree" and self.layout.leads_to_tracked(path):
                yield from self._below(entry.sha, path + "/")

    def _level(self, tree: str) -> list[Entry]:
        answer = self._ask(tree, recursive=False, keep=True)
        if answer.truncated:
            raise SourceError(f"{self._client.name}: tree {tree[:12]} is too large for GitHub's API; {_INSTEAD}")
        wrong = next((entry.path for entry in answer.tree if "/" in entry.path), None)
        if wrong is not None:
            raise self._client.distrust(f"/git/trees/{tree}", f"'{shown(wrong)}', which is no name in one folder")
        return answer.tree

    def _ask(self, tree: str, *, recursive: bool, keep: bool) -> TreeAnswer:
        if (tree, recursive) not in self._answers:
            query = {"recursive": "1"} if recursive else {}
            answer = self._client.ask(f"/git/trees/{tree}", TreeAnswer, **query).value
            assert answer is not None
            self._entries = max(self._entries, _SMALL + 1 if answer.truncated else len(answer.tree))
            if not keep:
                return answer
            self._answers[tree, recursive] = answer
        return self._answers[tree, recursive]


def _at(prefix: str, entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    return ((prefix + entry.path, entry) for entry in entries)


def _is_file(entry: Entry) -> bool:
    """A file, not a symbolic link or a submodule."""
    return entry.type == "blob" and entry.mode.startswith("100")
