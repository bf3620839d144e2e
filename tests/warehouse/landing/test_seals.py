"""What is sealed comes back byte for byte, under its own name only, and with every bit that it had."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fuzz.mutations import fuzzed
from warehouse.landing.seals import Broken, is_sealed, seal, unseal


@fuzzed
@given(st.text(max_size=20), st.binary(max_size=200))
def test_what_is_sealed_comes_back_byte_for_byte(name, body):
    assert is_sealed(seal("tree", name, body))
    assert unseal("tree", name, seal("tree", name, body)) == body


@fuzzed
@given(st.binary(max_size=100), st.data())
def test_every_bit_counts(body, data):
    sealed = bytearray(seal("tree", "lab/x", body))
    place = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[place // 8] ^= 1 << place % 8
    with pytest.raises(Broken):
        unseal("tree", "lab/x", bytes(sealed))


@fuzzed
@given(st.binary(max_size=100), st.binary(max_size=100))
def test_nothing_else_has_the_same_seal(body, other):
    assume(body != other)
    seal_of = len(seal("tree", "lab/x", b""))
    with pytest.raises(Broken):
        unseal("tree", "lab/x", seal("tree", "lab/x", body)[:seal_of] + other)


@pytest.mark.parametrize(("kind", "name"), [("tree", "lab/y"), ("lineage", "lab/x"), ("tree", "")])
def test_a_seal_is_of_one_kind_and_one_name(kind, name):
    with pytest.raises(Broken):
        unseal(kind, name, seal("tree", "lab/x", b"{}"))


def test_what_was_kept_before_there_were_seals_is_taken_only_where_that_is_said():
    with pytest.raises(Broken):
        unseal("tree", "lab/x", b"{}")
    assert unseal("tree", "lab/x", b"{}", or_plain=True) == b"{}"
    with pytest.raises(Broken):
        unseal("tree", "lab/x", seal("tree", "lab/y", b"{}"), or_plain=True)
