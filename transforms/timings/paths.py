"""Host and mode of a timing file, from its path (DESIGN section 4)."""

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from transforms.layout import TOP, Layout
from transforms.registry import known_modes

__all__ = ["ARCHIVE", "EAGER", "UNKNOWN_HOST", "TimingPath", "timing_path"]

ARCHIVE = "old"
"""The folder upstream moved earlier files to; it is no host."""
EAGER = "torch"
"""The mode of a file whose name says none."""
UNKNOWN_HOST = "unknown"


class TimingPath(NamedTuple):
    """What a path says about its file. Hosts that differ only in case are different hosts."""

    host: str
    mode: str


def timing_path(path: str, layout: Layout = TOP, *, modes: AbstractSet[str] | None = None) -> TimingPath | None:
    """Host and mode of a path, or None when it is not that of a timing file.

    The host is the folder: in nested folders the whole folder path under `results/timing` (`a/b`), because neither part
    alone tells two such files apart; a leading archive folder does not count. Without a folder, the longest of the
    known modes (`modes`, by default the registry's) is taken off the front of the name; what is left is the host.
    """
    found = layout.timing_file(path)
    if found is None:
        return None
    host, label = _without_archive(found[0]), found[1].removeprefix("_")
    if host:
        return TimingPath(host, label or EAGER)
    return _split_label(label, known_modes() if modes is None else modes)


def _without_archive(folder: str) -> str:
    return "" if folder == ARCHIVE else folder.removeprefix(f"{ARCHIVE}/")


def _split_label(label: str, modes: AbstractSet[str]) -> TimingPath:
    """`torch_compile_matx2` is mode `torch_compile` on host `matx2`; `matx3` is a host, measured in the eager mode."""
    found = [mode for mode in modes if label == mode or label.startswith(f"{mode}_")]
    mode = max(found, key=len, default="")
    host = label.removeprefix(mode).removeprefix("_")
    return TimingPath(host or UNKNOWN_HOST, mode or EAGER)
