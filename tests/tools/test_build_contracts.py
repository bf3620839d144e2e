"""What starts without Pandera knows the contracts as they are."""

from __future__ import annotations

from tools import build_contracts


def test_the_file_of_contracts_is_that_of_the_models():
    assert build_contracts.PATH.read_text(encoding="utf-8") == build_contracts.text(), "run `make docs`"
