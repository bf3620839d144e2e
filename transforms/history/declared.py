"""What a repository declares at a revision: kept as declared, never as measured (DESIGN.md section 7)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rfc8785

from transforms.layout import TOP, Layout

_TORCH_REQUIREMENT = re.compile(r"torch(?![\w.-])\s*(?:\[[^\]]*\])?\s*(?P<range>[^;#]*)", re.IGNORECASE)
_README_TORCH = re.compile(r"PyTorch\s+`?v?(?P<version>\d+\.\d+[\w.+]*\b)", re.IGNORECASE)
_README_CUDA = re.compile(r"CUDA\s+`?v?(?P<version>\d+(?:\.\d+)+)", re.IGNORECASE)

LARGEST_TEXT = 2**20
"""Bytes of a declaring file that is read; a larger one declares nothing."""


@dataclass(frozen=True)
class Declared:
    """Software that a revision's files name; null where they name none. The harness is the timing scripts' digest."""

    requirements_torch: str | None
    readme_torch: str | None
    readme_cuda: str | None
    harness_digest: str | None


def declared(files: Mapping[str, str], texts: Mapping[str, bytes], layout: Layout = TOP) -> Declared:
    """Read a revision's declarations from ``files`` (path -> blob) and ``texts`` (blob -> bytes)."""
    found = {path: texts[files[path]] for path in layout.declaring if files.get(path) in texts}
    text = {path: _decode(data) for path, data in found.items() if len(data) <= LARGEST_TEXT}
    readme = text.get(layout.readme, "")
    required = _requirements_torch(text.get(layout.requirements))
    return Declared(
        requirements_torch=required or _pyproject_torch(text.get(layout.pyproject)),
        readme_torch=_first(_README_TORCH, readme),
        readme_cuda=_first(_README_CUDA, readme),
        harness_digest=harness_digest(files, layout),
    )


def harness_digest(files: Mapping[str, str], layout: Layout = TOP) -> str | None:
    """SHA-256 over the canonical JSON of the timing scripts' ``path -> blob``; null where a revision has none."""
    scripts = harness_scripts(files, layout)
    return hashlib.sha256(rfc8785.dumps(dict(scripts))).hexdigest() if scripts else None


def harness_scripts(files: Mapping[str, str], layout: Layout = TOP) -> dict[str, str]:
    """The timing scripts of a revision, ``path -> blob``, by their paths below the root."""
    below = f"{layout.root}/" if layout.root else ""
    return {path.removeprefix(below): blob for path, blob in files.items() if layout.is_harness(path)}


def _decode(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match["version"].rstrip(".") if match else None


def _requirements_torch(text: str | None) -> str | None:
    return _torch_among((text or "").splitlines())


def _pyproject_torch(text: str | None) -> str | None:
    try:
        document: Any = tomllib.loads(text or "")
        dependencies = document["project"]["dependencies"]
    except (ValueError, KeyError, TypeError, RecursionError):  # no TOML, or not the table that it should hold
        return None
    return _torch_among(
        [line for line in dependencies if isinstance(line, str)] if isinstance(dependencies, list) else []
    )


def _torch_among(requirements: list[str]) -> str | None:
    """The requirement on torch itself (not torchvision, torch-geometric), without blanks: ``torch==2.5.0``."""
    for line in requirements:
        if match := _TORCH_REQUIREMENT.match(line.strip()):
            return "torch" + re.sub(r"\s+", "", match["range"])
    return None
