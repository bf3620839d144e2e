"""What an ingest of several lineages at once did, as ``kbw ingest sample`` says it."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

from flows.cli.exits import FAILED
from flows.cli.lookup import open_reader
from flows.cli.outcomes import counts_by_source, note_refused, status_of
from flows.cli.render import Column, Format, Row, count, day, note, say, show, show_object
from warehouse.home import Home

if TYPE_CHECKING:
    from flows.sequence import Outcome, Together


def report_together(home: Home, done: Together, *, dry_run: bool, as_json: bool) -> int:
    """Say what became of several lineages, and of those that could not be read; the exit status."""
    if as_json:
        show_object(_as_json(done, dry_run))
    elif dry_run:
        for outcome in done.outcomes:
            _say_rehearsed(outcome)
        say("nothing was written")
    elif done.outcomes:
        _say_held(home, done)
    for failure in done.failures:
        note(f"kbw: {failure}")
    for outcome in done.outcomes:
        note_refused(outcome)
    return FAILED if done.failures else max(map(status_of, done.outcomes), default=0)


def _as_json(done: Together, dry_run: bool) -> dict[str, object]:
    """The counts of all lineages together, and each lineage's own."""
    lineages = []
    total: Counter[str] = Counter()
    for outcome in done.outcomes:
        found = outcome.discovered
        assert found is not None
        counts = counts_by_source(outcome).get(found.source, {})
        total.update(counts)
        lineages.append(
            {
                "source": found.source,
                "head": found.chain.head.id,
                "changed": outcome.published is not None,
                "revisions_new": len(found.chain.new),
                **counts,
            }
        )
    return {
        "changed": any(outcome.published is not None for outcome in done.outcomes),
        "dry_run": dry_run,
        **total,
        "lineages": lineages,
        "failures": [str(failure) for failure in done.failures],
    }


def _say_rehearsed(outcome: Outcome) -> None:
    found = outcome.discovered
    assert found is not None
    counts = counts_by_source(outcome).get(found.source)
    if counts is None:
        say(f"{found.source}: nothing new at {found.chain.head.id[:12]}")
    else:
        say(f"{found.source}: would add {count(len(found.chain.new))} revisions, {count(counts['runs_new'])} runs")


def _say_held(home: Home, done: Together) -> None:
    found = [outcome.discovered for outcome in done.outcomes if outcome.discovered is not None]
    with closing(open_reader(home)) as reader:
        rows = reader.query("lineages_held", sources=[one.source for one in found]).records()
    news = {source for outcome in done.outcomes for source in counts_by_source(outcome)}
    show(rows, _HELD, Format.TABLE)
    say()
    own, copies, doubtful = (sum(row[name] for row in rows) for name in ("own_runs", "copies", "doubtful"))
    say(
        f"{count(len(rows))} lineages: {count(own)} figures of their own; {count(copies)} copies of what another had "
        f"first are folded, {count(doubtful)} are doubtful and hold no record"
    )
    if not news:
        say("nothing new")
        return
    say()
    say(f"Published {home.database}. Next:")
    for command in NEXT:
        say(f"  {command}")


def _gpus(row: Row) -> str:
    return ", ".join(name.removeprefix("NVIDIA ") for name in row["own_gpus"]) or "not reported"


_HELD = (
    Column("lineage", lambda row: str(row["source"]), whole=True),
    Column("licence", lambda row: str(row["licence"] or "")),
    Column("own figures", lambda row: count(row["own_runs"]), right=True),
    Column("copies", lambda row: count(row["copies"]), right=True),
    Column("doubtful", lambda row: count(row["doubtful"]), right=True),
    Column("present", lambda row: count(row["own_present"]), right=True),
    Column("newest", lambda row: day(row["newest_revision_at"])),
    Column("GPUs", _gpus),
)

NEXT = (
    "kbw records --gpu H100 --limit 20",
    "kbw sql \"select title, host, mode, mean_ms from baselines where present and problem like '28_Vision%'\"",
    "kbw info",
    "kbw export --to snapshot",
)
"""Commands that a person may try once figures are there."""
