"""``kbw docs``: the manual, from the package."""

from __future__ import annotations

import re
import tomllib

from flows.cli.commands import docs
from tests.conftest import ROOT
from tests.flows.cli.terminals import seen

TOPICS = sorted(page.stem for page in (ROOT / "docs").glob("*.md"))


def test_the_topics_are_listed_and_each_is_printed_as_it_is_written(kbw):
    listed = kbw("docs").stdout
    for topic in TOPICS:
        assert re.search(rf"^{topic} +\S", listed, re.MULTILINE)
        assert kbw("docs", topic).stdout == (ROOT / "docs" / f"{topic}.md").read_text(encoding="utf-8")


def test_a_topic_is_named_as_forgivingly_as_all_else(kbw):
    assert kbw("docs", "RECORDS.md").stdout == kbw("docs", "records").stdout
    done = kbw("docs", "recrods")
    assert (done.returncode, "did you mean records? All topics: kbw docs" in done.stderr) == (2, True)


def test_at_a_terminal_a_page_is_set_to_its_width(home):
    shown = seen("docs", "records", columns=80)
    assert (shown.status, shown.widest <= 80) == (0, True)
    assert "How a record is decided" in shown.text and "**" not in shown.text


def test_the_manual_is_in_the_wheel_where_the_command_looks_for_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert [ROOT / place for place in included.values()] == [docs._PLACES[0]]
    assert [ROOT / place for place in included] == [docs._PLACES[1]]
