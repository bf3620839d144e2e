"""Write ``docs/licences.md``: under which licence each package stands that an installation brings.

    python -m tools.build_licences

Licences are those that the installed packages state. Of a package that this machine does not need, what the list said
before stays.
"""

from __future__ import annotations

import re
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "licences.md"
PINS = {"run": ROOT / "pins" / "run.txt", "dev": ROOT / "pins" / "dev.txt"}

PERMISSIVE = frozenset(
    {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CNRI-Python", "ISC", "MIT", "MIT-0", "PSF-2.0"}
)
"""They ask for no more than a notice."""
ALLOWED = PERMISSIVE | {"MPL-2.0"}
"""MPL binds changes of its own files only, and none is changed here."""

_SPDX = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
}
"""Classifiers and free words as SPDX names them."""

_READ_BY_HAND = {
    "async-timeout": "Apache-2.0",  # before Python 3.11.3
    "pywin32": "PSF-2.0",  # on Windows
    "polars-hash": "MIT",  # its metadata states none; its repository does
    "text-unidecode": "Artistic-1.0-Perl OR GPL-2.0-or-later",  # two classifiers, of which either may be chosen
}

_HEAD = """# Licences of what is installed

What `make ingest` and `make test` bring with them, from the packages' own statements; written by `make docs`. All but
those named below ask for no more than a notice, MPL-2.0 for changes of its own files to stay open. Nothing of these
packages is part of this repository.

| package | licence | needed to |
|---|---|---|
"""


def pinned(which: str) -> dict[str, str]:
    """Package and version of one list of pins."""
    text = PINS[which].read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", text, re.MULTILINE))


def licence(package: str) -> str | None:
    """What the installed package states, as SPDX names it; None where it is not installed here."""
    if package in _READ_BY_HAND:
        return _READ_BY_HAND[package]
    try:
        stated = cast(Message, metadata(package))
    except PackageNotFoundError:
        return None
    if expression := stated.get("License-Expression"):
        return str(expression)
    classifiers = [str(line) for line in stated.get_all("Classifier") or []]
    named = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    words = [word for word in named if word in _SPDX] or [str(stated.get("License") or "").strip()]
    return " OR ".join(dict.fromkeys(_SPDX.get(word, word) for word in words))


def listed() -> dict[str, str]:
    """What the list says now."""
    text = LIST.read_text(encoding="utf-8") if LIST.is_file() else ""
    return dict(re.findall(r"^\| ([\w.-]+) \| ([^|]+) \| (?:run|develop) \|$", text, re.MULTILINE))


def page() -> str:
    """The page as it should be."""
    known, run = listed(), pinned("run")
    stated = {package: licence(package) or known.get(package, "not known") for package in pinned("dev")}
    rows = [
        f"| {package} | {stated[package]} | {'run' if package in run else 'develop'} |"
        for package in sorted(stated, key=str.lower)
    ]
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    LIST.write_text(page(), encoding="utf-8")
