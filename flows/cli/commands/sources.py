"""``kbw sources``: the sources that are followed, and how they are."""

from __future__ import annotations

from contextlib import closing

from flows.cli.columns import HEALTH, source_column
from flows.cli.lookup import open_reader
from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.render import Column, count, show


def sources_command(home: HomeOption = None, as_json: JsonOption = False, as_csv: CsvOption = False) -> None:
    """The sources that are followed: licence, what each holds of its own, last check, last error."""
    form = form_of(as_json, as_csv)
    with closing(open_reader(home_of(home))) as reader:
        rows = reader.query("sources_followed").records()
    show(rows, (source_column([row["source"] for row in rows]), *_FOLLOWED), form)


_FOLLOWED = (
    Column("licence", lambda row: str(row["licence"] or "not known")),
    Column("own", lambda row: count(row["own"]), right=True),
    Column("present", lambda row: count(row["own_present"]), right=True, spare=7),
    Column("copies", lambda row: count(row["copies"]), right=True),
    Column("doubtful", lambda row: count(row["doubtful"]), right=True),
    *HEALTH[1:],
)
"""What a source holds, and how it is; ``present`` are figures of its own."""
