"""What a problem is called and which family it belongs to, from its file name alone (DESIGN.md, section 6)."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import resources
from typing import Any

_NUMBER = re.compile(r"^\d+_")
_BETWEEN_WORDS = re.compile(r"[^a-z0-9]+")


def title(file: str) -> str:
    """Return the file name without number and ending, as words: `9_Tall_matmul_.py` is `Tall matmul`."""
    return " ".join(_stem(file).replace("_", " ").split())


def family(level: str, file: str) -> str:
    """Return the family: that of the level, else that of the first word a row of the registry knows, else `other`."""
    registry = _families()
    if level in registry["by_level"]:
        return str(registry["by_level"][level])
    for word in _BETWEEN_WORDS.split(_stem(file).lower()):
        for row in registry["by_word"]:
            if _matches(row, word):
                return str(row["family"])
    return str(registry["otherwise"])


@lru_cache(maxsize=1)
def _families() -> dict[str, Any]:
    """Return the registry of families, read once."""
    text = resources.files("transforms.registry").joinpath("families.json").read_text(encoding="utf-8")
    registry: dict[str, Any] = json.loads(text)
    return registry


def _stem(file: str) -> str:
    return _NUMBER.sub("", file).removesuffix(".py")


def _matches(row: dict[str, Any], word: str) -> bool:
    return (
        word in row.get("equals", ())
        or word.startswith(tuple(row.get("starts", ())))
        or any(part in word for part in row.get("contains", ()))
    )
