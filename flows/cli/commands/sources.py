"""``kbw sources``: the sources that are followed, and how they are."""

from __future__ import annotations

from contextlib import closing

from flows.cli.columns import HEALTH
from flows.cli.lookup import open_reader
from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.render import show


def sources_command(home: HomeOption = None, as_json: JsonOption = False, as_csv: CsvOption = False) -> None:
    """The sources that are followed: last look, last change, when the next is due, last error."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        show(reader.query("source_health").records(), HEALTH, form)
