"""``kbw sources``: the sources that are followed, and how they are."""

from __future__ import annotations

from flows.cli.columns import HEALTH, source_column
from flows.cli.health import health_of
from flows.cli.metrics import MetricsOption, write_metrics
from flows.cli.options import CsvOption, HomeOption, JsonOption, form_of, home_of
from flows.cli.render import Column, Format, count, note, show


def sources_command(
    home: HomeOption = None, as_json: JsonOption = False, as_csv: CsvOption = False, metrics: MetricsOption = None
) -> None:
    """The sources that are published, were tried, or are listed in the settings: licence, holdings, health, error."""
    form = form_of(as_json, as_csv)
    rows = health_of(home_of(home))
    if metrics is not None:
        write_metrics(metrics, rows)
    show(rows, (source_column([row["source"] for row in rows]), *_FOLLOWED), form)
    if not rows and form is Format.TABLE:
        note("no source yet; ingest one, e.g. `kbw ingest sample`, or list some in kbw.toml")


_FOLLOWED = (
    Column("licence", lambda row: str(row["licence"] or "not known")),
    Column("own", lambda row: count(row["own"]), right=True),
    Column("present", lambda row: count(row["own_present"]), right=True, spare=7),
    Column("copies", lambda row: count(row["copies"]), right=True),
    Column("doubtful", lambda row: count(row["doubtful"]), right=True),
    *HEALTH[1:],
)
"""What a source holds, and how it is; ``present`` are figures of its own."""
