"""The files that other tools read parse, and say what they must: workflow, hooks, citation, changelog, security."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
YAML = (".github/workflows/ci.yml", ".pre-commit-config.yaml", "CITATION.cff", "prefect.yaml")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASES = re.findall(r"^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$", CHANGELOG, re.MULTILINE)


def load(name: str) -> Any:
    """A YAML file as data; its words stay words, so that `on` is no truth value and a date no date."""
    return yaml.load((ROOT / name).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


@pytest.mark.parametrize("name", YAML)
def test_a_yaml_file_parses(name: str):
    assert isinstance(load(name), dict)


def test_continuous_integration_runs_the_one_script_on_both_ends_of_the_supported_versions():
    workflow = load(".github/workflows/ci.yml")
    assert {"push", "pull_request"} <= set(workflow["on"])
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    versions = job["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.13"]
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def test_continuous_integration_needs_no_secret_and_only_the_two_official_actions():
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert "secrets." not in text
    used = re.findall(r"uses: (\S+)", text)
    assert {action.partition("@")[0] for action in used} == {"actions/checkout", "actions/setup-python"}
    assert all(re.fullmatch(r"[\w/-]+@v\d+", action) for action in used)


def test_hooks_are_local_and_those_of_the_projects_environment():
    (repository,) = load(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    hooks = {hook["id"]: hook for hook in repository["hooks"]}
    assert set(hooks) == {"ruff-format", "ruff-check", "sqlfluff-lint"}
    for hook in hooks.values():
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/")


def test_the_sql_that_is_linted_before_a_commit_is_the_sql_that_is_linted_after():
    (hook,) = (one for one in load(".pre-commit-config.yaml")["repos"][0]["hooks"] if one["id"] == "sqlfluff-lint")
    ignored = (ROOT / ".sqlfluffignore").read_text(encoding="utf-8").split()
    for path in (
        path.relative_to(ROOT).as_posix() for room in ("sql", "docs") for path in (ROOT / room).rglob("*.sql")
    ):
        assert re.search(hook["files"], path), path
        assert bool(re.search(hook["exclude"], path)) == (path in ignored), path


def test_the_citation_has_what_its_format_asks_for_and_names_kernelbench():
    citation = load("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert citation["message"] and citation["title"] and citation["type"] == "software"
    assert citation["authors"] == [{"name": PROJECT["authors"][0]["name"]}]
    assert citation["license"] == PROJECT["license"]
    assert set(citation["keywords"]) == set(PROJECT["keywords"])
    for reference in citation["references"]:
        assert reference["type"] and reference["authors"] and "KernelBench" in reference["title"]
    assert any(reference.get("license") == "MIT" for reference in citation["references"])


def test_the_citation_knows_no_field_that_its_format_does_not():
    """The fields of CFF 1.2 that are used here, of a file and of a reference."""
    fields = "cff-version message title abstract type authors version date-released license keywords references"
    of_reference = "type title authors repository-code license scope year journal identifiers"
    citation = load("CITATION.cff")
    assert set(citation) <= set(fields.split())
    assert all(set(reference) <= set(of_reference.split()) for reference in citation["references"])
    for reference in citation["references"]:
        for identifier in reference.get("identifiers", []):
            assert identifier["type"] in {"doi", "url", "swh", "other"} and identifier["value"]


def test_version_and_day_of_the_newest_release_are_the_same_everywhere():
    version, day = RELEASES[1]
    citation = load("CITATION.cff")
    assert version == PROJECT["version"] == citation["version"]
    assert day == citation["date-released"]


def test_the_changelog_begins_with_what_is_not_released_and_goes_back_in_time():
    assert RELEASES[0] == ("Unreleased", "")
    days = [day for _, day in RELEASES[1:]]
    assert all(days) and days == sorted(days, reverse=True)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)) <= kinds


def test_the_security_notice_says_what_is_promised_what_is_not_and_how_to_report():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == [
        *("What is promised", "How it is tested", "What is not hardened yet", "What to report, and how")
    ]
    for word in ("never imported or executed", "GITHUB_TOKEN", "0444"):
        assert word in text
