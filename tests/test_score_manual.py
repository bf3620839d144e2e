"""docs/score.md walks through a decision: what it shows is what the commands say on the sample."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MANUAL = (ROOT / "docs" / "score.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ kbw (.*?)\n(.*?)```", MANUAL, re.DOTALL)


@pytest.fixture
def on_field(kbw, field_home, monkeypatch):
    monkeypatch.setenv("KBW_HOME", str(field_home.root))
    monkeypatch.chdir(ROOT)
    return kbw


def test_something_is_shown():
    assert len(SHOWN) == 2


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=["auto", "compiled"])
def test_what_is_shown_is_what_the_command_says(on_field, command, shown):
    done = on_field(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip("\n") == shown.rstrip("\n")


def test_every_option_that_it_names_is_one(on_field):
    text = on_field("score", "--help").stdout
    for option in re.findall(r"^\| `?(--[a-z-]+)", MANUAL, re.MULTILINE):
        assert option in text


def test_the_example_in_python_runs(on_field, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL)

    (command,) = re.findall(r"check_output\((\[.*?\])\)", code)
    answer = on_field(*json.loads(command)[1:]).stdout.encode()
    monkeypatch.setattr("subprocess.check_output", lambda _: answer)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "docs/score.md", "exec"), {})
    assert "100_HingeLoss.py" in printed.getvalue()
