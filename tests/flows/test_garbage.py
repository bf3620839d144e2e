"""Garbage is looked for rarely while much is made, and afterwards as before."""

from __future__ import annotations

import gc

import pytest

from flows.garbage import looked_for_rarely


def test_what_was_set_before_is_set_again_also_after_an_error():
    before = gc.get_threshold()
    with pytest.raises(KeyError), looked_for_rarely():
        assert gc.get_threshold() == (100_000, *before[1:])
        raise KeyError
    assert gc.get_threshold() == before
