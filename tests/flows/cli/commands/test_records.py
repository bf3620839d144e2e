"""``kbw records``: who holds each record, listed, narrowed, sorted."""

from __future__ import annotations

import json
import re

from tests.flows.cli.commands.conftest import FORK, ORIGINAL, OTHER
from tests.flows.cli.terminals import seen


def test_records_are_shown_with_units_and_the_way_they_are_decided(on_sample):
    done = on_sample("records", "28_VisionTransformer", "--host", "H100_Modal")
    assert "1.37 ms ± 0.05" in done.stdout
    assert "1.32x" in done.stdout
    assert "2025-12-31" in done.stdout
    assert "kbw docs records" in done.stderr


def test_records_can_be_narrowed(on_sample):
    rows = json.loads(on_sample("records", "--gpu", "H100 PCIe", "--level", "level3", "--limit", "0", "--json").stdout)
    assert len(rows) == 50
    assert {row["host"] for row in rows} == {"H100_PCIe_LambdaLabs"}
    everything = json.loads(on_sample("records", "--withdrawn", "--limit", "0", "--json").stdout)
    assert len(everything) == 3551
    assert len(json.loads(on_sample("records", "--limit", "7", "--json").stdout)) == 7


def test_records_can_be_sorted_and_filtered(on_sample):
    by_margin = json.loads(on_sample("records", "--sort", "margin", "--limit", "5", "--json").stdout)
    assert [r["margin_ratio"] for r in by_margin] == sorted((r["margin_ratio"] for r in by_margin), reverse=True)
    by_date = json.loads(on_sample("records", "--sort", "date", "--limit", "300", "--json").stdout)
    assert [r["held_since"] for r in by_date] == sorted((r["held_since"] for r in by_date), reverse=True)
    unclear = json.loads(on_sample("records", "--not-clear", "--limit", "0", "--json").stdout)
    assert unclear
    assert {r["clear"] for r in unclear} == {False}


def test_a_word_says_how_grave_it_is_and_the_reasons_are_told_when_asked_for(on_sample):
    done = on_sample("records", "--limit", "5")
    assert "5 of 500 records (--limit 0 shows all): 5 error, 247 warn, 248 note" in done.stderr
    assert "days old" not in done.stdout
    assert "days old" in on_sample("records", "--limit", "5", "--wide").stdout


def test_records_name_their_source_where_there_are_several(on_lineages):
    rows = json.loads(on_lineages("records", "--json").stdout)
    assert sorted(row["source"] for row in rows) == [FORK, ORIGINAL, OTHER]
    assert FORK in on_lineages("records").stdout
    assert [row["host"] for row in json.loads(on_lineages("records", "--source", "fork", "--json").stdout)] == [
        "A100_fork"
    ]


def test_the_first_screen_says_how_many_can_be_used_today_and_the_head_what_a_lead_is_worth(on_sample, sample_home):
    screen = seen("records", "--limit", "25", columns=300, KBW_HOME=str(sample_home.root)).text
    first = screen.splitlines()
    assert first[0] == "25 of 500 records (--limit 0 shows all): 5 error, 247 warn, 248 note"
    assert "does not answer for today's code" in first[1]
    assert re.match(r"problem +host +GPU +held by .*vs eager +margin +clear +clear between sessions ", first[4])
    (row,) = json.loads(on_sample("records", "28_VisionTransformer", "--host", "H100_Modal", "--json").stdout)
    assert "clear_between_sessions" in row
