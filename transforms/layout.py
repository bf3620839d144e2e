"""Where a repository keeps what is read of it: upstream's layout of paths, and nothing else of the warehouse knows it.

Timing files under ``results/timing``, their README beside them; problem modules under ``KernelBench/level*``; files
that declare software; scripts that time (DESIGN.md sections 2, 4 and 7). A lineage may keep all of it below a folder:
so whoever asks has a ``Layout`` to ask, that of the source or of the revision at hand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Layout:
    """The paths of one lineage. ``root`` is the folder that holds ``results/timing``: empty, the top of the repository.

    ``modules`` is the folder of the level folders, from the top: it need not lie below the root. Empty, it is the top.
    """

    root: str = ""
    modules: str = "KernelBench"

    @cached_property
    def timings(self) -> str:
        """The folder of the timing files: what differs there makes a revision."""
        return self._below_root("results/timing")

    @cached_property
    def readme(self) -> str:
        """The text beside the timing files."""
        return f"{self.timings}/README.md"

    @cached_property
    def requirements(self) -> str:
        """The file that says which software is installed."""
        return self._below_root("requirements.txt")

    @cached_property
    def pyproject(self) -> str:
        """The file that says so where there are no requirements."""
        return self._below_root("pyproject.toml")

    @property
    def declaring(self) -> tuple[str, ...]:
        """Files whose text is read for declarations of software."""
        return (self.readme, self.requirements, self.pyproject)

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Folders outside which nothing is tracked but files that stand in the root and in its ``src``."""
        return (self.timings, self.modules, self._below_root("scripts"), self._below_root("src/kernelbench"))

    def leads_to_tracked(self, folder: str) -> bool:
        """Whether anything that is tracked may lie below a folder: it is one of ``folders``, in one, or above one."""
        return any(
            not one or folder == one or folder.startswith(f"{one}/") or one.startswith(f"{folder}/")
            for one in self.folders
        )

    def is_tracked(self, path: str) -> bool:
        """Whether the warehouse reads this path of a revision (DESIGN.md section 2)."""
        return self._tracked.fullmatch(path) is not None

    def is_figures(self, path: str) -> bool:
        """Whether a path is that of a JSON file among the timing files, whatever its name."""
        return path.startswith(f"{self.timings}/") and path.endswith(".json")

    def is_harness(self, path: str) -> bool:
        """Whether a path is one of the scripts that time (DESIGN.md section 7)."""
        return self._harness.fullmatch(path) is not None

    def module_path(self, path: str) -> tuple[str, str] | None:
        """``(level, file)`` of a problem module's path, or None for any other path."""
        match = self._module.fullmatch(path)
        return (match["level"], match["file"]) if match else None

    def timing_file(self, path: str) -> tuple[str, str] | None:
        """Of a timing file the folder below ``timings``, and what its name says after ``baseline_time``; else None."""
        match = self._timing.fullmatch(path)
        return ((match["folder"] or "").removesuffix("/"), match["label"]) if match else None

    def below_timings(self, path: str) -> str:
        """A timing file's path as it is from the folder of the timing files; one that does not lie there as it is."""
        return path.removeprefix(f"{self.timings}/")

    def _below_root(self, path: str) -> str:
        return f"{self.root}/{path}" if self.root else path

    @cached_property
    def _module(self) -> re.Pattern[str]:
        folder = f"{self.modules}/" if self.modules else ""
        return re.compile(rf"{re.escape(folder)}(?P<level>level[^/]+)/(?P<file>\d+_[^/]*\.py)")

    @cached_property
    def _timing(self) -> re.Pattern[str]:
        return re.compile(rf"{re.escape(self.timings)}/(?P<folder>.*/)?baseline_time(?P<label>[^/]*)\.json", re.DOTALL)

    @cached_property
    def _harness(self) -> re.Pattern[str]:
        scripts = r"scripts/generate_baseline_time[^/]*\.py|src/(?:kernelbench/)?(?:eval|timing)\.py"
        return re.compile(rf"{re.escape(self._below_root(''))}(?:{scripts})")

    @cached_property
    def _tracked(self) -> re.Pattern[str]:
        figures = rf"{re.escape(self.timings)}/.*\.json"
        texts = map(re.escape, self.declaring)
        return re.compile("|".join([figures, self._module.pattern, self._harness.pattern, *texts]), re.DOTALL)


_ESCAPED = re.compile(r"(\\+)x([89a-f][0-9a-f])")
_TO_DOUBLE = re.compile(r"\\+(?=x[89a-f][0-9a-f]|[\udc80-\udcff])")
_NO_TEXT = re.compile(r"[\udc80-\udcff]")


def path_text(name: bytes) -> str:
    r"""The text that stands for a path in all that follows a source. No two paths have one text.

    What is UTF-8 is kept; a byte that is not becomes ``\xhh``. So that nothing else reads like one, backslashes before
    such a byte, or before ``xhh`` that was committed as these letters, are written twice: the byte 0xFF is ``\xff``,
    the four characters are ``\\xff``.
    """
    if name.isascii() and b"\\" not in name:
        return name.decode()
    text = _TO_DOUBLE.sub(lambda run: run[0] * 2, name.decode("utf-8", "surrogateescape"))
    return _NO_TEXT.sub(lambda byte: f"\\x{ord(byte[0]) - 0xDC00:02x}", text)


def path_bytes(text: str) -> bytes:
    """The path that ``path_text`` made a text of."""
    return _ESCAPED.sub(_unescaped, text).encode("utf-8", "surrogateescape")


def _unescaped(run: re.Match[str]) -> str:
    backslashes = run[1][: len(run[1]) // 2]
    return backslashes + (chr(0xDC00 + int(run[2], 16)) if len(run[1]) % 2 else f"x{run[2]}")


TOP = Layout()
"""Upstream's own: everything at the top of the repository."""

_ROOTED = re.compile(r"(?:(?P<root>.+?)/)??results/timing/.+/baseline_time[^/]*\.json", re.DOTALL)
_OF_MODULE = re.compile(r"(?:(?P<folder>.+)/)?level[^/]+/\d+_[^/]*\.py", re.DOTALL)
_BASELINE = re.compile(r"(?:.*/)?baseline_time[^/]*\.json", re.DOTALL)


def tells_of_roots(path: str) -> bool:
    """Whether a path matters to ``roots``, ``module_folders`` or ``unread``; no other does."""
    return any(pattern.fullmatch(path) for pattern in (_BASELINE, _OF_MODULE))


def roots(paths: Iterable[str]) -> list[str]:
    """The roots of a tree: folders that hold ``results/timing/<host>/baseline_time*.json``, the top as ``""``."""
    return sorted({match["root"] or "" for path in paths if (match := _ROOTED.fullmatch(path))})


def module_folders(paths: Iterable[str]) -> list[str]:
    """The folders of a tree that hold ``level*/N_name.py``, the top as ``""``."""
    return sorted({match["folder"] or "" for path in paths if (match := _OF_MODULE.fullmatch(path))})


def layout_of(root: str, folders: Collection[str]) -> Layout:
    """The layout of a root, where the modules of its tree stand in ``folders`` (DESIGN.md section 2).

    They are those below the root, else below the nearest folder above it, else the one place there is. Where there is
    none, or are several, the modules would be below the root, where there are none.
    """
    below = Layout(root, f"{root}/KernelBench" if root else "KernelBench")
    parts = root.split("/")
    above = ("/".join([*parts[:length], "KernelBench"]) for length in range(len(parts) - 1, -1, -1))
    nearest = next((folder for folder in (below.modules, *above) if folder in folders), None)
    if nearest is None and len(folders) == 1:
        (nearest,) = folders
    return below if nearest is None else Layout(root, nearest)


def unread(paths: Iterable[str], layout: Layout) -> list[str]:
    """The files of a tree that are named as timing files are, and stand where this layout reads none."""
    return sorted(path for path in paths if _BASELINE.fullmatch(path) and layout.timing_file(path) is None)
