"""``kbw config``: every value in force, with its origin, and what was looked for."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder a command starts from, empty."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def told(kbw) -> tuple[dict, dict[str, tuple]]:
    answer = json.loads(kbw("config", "--json").stdout)
    return answer, {one["name"]: (one["value"], one["origin"]) for one in answer["values"]}


def test_without_any_file_it_is_said_what_was_looked_for_and_that_upstream_is_followed(kbw, home, here):
    answer, values = told(kbw)
    assert answer["read"] is None
    assert answer["passed_by"] == [
        {"path": str(path), "found": "not there"}
        for path in (here / "kbw.toml", home.root / "kbw.toml", here / "pyproject.toml")
    ]
    assert values["home"] == (str(home.root), "KBW_HOME")
    assert values["stale_after_days"] == (180, "default")
    assert values["sources[0].source"] == ("github:ScalingIntelligence/KernelBench", "default")
    done = kbw("config")
    assert f"looked for {here / 'kbw.toml'}: not there" in done.stderr
    assert "no settings are found" in done.stderr


def test_values_of_a_file_are_told_with_it_and_defaults_as_such(kbw, home, here):
    home.root.mkdir()
    file = home.root / "kbw.toml"
    file.write_text(
        'stale_after_days = 90\n[[sources]]\nsource = "sample"\ndue_after_hours = 2\n'
        '[hosts.mine]\ngpu = "NVIDIA H100"\n'
    )
    answer, values = told(kbw)
    assert answer["read"] == str(file)
    assert values["stale_after_days"] == (90, str(file))
    assert values["sources[0].due_after_hours"] == (2.0, str(file))
    assert values["sources[0].stale_after_hours"] == (72, "default")
    assert values["hosts.mine.gpu"] == ("NVIDIA H100", str(file))
    assert f"read {file}" in kbw("config").stderr


def test_the_environment_is_told_and_its_secrets_are_not(kbw, home, here, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_Secret0123456789")
    monkeypatch.setenv("PREFECT_API_URL", "http://user:Secret0@127.0.0.1:1/api")
    monkeypatch.setenv("KBW_CONFIG", str(here / "mine.toml"))
    (here / "mine.toml").write_text("stale_after_days = 10\n")
    _, values = told(kbw)
    assert values["stale_after_days"] == (10, str(here / "mine.toml"))
    assert values["KBW_CONFIG"] == (str(here / "mine.toml"), "environment")
    assert values["GITHUB_TOKEN"] == ("set, not shown", "environment")
    for form in ("--json", "--csv"):
        assert "Secret0" not in kbw("config", form).stdout
