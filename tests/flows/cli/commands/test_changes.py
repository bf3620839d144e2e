"""``kbw changes``: what moved, as text for a mail, regressions and improvements apart."""

from __future__ import annotations

import json
import re

import pytest

from tests.histories import COMPILED, GitHistory, figures, ingest_git, module, module_path, timing_json, timing_path
from warehouse.home import Home

ONE, TWO, THREE = "1_ReLU.py", "2_Tanh.py", "3_Sigmoid.py"


def timing(**means: float) -> str:
    return timing_json({"level1": {f"{name[1:]}.py": figures(mean) for name, mean in means.items()}})


@pytest.fixture
def history(tmp_path) -> GitHistory:
    """The first problem gets slower, the second faster; a third comes, and the first's module is changed at the end."""
    made = GitHistory(tmp_path / "repository")
    modules = {module_path(name): module(name, body=f"torch.relu(x) + {n}") for n, name in enumerate((ONE, TWO))}
    made.commit("2025-01-01", {timing_path(): timing(n1_ReLU=2.0, n2_Tanh=4.0), **modules})
    made.commit("2025-02-01", {timing_path(): timing(n1_ReLU=3.0, n2_Tanh=2.0)})
    third = {timing_path(mode=COMPILED): timing(n3_Sigmoid=1.0), module_path(THREE): module("Sigmoid", n=64)}
    made.commit("2025-03-01", {**third, module_path(ONE): module("ReLU", n=4096)})
    return made


@pytest.fixture
def home(tmp_path, history) -> Home:
    made = Home(tmp_path / "home")
    ingest_git(made, history)
    return made


def parts(text: str) -> dict[str, list[str]]:
    """The lines of each part that hold a problem."""
    found = re.split(r"^## (.+): [\d,]+$", text, flags=re.MULTILINE)[1:]
    return {
        name: re.findall(r"^\| (level.*) \|$", lines, re.MULTILINE)
        for name, lines in zip(found[::2], found[1::2], strict=True)
    }


def test_regressions_and_improvements_stand_apart(kbw, home, history):
    """From 2 ms to 3 is half as long again; from 4 to 2 is half."""
    for since in ("2025-01-15", history.id(1)[:10]):
        done = kbw("changes", "--source", "lab", "--since", since)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("# lab/KernelBench: changes since 2025-01-")
        found = parts(done.stdout)
        assert found["Baselines that became slower"] == [
            "level1/1\\_ReLU | H100\\_lab | torch | 2.00 ms | 3.00 ms | +50.0% | measured\\_again | 2025-02-01"
        ]
        assert found["Baselines that became faster"] == [
            "level1/2\\_Tanh | H100\\_lab | torch | 4.00 ms | 2.00 ms | -50.0% | measured\\_again | 2025-02-01"
        ]
        assert [line.split(" | ")[:3] for line in found["Records that got slower or lost their holder"]] == [
            ["level1/1\\_ReLU", "H100\\_lab", "torch"]
        ]
        assert [line.split(" | ")[0] for line in found["Records that got faster"]] == ["level1/2\\_Tanh"]
        assert [line.split(" | ")[0] for line in found["Records held for the first time"]] == ["level1/3\\_Sigmoid"]
        assert [line.split(" | ")[:2] for line in found["Problems"]] == [
            ["level1/1\\_ReLU", "changed"],
            ["level1/3\\_Sigmoid", "new"],
        ]


def test_without_a_word_it_is_the_news_of_the_newest_revision(kbw, home):
    found = parts(kbw("changes", "--source", "lab").stdout)
    assert [line.split(" | ")[0] for line in found["Records held for the first time"]] == ["level1/3\\_Sigmoid"]
    assert found["Baselines that became slower"] == []


def test_a_long_part_is_cut_and_says_so(kbw, home):
    text = kbw("changes", "--source", "lab", "--since", "2024-01-01", "--limit", "1").stdout
    assert "## Records held for the first time: 3" in text
    assert "and 2 more (--limit 0 shows all)" in text


def test_programs_get_all_of_it(kbw, home):
    found = json.loads(kbw("changes", "--source", "lab", "--since", "2025-01-15", "--json").stdout)
    assert sorted((row["problem"], row["cause"]) for row in found["records"]) == [
        (ONE, "remeasured"),
        (TWO, "remeasured"),
        (THREE, "first"),
    ]
    assert [row["ratio"] for row in found["baselines"]] == [0.5, 1.5]


@pytest.mark.parametrize("arguments", [("--since", "yesterday"), ("--source", "nobody"), ("--host", "X")])
def test_wrong_words_are_wrong_usage(kbw, home, arguments):
    given = {"--source": "lab"} | dict([arguments])
    assert kbw("changes", *(part for pair in given.items() for part in pair)).returncode == 2
