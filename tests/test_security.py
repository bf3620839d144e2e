"""The manual of security names tests that exist, and leaves no kind of attack without one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.test_recipes import functions

ROOT = Path(__file__).resolve().parent.parent
MANUAL = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!attack|-)([^|]+) \| ([^|]+) \|$", MANUAL, re.MULTILINE)


def test_every_attack_has_a_test_that_exists():
    assert len(ROWS) >= 20
    for attack, tests in ROWS:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", tests)
        assert named, attack
        for path, name in named:
            assert name in functions(path), (attack, name)


def test_every_file_that_it_names_is_there():
    for path in re.findall(r"`((?:tests|docs|pins)/[\w./-]+)`", MANUAL):
        assert (ROOT / path).exists(), path
