"""One word, one meaning: the glossary's words are in use, and those it replaces are not."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PATH = ROOT / "docs" / "glossary.md"
DEFINED, _, REPLACED = PATH.read_text(encoding="utf-8").partition("## Words not used")
TERMS = re.findall(r"\*\*([^*]+)\*\*", DEFINED)
NOT_USED = re.findall(r"^\| (?!not \|)([^|-]+) \| [^|]+ \|$", REPLACED, re.MULTILINE)
# Documents that are not held to the words.
GENERATED: set[str] = set()
WRITTEN = [
    *(path for path in sorted(ROOT.glob("*.md"))),
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in GENERATED and path != PATH),
]


def as_pattern(words: str) -> re.Pattern[str]:
    """Words as they may be written: in a sentence, across lines, as part of a name."""
    return re.compile(
        r"(?<![a-z])" + r"[\s_]+".join(map(re.escape, words.split())) + r"(?:e?s)?(?![a-z])", re.IGNORECASE
    )


def used_somewhere() -> str:
    """Everything that may use a term: code, SQL and documents, but the glossary."""
    rooms = ("flows", "transforms", "sql", "warehouse", "docs")
    paths = [path for room in rooms for path in (ROOT / room).rglob("*") if path.suffix in {".py", ".sql", ".md"}]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path != PATH and "data" not in path.parts)


def test_the_glossary_has_the_words_of_the_field():
    assert 30 <= len(TERMS) <= 60
    assert {"source", "lineage", "revision", "head", "run", "cohort", "record", "present", "copy"} <= set(TERMS)


def test_no_term_is_defined_twice():
    assert [term for term, times in Counter(term.lower() for term in TERMS).items() if times > 1] == []


def test_every_term_is_used_in_code_or_documents():
    text = used_somewhere()
    assert [term for term in TERMS if not as_pattern(term).search(text)] == []


def test_there_are_words_that_are_not_used():
    assert {"stood", "looked at", "lost line"} <= set(NOT_USED)
    assert not {word.lower() for word in NOT_USED} & {term.lower() for term in TERMS}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_documents_use_the_words_of_the_glossary(path: Path):
    text = path.read_text(encoding="utf-8")
    assert [word for word in NOT_USED if as_pattern(word).search(text)] == []


def test_the_glossary_itself_uses_its_own_words():
    assert [word for word in NOT_USED if as_pattern(word).search(DEFINED)] == []
