"""Git's name of a tree, made anew from what an answer says is in it."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping

from flows.sources.github.answers import Entry

_SHA = re.compile(r"[0-9a-f]{40}")


def is_tree(tree: str, entries: Mapping[str, Entry]) -> bool:
    """Whether the entries, by their path from the root, in git's order, make the tree of this id, to its depths.

    It cannot be shown of a commit's id, of what was not listed whole, of names that are not text.
    """
    inside: defaultdict[str, list[tuple[str, Entry]]] = defaultdict(list)
    for path, entry in entries.items():
        folder, _, name = path.rpartition("/")
        inside[folder].append((name, entry))
    if not all(_SHA.fullmatch(entry.sha) for entry in entries.values()):
        return False
    folders = {"": tree} | {path: entry.sha for path, entry in entries.items() if entry.type == "tree"}
    return all(_id(inside[path]) == named for path, named in folders.items())


def _id(entries: list[tuple[str, Entry]]) -> str:
    """The id of one folder. GitHub writes the mode of a folder with a zero before it, git does not."""
    lines = (
        f"{entry.mode.lstrip('0')} {name}\0".encode("utf-8", "surrogateescape") + bytes.fromhex(entry.sha)
        for name, entry in entries
    )
    body = b"".join(lines)
    return hashlib.sha1(b"tree %d\0" % len(body) + body, usedforsecurity=False).hexdigest()
