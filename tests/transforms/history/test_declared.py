"""What a repository declares: kept as declared, never as measured (DESIGN section 7)."""

from __future__ import annotations

import pytest

from transforms.history.declared import declared, harness_digest


def stated(**texts: str):
    """What files say, named by ``requirements``, ``pyproject`` and ``readme``."""
    paths = {"requirements": "requirements.txt", "pyproject": "pyproject.toml", "readme": "results/timing/README.md"}
    return declared({paths[name]: name for name in texts}, {name: text.encode() for name, text in texts.items()})


@pytest.mark.parametrize(
    ("line", "torch"),
    [
        ("torch==2.5.0", "torch==2.5.0"),
        ("torch == 2.5.0  # as upstream has it", "torch==2.5.0"),
        ("Torch>=2.0,<3", "torch>=2.0,<3"),
        ("torch[opt]==2.5.0 ; python_version > '3.9'", "torch==2.5.0"),
        ("torch", "torch"),
        ("torchvision==0.20", None),
        ("torch-geometric==2.6", None),
        ("torch_scatter", None),
        ("# torch==2.5.0", None),
    ],
)
def test_the_requirement_on_torch_itself_is_found(line, torch):
    assert stated(requirements=f"numpy\n{line}\n").requirements_torch == torch


def test_a_project_file_says_what_requirements_do_not():
    project = '[project]\nname = "x"\ndependencies = ["numpy", "torch>=2.9.0"]\n'
    assert stated(pyproject=project).requirements_torch == "torch>=2.9.0"
    assert stated(pyproject=project, requirements="torch==2.5.0").requirements_torch == "torch==2.5.0"


@pytest.mark.parametrize(
    "text",
    [
        *("not toml [", "project = 1", "[project]\ndependencies = [1]", ""),
        *("[project]\ndependencies = 5", "[project]\ndependencies = 'torch'", "a = " + "[" * 5_000),
        *("a = " + "9" * 10_000, "[[project]]\ndependencies = ['torch']", "a = 0001-01-01T00:00:00-23:59"),
    ],
)
def test_a_project_file_that_says_nothing_declares_nothing(text):
    assert stated(pyproject=text).requirements_torch is None


def test_a_text_larger_than_is_read_declares_nothing():
    """A megabyte: nothing that names software is near it."""
    assert stated(requirements="torch==2.5.0\n" + " " * 2**20).requirements_torch is None
    assert stated(requirements="torch==2.5.0\n" + " " * (2**20 - 13)).requirements_torch == "torch==2.5.0"


def test_the_readme_names_pytorch_and_cuda():
    said = stated(readme="We measured with PyTorch `2.5.0+cu124` and CUDA `12.4`.")
    assert (said.readme_torch, said.readme_cuda) == ("2.5.0+cu124", "12.4")


def test_a_version_at_the_end_of_a_sentence_has_no_full_stop():
    said = stated(readme="Driver CUDA 12.8. Framework: PyTorch 2.9.0.")
    assert (said.readme_torch, said.readme_cuda) == ("2.9.0", "12.8")


def test_no_file_declares_nothing():
    assert declared({}, {}) == declared({"other.txt": "b"}, {"b": b"torch==1.0"})
    assert declared({}, {}).requirements_torch is None


def test_the_harness_is_one_digest_of_paths_and_blobs():
    one = harness_digest({"src/eval.py": "a", "scripts/generate_baseline_time.py": "b", "README.md": "c"})
    other_order = harness_digest({"scripts/generate_baseline_time.py": "b", "src/eval.py": "a"})
    assert one == other_order
    assert one != harness_digest({"src/eval.py": "b", "scripts/generate_baseline_time.py": "a"})
    assert one != harness_digest({"src/kernelbench/eval.py": "a", "scripts/generate_baseline_time.py": "b"})
    assert harness_digest({"README.md": "c"}) is None
