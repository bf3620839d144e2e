import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.timings.names import loose_name, problem_name, with_problems


@pytest.mark.parametrize(
    "key",
    [
        "19_ReLU.py",
        "0_toy_.py",
        "1_.py",
        "7_<b>.py",
        "1_a/b.py",
        "19_ReLU_ünï.py",
        "2_a\nb.py",
        "1_x/level2/3_y.py",
    ],
)
def test_a_key_that_starts_with_its_number_stands_as_it_is(key):
    assert problem_name("level1", key) == key


def test_a_path_names_the_problem_in_its_last_part():
    assert problem_name("level1", "/scratch/x/KernelBench/level1/19_ReLU.py") == "19_ReLU.py"
    assert problem_name("level1", "mine/19_ReLU.py") == "19_ReLU.py"


def test_every_level_in_a_path_must_be_the_level_it_stands_in():
    assert problem_name("level1", "KernelBench/level2/19_ReLU.py") is None
    assert problem_name("level1", "level1/level2/19_ReLU.py") is None
    assert problem_name("level_tk", "level_tk/0_toy.py") == "0_toy.py"
    assert problem_name("level1", "level10/0_toy.py") is None


@pytest.mark.parametrize(
    "key", ["Tanh", "22_Tanh.txt", "../../etc/passwd", "", "22.py", "_22.py", "a/", "22_Tanh.py\n", "٣_x.py"]
)
def test_other_keys_name_no_problem(key):
    assert problem_name("level1", key) is None


words = st.sampled_from(["1", "22", "_", "Tanh", "/", "level1", "level2", ".py", "\n", "é"])


@settings(deadline=None)
@given(st.lists(st.lists(words, max_size=8).map("".join), unique=True))
def test_a_column_of_keys_is_read_like_each_of_them(keys):
    schema = {"file": pl.UInt32, "level": pl.String, "problem_key": pl.String}
    rows = with_problems(pl.DataFrame([(0, "level1", key) for key in keys], schema, orient="row"))
    named = [problem_name("level1", key) for key in keys]
    assert rows["problem"].to_list() == named
    assert rows["shared"].to_list() == [name is not None and named.count(name) > 1 for name in named]


@pytest.mark.parametrize(
    ("level", "key", "named"),
    [
        ("level1", "19_ReLU", ("level1", "19_ReLU.py")),
        ("level_1", "19_ReLU.py", ("level1", "19_ReLU.py")),
        ("level-1", "19_ReLU", ("level1", "19_ReLU.py")),
        ("level_tk", "0_toy", ("level_tk", "0_toy.py")),
        ("level1", "KernelBench/level1/19_ReLU", ("level1", "19_ReLU.py")),
        ("level1", "KernelBench/level_1/19_ReLU", ("level1", "19_ReLU.py")),
        ("level1", "KernelBench/level2/19_ReLU", ("level1", "KernelBench/level2/19_ReLU")),
    ],
)
def test_a_loose_name_says_which_module_it_would_be(level, key, named):
    assert loose_name(level, key) == named


def test_a_level_spelled_loosely_names_no_problem_by_itself():
    assert problem_name("level_1", "19_ReLU.py") is None
