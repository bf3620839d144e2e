"""``kbw info``: what the warehouse holds, where it lies, and how fresh it is."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from flows.cli.columns import source_column
from flows.cli.lookup import open_reader
from flows.cli.options import HomeOption, JsonOption, form_of, home_of
from flows.cli.reasons import SEVERITIES, severities_explained
from flows.cli.render import Column, Format, Row, count, day, memory, plain_columns, say, show, show_object


def info_command(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """What the warehouse holds, where it lies, and how fresh it is."""
    form = form_of(as_json)
    warehouse = home_of(home)
    with closing(open_reader(warehouse)) as reader:
        facts: dict[str, Any] = {row["key"]: row["value"] for row in reader.query("meta").records()}
        severities = {row["source"]: row for row in reader.query("severities", source=None).records()}
        sources = [{**row, **severities[row["source"]]} for row in reader.query("sources").records()]
        objects = reader.query("objects").records()
    size = warehouse.database.stat().st_size
    if form is Format.JSON:
        show_object({"database": warehouse.database, "bytes": size, **facts, "sources": sources, "objects": objects})
        return
    columns = (source_column([row["source"] for row in sources]), *_COLUMNS)
    if form is not Format.TABLE:
        show(sources, columns, form)
        return
    say(f"{warehouse.database}  ({memory(size)}, schema {facts['schema_version']})")
    say()
    show(sources, columns, form)
    say("Of the figures that stand, copies aside:")
    for line in severities_explained():
        say(line)
    say()
    show(objects, plain_columns(("name", "kind", "meaning"), objects), Format.TABLE)


_COLUMNS = (
    Column("revisions", lambda row: count(row["revisions"]), right=True, spare=7),
    Column("newest", lambda row: day(row["newest_revision_at"]), spare=6),
    Column("runs", lambda row: count(row["runs"]), right=True),
    Column("present", lambda row: count(row["present"]), right=True),
    *(Column(name, lambda row, name=name: count(row[name]), right=True) for name in SEVERITIES),  # type: ignore[misc]
    Column("hosts", lambda row: count(row["hosts"]), right=True, spare=4),
    Column("GPUs", lambda row: count(row["gpus"]), right=True, spare=3),
    Column("records", lambda row: count(row["records"]), right=True),
    Column("refused", lambda row: count(row["refused"]), right=True, spare=5),
    Column("unreachable", lambda row: _unreachable(row), right=True, spare=2),
)


def _unreachable(row: Row) -> str:
    """What a source showed before its branch was rewritten, and shows no more."""
    if not row["revisions_unreachable"]:
        return ""
    return f"{count(row['runs_unreachable'])} runs, {count(row['revisions_unreachable'])} revisions"
