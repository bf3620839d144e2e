"""The command line as a whole: usage, help, examples."""

from __future__ import annotations

import re
import shlex
import shutil

from tests.conftest import ROOT, run_kbw


def test_wrong_usage_ends_with_2(kbw):
    for arguments in (["nonsense"], ["records", "--json", "--csv"], ["records", "--limit", "many"], ["export"]):
        assert kbw(*arguments).returncode == 2


def help_pages(kbw) -> list[list[str]]:
    done = kbw("--help")
    commands = re.findall(r"^│ ([a-z]+) ", done.stdout, re.MULTILINE)
    return [["--help"], *([command, "--help"] for command in commands)]


def test_every_command_has_help_with_an_example(kbw):
    pages = help_pages(kbw)
    assert len(pages) >= 8
    for arguments in pages[1:]:
        done = kbw(*arguments)
        assert done.returncode == 0
        assert re.search(rf"Example: kbw {arguments[0]}\b", done.stdout), arguments


def examples() -> list[str]:
    pages = [
        run_kbw(command, "--help").stdout for command in re.findall(r"^│ ([a-z]+) ", run_kbw("--help").stdout, re.M)
    ]
    return [found for page in pages for found in re.findall(r"Example: kbw (.+?)\s*$", page, re.M)]


def test_the_example_of_every_command_runs(kbw, own_sample_home, monkeypatch, tmp_path):
    """Long-running and schedule commands are tried where they are tested."""
    monkeypatch.setenv("KBW_HOME", str(own_sample_home.root))
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "docs" / "score" / "eval_results.json", tmp_path)
    (tmp_path / "run.json").write_text(kbw("manifest", "H100_Modal/torch/level1/19_ReLU.py").stdout)
    tried = 0
    for example in examples():
        if example.split()[0] in ("serve", "deploy"):
            continue
        done = kbw(*shlex.split(example))
        assert done.returncode == 0, (example, done.stderr)
        tried += 1
    assert tried >= 12
