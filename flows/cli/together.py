"""What an ingest of several lineages at once did, as ``kbw ingest sample`` says it."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

from flows.cli.exits import FAILED
from flows.cli.lookup import open_reader
from flows.cli.outcomes import (
    counts_of,
    discovered_in,
    note_refused,
    say_nothing_new,
    say_published,
    say_would_add,
    status_of,
    told,
)
from flows.cli.render import Column, Format, Row, count, day, note, say, show, show_object
from warehouse.home import Home

if TYPE_CHECKING:
    from flows.sequence import Together


def report_together(home: Home, done: Together, *, dry_run: bool, as_json: bool) -> int:
    """Say what became of several lineages, and of those that could not be read; the exit status."""
    if as_json:
        show_object(_as_json(done, dry_run))
    elif dry_run:
        for outcome in done.outcomes:
            (say_nothing_new if outcome.published is None else say_would_add)(outcome)
        say("nothing was written")
    elif done.outcomes:
        _say_held(home, done)
    for failure in done.failures:
        note(f"kbw: {failure}")
    for outcome in done.outcomes:
        note_refused(outcome)
    statuses = [status_of(outcome) for outcome in done.outcomes]
    return FAILED if done.failures or FAILED in statuses else max(statuses, default=0)


def _as_json(done: Together, dry_run: bool) -> dict[str, object]:
    """The counts of all lineages together, and each lineage's own."""
    total: Counter[str] = Counter()
    for outcome in done.outcomes:
        total.update(counts_of(outcome))
    return {
        "changed": any(outcome.published is not None for outcome in done.outcomes),
        "dry_run": dry_run,
        **total,
        "lineages": [told(outcome) for outcome in done.outcomes],
        "failures": [str(failure) for failure in done.failures],
    }


def _say_held(home: Home, done: Together) -> None:
    asked = [discovered_in(outcome).source for outcome in done.outcomes]
    with closing(open_reader(home)) as reader:
        held = {row["source"]: row for row in reader.query("sources_followed").records()}
        gpus = {row["source"]: row["gpus"] for row in reader.query("own_gpus").records()}
    rows = [{**held[source], "gpus": gpus.get(source, [])} for source in asked]
    show(rows, _HELD, Format.TABLE)
    say()
    own, copies, doubtful = (sum(row[name] for row in rows) for name in ("own", "copies", "doubtful"))
    say(
        f"{count(len(rows))} lineages: {count(own)} figures of their own; {count(copies)} copies of what another had "
        f"first are folded, {count(doubtful)} are doubtful and hold no record"
    )
    if any(outcome.published for outcome in done.outcomes):
        say_published(home)
    else:
        say("nothing new")


def _gpus(row: Row) -> str:
    return ", ".join(name.removeprefix("NVIDIA ") for name in row["gpus"]) or "not reported"


_HELD = (
    Column("lineage", lambda row: str(row["source"]), whole=True),
    Column("licence", lambda row: str(row["licence"] or "")),
    Column("own figures", lambda row: count(row["own"]), right=True),
    Column("copies", lambda row: count(row["copies"]), right=True),
    Column("doubtful", lambda row: count(row["doubtful"]), right=True),
    Column("present", lambda row: count(row["own_present"]), right=True),
    Column("newest", lambda row: day(row["newest_revision_at"])),
    Column("GPUs", _gpus),
)
