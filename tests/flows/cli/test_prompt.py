"""The prompt of ``kbw sql``."""

from __future__ import annotations

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


def test_the_prompt_ends_with_its_input(sample_home):
    def end(_: str) -> str:
        raise EOFError

    reader = Reader(sample_home.database)
    prompt(reader, Format.TABLE, end)
    reader.close()
