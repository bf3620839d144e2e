"""Host and mode of a timing file, from its path (DESIGN section 4)."""

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from transforms.registry import known_modes

__all__ = ["ARCHIVE", "EAGER", "ROOT", "UNKNOWN_HOST", "TimingPath", "timing_path"]

ROOT = "results/timing/"
ARCHIVE = "old"
"""The folder upstream moved earlier files to; it is no host."""
EAGER = "torch"
"""The mode of a file whose name says none."""
UNKNOWN_HOST = "unknown"

_PREFIX = "baseline_time"
_SUFFIX = ".json"


class TimingPath(NamedTuple):
    """What a path says about its file. Hosts that differ only in case are different hosts."""

    host: str
    mode: str


def timing_path(path: str, modes: AbstractSet[str] | None = None) -> TimingPath | None:
    """Host and mode of a path, or None when it is not that of a timing file.

    The host is the folder: in nested folders the whole folder path under `results/timing` (`a/b`), because neither part
    alone tells two such files apart; a leading archive folder does not count. Without a folder, the longest of the
    known modes (`modes`, by default the registry's) is taken off the front of the name; what is left is the host.
    """
    folder, _, name = path.rpartition("/")
    if not f"{folder}/".startswith(ROOT) or not name.startswith(_PREFIX) or not name.endswith(_SUFFIX):
        return None
    label = name[len(_PREFIX) : -len(_SUFFIX)].removeprefix("_")
    host = _host_folder(folder)
    if host:
        return TimingPath(host, label or EAGER)
    return _split_label(label, known_modes() if modes is None else modes)


def _host_folder(folder: str) -> str:
    parts = f"{folder}/".removeprefix(ROOT).split("/")[:-1]
    return "/".join(parts[1:] if parts[:1] == [ARCHIVE] else parts)


def _split_label(label: str, modes: AbstractSet[str]) -> TimingPath:
    """`torch_compile_matx2` is mode `torch_compile` on host `matx2`; `matx3` is a host, measured in the eager mode."""
    found = [mode for mode in modes if label == mode or label.startswith(f"{mode}_")]
    mode = max(found, key=len, default="")
    host = label.removeprefix(mode).removeprefix("_")
    return TimingPath(host or UNKNOWN_HOST, mode or EAGER)
