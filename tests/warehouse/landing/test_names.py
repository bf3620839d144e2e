"""Every name that becomes a path stays in its folder, is seen there, and is found again."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fuzz.mutations import fuzzed
from warehouse.home import WarehouseError, WrongUsage
from warehouse.landing.names import LONGEST_FILE_NAME, file_name, is_id, name_of, refuse_wrong_name

NAMES = st.text(max_size=40) | st.text(alphabet="./%2eE~-_ \\:\0", max_size=12)


@fuzzed
@given(NAMES)
def test_a_name_becomes_one_visible_file_in_its_folder_and_is_found_again_by_listing(name):
    try:
        file = file_name(name)
    except WarehouseError:
        assert not name or len(name.encode("utf-8", "surrogatepass")) * 3 > LONGEST_FILE_NAME or not is_text(name)
        return
    assert "/" not in file
    assert "\0" not in file
    assert not file.startswith(".")
    assert len(file.encode()) <= LONGEST_FILE_NAME
    assert file.isascii()
    assert name_of(file) == name


@fuzzed
@given(NAMES, NAMES)
def test_two_names_never_share_a_file(one, other):
    assume(one != other)
    try:
        assert file_name(one) != file_name(other)
    except WarehouseError:
        return


@fuzzed
@given(NAMES)
def test_a_file_that_no_name_gives_belongs_to_none(file):
    name = name_of(file)
    assert name is None or file_name(name) == file


@pytest.mark.parametrize("name", ["lab/KernelBench", "lab/x@next", "lab%2Fx", "lab/x//a b", "lab/.github", "a~b_c-d.e"])
def test_ordinary_names_keep_the_files_they_have_always_had(name):
    from urllib.parse import quote

    assert file_name(name) == quote(name, safe="")
    refuse_wrong_name(name)


@fuzzed
@given(NAMES)
def test_whatever_the_door_lets_through_landing_can_keep(name):
    try:
        refuse_wrong_name(name)
    except WrongUsage as wrong:
        assert len(str(wrong).splitlines()) == 1
        assert str(wrong).isascii()
        return
    assert name_of(file_name(name)) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "lab/..",
        "./x",
        "lab//",
        "/lab",
        "lab/",
        "a\nb",
        "a\x1bb",
        "a\u202eb",
        "a\u2028b",
        "a\udcff",
        "x" * 231,
    ],
)
def test_what_cannot_name_a_source_is_refused_at_the_door(name):
    with pytest.raises(WrongUsage, match="--name"):
        refuse_wrong_name(name)


@pytest.mark.parametrize("name", ["", "../../x", "a" * 39, "a" * 41, "A" * 40, "g" * 40, "a" * 40 + "\n"])
def test_an_id_is_forty_hexadecimal_digits(name):
    assert not is_id(name)


def is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
