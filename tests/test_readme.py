"""The manual is tested: every command that the README shows runs, and what it refers to exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tools.try_clients import CLIENTS

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


DATABASE = "warehouse/data/warehouse.duckdb"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_lines_of_python_give_a_frame(sample_home):
    (lines,) = blocks("python")
    known: dict[str, Any] = {}
    exec(lines.replace(DATABASE, str(sample_home.database)), known)
    assert known["records"].height > 100
    assert set(known["records"]["gpu"]) == {"H100"}
    known["warehouse"].close()


def test_every_client_of_the_readme_opens_the_published_file_for_reading_and_asks_what_is_answered(on_sample):
    """R and DuckDB's shell are not here: of them, the question is asked."""
    of_r, *_ = blocks("r")
    (of_shell,) = (line for block in blocks("sh") for line in block.splitlines() if line.startswith("duckdb "))
    assert "read_only = TRUE" in of_r and "-readonly" in of_shell
    for text in (of_r, of_shell):
        assert f"{DATABASE}" in text
        (question,) = re.findall(r'"(from [^"]+)"', text)
        assert on_sample("sql", question, "--csv").stdout.count("\n") > 100


def test_the_clients_that_are_supported_are_those_that_are_tried():
    oldest = CLIENTS[0]
    assert f"Clients of DuckDB {oldest} and newer and of 2.x answer everything" in README
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert CLIENTS[-1].startswith("2.") and '"duckdb>=2.0,<3"' in project
    assert f"duckdb=={CLIENTS[-1]}\n" in (ROOT / "constraints.txt").read_text(encoding="utf-8")


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
