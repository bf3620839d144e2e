"""The manual is tested: every command that the README shows runs, and what it refers to exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MANUALS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ kbw (.+)$", README, re.MULTILINE)


def test_there_are_commands_to_try():
    assert len(COMMANDS) >= 10


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_does_what_it_says(command, kbw, sample_home, monkeypatch, tmp_path):
    monkeypatch.setenv("KBW_HOME", str(sample_home.root))
    monkeypatch.chdir(tmp_path)
    done = kbw(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_every_make_target_that_is_named_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {t for manual in MANUALS for t in re.findall(r"(?:`|^\$ )make ([a-z-]+)", manual.read_text("utf-8"), re.M)}
    assert {"ingest", "check", "bench", "docs"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("manual", MANUALS, ids=lambda path: path.name)
def test_links_and_paths_lead_somewhere(manual):
    text = manual.read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!https?://)([^)#]+)", text):
        assert (manual.parent / link).exists(), link
    for path in re.findall(r"`((?:flows|transforms|sql|warehouse|tests|tools|docs)/[\w./-]+)`", text):
        if "data/" not in path:
            assert (ROOT / path).exists(), path


def test_every_source_kind_is_described():
    from flows.sources.kinds import SOURCE_KINDS

    for kind in SOURCE_KINDS.values():
        assert f"`{kind.usage}`" in README, kind


def test_every_reason_and_flag_is_described():
    """docs/reading.md lists what the readers can say; the list here is that of DESIGN.md section 4."""
    text = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
    reasons = (
        "duplicate_key bad_problem_name not_measured wrong_type failed missing_statistic not_finite not_positive "
        "bad_trial_count mean_outside_range impossible_spread too_large not_text empty not_json unexpected_shape "
        "unknown_unit module_missing module_not_python hardware_missing unknown_gpu unknown_mode few_trials "
        "zero_spread noisy"
    )
    for reason in reasons.split():
        assert f"`{reason}`" in text, reason
