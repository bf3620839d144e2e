"""The prompt of ``kbw sql``."""

from __future__ import annotations

import re

from flows.cli.prompt import prompt
from flows.cli.render import Format
from warehouse.database import Reader


def test_the_prompt_answers_statements_and_survives_mistakes(sample_home, capsys):
    lines = iter(["select count(*) as runs", "from runs;", "select nonsense;", ".tables", ".columns runs", ".quit"])
    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, lambda _: next(lines))
    said = capsys.readouterr()
    assert "10105" in said.out
    assert "Binder Error" in said.err
    assert "record_history" in said.out
    assert "mean_ns" in said.out
    reader.close()


def test_the_prompt_answers_each_of_several_statements_and_tells_times_when_asked(sample_home, capsys):
    lines = iter([".timer on", "select 1 as one; select 2 as two;", ".timer off", "select 3 as three;", ".quit"])
    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, lambda _: next(lines))
    said = capsys.readouterr()
    assert [word for word in said.out.split() if word in ("one", "two", "three")] == ["one", "two", "three"]
    assert re.findall(r"statement \d: \d\.\d{3} s", said.err) == re.findall(r"statement [12]: \d\.\d{3} s", said.err)
    assert said.err.count(" s\n") == 2
    reader.close()


def test_an_interrupt_drops_what_was_begun_and_on_an_empty_line_leaves(sample_home, capsys):
    lines = iter(["select nonsense", KeyboardInterrupt, "select 7 as seven;", KeyboardInterrupt, "select 8 as eight;"])

    def ask(_: str) -> str:
        line = next(lines)
        if line is KeyboardInterrupt:
            raise KeyboardInterrupt
        return line

    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, ask)
    said = capsys.readouterr()
    assert "seven" in said.out and "eight" not in said.out and "Binder Error" not in said.err
    reader.close()


def test_the_prompt_ends_with_its_input(sample_home):
    def end(_: str) -> str:
        raise EOFError

    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, end)
    reader.close()
