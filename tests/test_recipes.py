"""The recipes of CONTRIBUTING.md are complete and true: their files and tests exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RECIPES_TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## How to add ...")[2]
RECIPES = dict(zip(*[iter(re.split(r"^### (.+)$", RECIPES_TEXT, flags=re.MULTILINE)[1:])] * 2, strict=True))
ROWS = [
    (recipe, *(cell.strip() for cell in line.strip("|").split("|")))
    for recipe, text in RECIPES.items()
    for line in text.splitlines()
    if line.startswith("|") and not re.match(r"\| touch \||\|---", line)
]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", RECIPES_TEXT)
_PATH = re.compile(r"`((?:flows|transforms|sql|warehouse|tests|tools|docs)/[\w./<>-]*|[A-Z]+\.md)`")


@cache
def functions(path: str) -> set[str]:
    """The names of the functions that a file of tests defines."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def exists(path: str) -> bool:
    """Whether a path is there; where a part of it is a <name>, whether it is there for some name."""
    pattern = re.sub(r"<\w+>", "*", path)
    return bool(list(ROOT.glob(pattern.rstrip("/")))) if "*" in pattern else (ROOT / path).exists()


def test_there_is_a_recipe_for_everything_that_people_add():
    assert set(RECIPES) == {
        "A source kind",
        "A GPU",
        "A mode",
        "A host title",
        "A column",
        "A table",
        "A view",
        "A check",
        "A query",
        "A command",
        "A reason of refusal",
        "A flag",
        "A release of the sample",
    }
    assert {recipe for recipe, *_ in ROWS} == set(RECIPES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_row_says_what_to_touch_for_what_and_what_fails_without_it(row: tuple[str, ...]):
    _, touch, reason, without = row
    assert _PATH.findall(touch) and reason and without


def test_every_file_that_a_recipe_mentions_exists():
    paths = set(_PATH.findall(RECIPES_TEXT))
    assert len(paths) > 40
    assert [path for path in sorted(paths) if not exists(path)] == []


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED)), ids=lambda part: part)
def test_a_test_that_a_recipe_names_exists(path: str, name: str):
    assert name in functions(path)


def test_every_recipe_names_a_test_that_fails():
    assert [recipe for recipe, text in RECIPES.items() if "::test_" not in text] == []
