"""A kind of source is one line of the registry: whatever names kinds follows from it. Nothing is listed by hand."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import fields

import pytest

from flows.sources.kinds import SOURCE_KINDS, SourceKind, SourceOptions, takers
from flows.sources.spec import open_source
from tests.github import GitHub
from tests.histories import GitHistory, fetched, one_figure, timing_path, timings

KINDS = list(SOURCE_KINDS.values())
OPTIONS = [field.name for field in fields(SourceOptions) if field.name != "name"]


def named(kinds: list[SourceKind]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.prefix)


@pytest.fixture
def history(tmp_path) -> GitHistory:
    return one_figure(tmp_path)


@pytest.fixture
def written(history, kbw, monkeypatch, tmp_path):  # after kbw, which begins with an empty environment
    """How a person writes a source of a kind that exists here: what its usage names is filled in."""
    folder = tmp_path / "folder" / timing_path()
    folder.parent.mkdir(parents=True)
    folder.write_text(timings(n19_ReLU=1.0))
    with GitHub(history.path) as served:
        served.set_environment(monkeypatch)

        def write(kind: SourceKind) -> str:
            path = history.path if kind.usage.endswith("[@ref]") else tmp_path / "folder"
            usage = kind.usage.partition("[")[0]
            return usage.replace("OWNER/REPO", "lab/KernelBench").replace("PATH", str(path))

        yield write


@named(KINDS)
def test_every_kind_opens_and_its_source_knows_its_kind(written, home, kind):
    with closing(open_source(written(kind), home, SourceOptions(name="lab/x"))) as source:
        assert (source.kind, source.name) == (kind.prefix, "lab/x")
        assert source.files(source.revisions(()).head)


@named(KINDS)
def test_the_fetch_log_names_how_every_kind_came(written, kbw, home, kind):
    done = kbw("ingest", written(kind), "--name", "lab/x")
    assert done.returncode == 0, done.stderr
    assert {line.transport for line in fetched(home)} == {kind.transport}


@named(KINDS)
def test_every_kind_is_in_the_help_and_in_the_error_about_what_is_no_source(kbw, monkeypatch, kind):
    monkeypatch.setenv("COLUMNS", "300")
    assert kind.usage in kbw("ingest", "--help").stdout
    assert kind.usage in kbw("ingest", "svn:here").stderr


@named(KINDS)
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_that_a_kind_does_not_take_is_refused_with_the_kinds_that_do(written, kbw, kind, option):
    flag = f"--{option.replace('_', '-')}"
    value = [] if option.startswith("accept") else ["2025-01-01"]
    refused = f"{flag} is for {takers(option)} sources; "
    assert (refused in kbw("ingest", written(kind), flag, *value).stderr) is (option not in kind.options)


def test_every_option_that_a_kind_takes_exists_and_every_option_is_taken_by_some_kind():
    assert {option for kind in KINDS for option in kind.options} == set(OPTIONS)


def test_a_prefix_means_one_kind():
    assert [prefix for prefix, kind in SOURCE_KINDS.items() if re.split(r"[:\[]", kind.usage)[0] != prefix] == []
