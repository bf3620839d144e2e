"""The command line as a whole: usage, help, examples."""

from __future__ import annotations

import re
import shlex
import shutil

import pytest

from tests.conftest import ROOT, run_kbw


def test_wrong_usage_ends_with_2(kbw):
    for arguments in (["nonsense"], ["records", "--json", "--csv"], ["records", "--limit", "many"], ["export"]):
        assert kbw(*arguments).returncode == 2


def help_pages(kbw) -> list[list[str]]:
    done = kbw("--help")
    commands = re.findall(r"^│ ([a-z]+) ", done.stdout, re.MULTILINE)
    return [["--help"], *([command, "--help"] for command in commands)]


def test_every_command_has_help_with_two_examples(kbw):
    pages = help_pages(kbw)
    assert len(pages) >= 8
    for arguments in pages[1:]:
        done = kbw(*arguments)
        assert done.returncode == 0
        assert len(re.findall(rf"Example: kbw {arguments[0]}\b", done.stdout)) == 2, arguments


def examples() -> list[str]:
    pages = [
        run_kbw(command, "--help").stdout for command in re.findall(r"^│ ([a-z]+) ", run_kbw("--help").stdout, re.M)
    ]
    return [found for page in pages for found in re.findall(r"Example: kbw (.+?)\s*$", page, re.M)]


def test_the_example_of_every_command_runs(kbw, own_sample_home, monkeypatch, tmp_path):
    """Those that fill, make anew or run on a schedule are tried where they are tested."""
    monkeypatch.setenv("KBW_HOME", str(own_sample_home.root))
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "docs" / "score" / "eval_results.json", tmp_path)
    (tmp_path / "run.json").write_text(kbw("manifest", "H100_Modal/torch/level1/19_ReLU.py").stdout)
    tried = 0
    for example in examples():
        if example.split()[0] in ("serve", "deploy", "ingest", "rebuild", "backup", "restore"):
            continue
        done = kbw(*shlex.split(example))
        assert done.returncode == 0, (example, done.stderr)
        tried += 1
    assert tried >= 30


def test_the_version_is_told_with_what_it_rests_on(kbw):
    done = kbw("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"kbw \d+\.\d+\.\d+ \(Python 3\.\d+\.\d+, DuckDB \d+\.\d+\.\d+\)\n", done.stdout)


def test_a_shell_completes_commands_and_options():
    for words, completed in (("kbw rec", "records"), ("kbw records --fam", "--family"), ("kbw sql --for", "--format")):
        asked = {"_KBW_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        assert run_kbw(**asked).stdout.split() == [completed]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_a_shell_is_shown_and_installed(tmp_path, shell):
    """The shell is named here, where a person's is found by looking at what started the command."""
    own = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1", "HOME": str(tmp_path)}
    shown = run_kbw("--show-completion", shell, **own)
    assert (shown.returncode, "_KBW_COMPLETE" in shown.stdout) == (0, True)
    installed = run_kbw("--install-completion", shell, **own)
    assert installed.returncode == 0, installed.stderr
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("_KBW_COMPLETE" in path.read_text() for path in written)
