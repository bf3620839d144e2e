"""What an ingest or a rebuild did, as its command says it and ends with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flows.cli.exits import FAILED, FOUND_SOMETHING
from flows.cli.render import count, note, say
from transforms.layout import layout_of
from warehouse.home import Home

if TYPE_CHECKING:
    from flows.sequence import Outcome
    from flows.steps.discover import Discovered


def counts_by_source(outcome: Outcome) -> dict[str, dict[str, int]]:
    """What was published, by source; empty where nothing was."""
    published = outcome.published
    return {source: dict(changes.counts) for source, changes in published.changes.items()} if published else {}


def told(outcome: Outcome) -> dict[str, object]:
    """What became of one source, for programs: where it stands, what is new, and the counts of what was published."""
    found = discovered_in(outcome)
    return {
        "source": found.source,
        "head": found.chain.head.id,
        "changed": outcome.published is not None,
        "revisions_new": len(found.chain.new),
        **counts_of(outcome),
    }


def outcome_as_json(asked: str, outcome: Outcome, *, dry_run: bool) -> dict[str, object]:
    """What became of one of several sources, for programs: every key is there, null where nothing is known.

    ``asked`` is how the source was written; ``counts`` is null where nothing was published.
    """
    found = discovered_in(outcome)
    return {
        **_NOTHING_DONE,
        "asked": asked,
        "source": found.source,
        "status": "unchanged" if outcome.published is None else "changed",
        "error": "; ".join(str(failure) for failure in outcome.left_out) or None,
        "dry_run": dry_run,
        "changed": outcome.published is not None,
        "head": found.chain.head.id,
        "root": found.layout.root,
        "revisions_new": len(found.chain.new),
        "revisions_unreachable": len(found.unreachable),
        "requests": outcome.requests,
        "refused_files": [{"path": path, "reason": reason} for path, reason in outcome.refused_files],
        "counts": counts_of(outcome) or None,
    }


def failed_as_json(asked: str, error: Exception, words: str, *, dry_run: bool) -> dict[str, object]:
    """Likewise of a source that failed; ``source`` is null where it could not come to say its name."""
    source = getattr(error, "source", None)
    return {**_NOTHING_DONE, "asked": asked, "source": source, "status": "failed", "error": words, "dry_run": dry_run}


_NOTHING_DONE: dict[str, object] = {
    **dict.fromkeys(("asked", "source", "status", "error", "dry_run")),
    "changed": False,
    **dict.fromkeys(("head", "root", "revisions_new", "revisions_unreachable", "requests")),
    "refused_files": [],
    "counts": None,
}
"""The keys of a source in ``kbw ingest --all --json``, in order."""


def discovered_in(outcome: Outcome) -> Discovered:
    """What the source of an ingest showed; a rebuild asks none."""
    assert outcome.discovered is not None
    return outcome.discovered


def counts_of(outcome: Outcome) -> dict[str, int]:
    """What was published of the source that was ingested; empty where nothing was."""
    return counts_by_source(outcome).get(discovered_in(outcome).source, {})


def say_nothing_new(outcome: Outcome) -> None:
    """Say that a source stands where it stood."""
    found = discovered_in(outcome)
    say(f"{found.source}: nothing new at {found.chain.head.id[:12]}")


def say_would_add(outcome: Outcome) -> None:
    """Say what a rehearsed ingest would bring."""
    found, runs = discovered_in(outcome), counts_of(outcome)["runs_new"]
    say(f"{found.source}: would add {count(len(found.chain.new))} revisions, {count(runs)} runs")


def say_published(home: Home) -> None:
    """Say where the database is, and what a person may try now."""
    say()
    say(f"Published {home.database}. Next:")
    for command in _NEXT:
        say(f"  {command}")


_NEXT = (
    "kbw records --gpu H100 --limit 20",
    "kbw sql \"select title, host, mode, mean_ms from baselines where present and problem like '28_Vision%'\"",
    "kbw info",
    "kbw export --to snapshot",
)


def note_refused(outcome: Outcome) -> None:
    """Name the files that were refused, and the lineages that nobody asked and that could not be derived."""
    for path, reason in outcome.refused_files:
        note(f"refused {path}: {reason}")
    for failure in outcome.left_out:
        note(f"kbw: {failure}")


def say_where_read(outcome: Outcome) -> None:
    """Say where the source keeps what was read, whose modules were measured, and what was not read."""
    found = outcome.discovered
    if found is None:
        return
    rows = [
        ("root", found.layout.root),
        ("modules", _modules(found)),
        ("bound", "anew, by what was told or is known now" if found.anew else ""),
        ("not read", _not_read(found)),
    ]
    for heading, words in rows:
        if words:
            say(f"  {heading:<9} {words}")


def _modules(found: Discovered) -> str:
    if found.told.problems is not None:
        return f"those of {found.told.problems}"
    if found.surroundings.module_folders:
        places = shortened(found.surroundings.module_folders)
        return f"none: they stand in several places ({places}); say whose were measured with --problems"
    if found.layout != layout_of(found.layout.root, ()):
        return f"from {found.layout.modules or 'the top'}"
    return ""


def _not_read(found: Discovered) -> str:
    unread = found.surroundings.unread
    if not unread:
        return ""
    roots = ", ".join(f"--root {root or '.'}" for root in found.surroundings.roots)
    others = f"; other roots are lineages of their own: {roots}" if roots else ""
    return f"{shortened(unread)} (not below {found.layout.timings}){others}"


_AT_MOST = 6


def shortened(names: Sequence[str]) -> str:
    """Names in a line, as many as can be read at a glance."""
    more = f" and {len(names) - _AT_MOST} more" if len(names) > _AT_MOST else ""
    return ", ".join(names[:_AT_MOST]) + more


def status_of(outcome: Outcome) -> int:
    """1 where a lineage was left out; 3 where a file was refused; an entry that was left unmeasured is normal."""
    if outcome.left_out:
        return FAILED
    return FOUND_SOMETHING if outcome.refused_files else 0
