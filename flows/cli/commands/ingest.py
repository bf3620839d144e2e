"""``kbw ingest``: sources are brought up to date."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.columns import RECORDS
from flows.cli.exits import FAILED, FOUND_SOMETHING, in_words
from flows.cli.lookup import counted, open_reader
from flows.cli.options import HomeOption, JsonOption, home_of, in_help
from flows.cli.outcomes import (
    counts_of,
    discovered_in,
    failed_as_json,
    note_refused,
    outcome_as_json,
    say_nothing_new,
    say_published,
    say_where_read,
    say_would_add,
    status_of,
    told,
)
from flows.cli.progress import progress
from flows.cli.render import Format, count, day, note, say, say_long, show, show_object
from flows.cli.summary import changed_by, held_by
from flows.cli.together import report_together
from flows.settings import Followed, read_settings
from flows.sources.kinds import UPSTREAM, takers, usages
from warehouse.home import Home, WarehouseError

if TYPE_CHECKING:
    from flows.sequence import Outcome, Together


def ingest_command(
    source: Annotated[
        str | None,
        typer.Argument(
            help=f"Where figures come from: {in_help(usages())}. Without it: {UPSTREAM}.", show_default=False
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every source that the settings (kbw.toml) list.")] = False,
    name: Annotated[str | None, typer.Option(help="Name of the lineage, owner/repo.", show_default=False)] = None,
    observed_at: Annotated[
        str | None, typer.Option(help=f"When a {takers('observed_at')} source was measured (UTC).", show_default=False)
    ] = None,
    problems: Annotated[
        str | None,
        typer.Option(
            help=f"Whose modules were measured, where not those beside the figures: a source in the warehouse, "
            f"{in_help('OWNER/REPO[@REV]')}. Without REV, as they were at each commit's date.",
            show_default=False,
        ),
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(
            help=f"Folder of a {takers('root')} source that holds results/timing, where there are several.",
            show_default=False,
        ),
    ] = None,
    change_settings: Annotated[
        bool,
        typer.Option(
            "--change-settings",
            help="Let --problems, --root and --observed-at as given now, or left out, replace what the lineage was "
            "told before; otherwise what was said first goes on, and another word is refused.",
        ),
    ] = False,
    accept_rewritten: Annotated[
        bool,
        typer.Option(
            "--accept-rewritten",
            help=f"Believe a {takers('accept_rewritten')} source that lacks revisions seen before, also where it may "
            "be a clone that is behind, another repository, or a side branch under the main line's name: what it shows "
            "no more is kept as unreachable.",
        ),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would change and write nothing.")] = False,
    as_flow: Annotated[
        bool | None,
        typer.Option(
            "--flow/--no-flow",
            help="Run as a Prefect flow run, or in this process. Without either: as one where a Prefect API is "
            "configured and answers.",
            show_default=False,
        ),
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring a source up to date: fetch, read, refuse, rank, publish."""
    warehouse = home_of(home)
    one = Followed(
        source=source or UPSTREAM,
        name=name,
        observed_at=observed_at,
        problems=problems,
        accept_rewritten=accept_rewritten,
        root=root,
        change_settings=change_settings,
    )
    if every and (source or one != Followed(UPSTREAM)):
        raise typer.BadParameter("--all takes the sources and their options from the settings")
    wanted = read_settings(warehouse).sources if every else [one]
    if not wanted:
        raise WarehouseError('--all: no source is listed; write [[sources]] with source = "..." into kbw.toml')
    if every and not dry_run:
        _announce(warehouse, wanted)
    if every and as_json:
        statuses = _ingest_all_as_json(warehouse, wanted, dry_run, as_flow)
    else:
        statuses = [_ingest_one(warehouse, one, dry_run, as_flow, as_json, apart=every) for one in wanted]
    if any(statuses):
        raise typer.Exit(FAILED if FAILED in statuses else FOUND_SOMETHING)


def _announce(warehouse: Home, wanted: list[Followed]) -> None:
    from flows.following import announce

    announce(warehouse, wanted)


def _ingest_all_as_json(warehouse: Home, wanted: list[Followed], dry_run: bool, as_flow: bool | None) -> list[int]:
    """Ingest each source and print one array, of what became of each, failures too; the exit statuses."""
    told: list[dict[str, object]] = []
    statuses = []
    for one in wanted:
        try:
            done = _done(warehouse, one, dry_run, as_flow)
        except Exception as error:
            told.append(failed_as_json(one.source, error, in_words(error), dry_run=dry_run))
            statuses.append(FAILED)
        else:
            told += [outcome_as_json(one.source, outcome, dry_run=dry_run) for outcome in done.outcomes]
            told += [failed_as_json(one.source, each, in_words(each), dry_run=dry_run) for each in done.failures]
            statuses += [status_of(outcome) for outcome in done.outcomes] + [FAILED] * len(done.failures)
    show_object(told)
    return statuses


def _done(warehouse: Home, one: Followed, dry_run: bool, as_flow: bool | None) -> Together:
    """Ingest one source: as a flow run or in this process, as is said, or else as can be."""
    from flows.prefect_settings import NoAnswer, ingests_are_flow_runs

    if as_flow is None and not ingests_are_flow_runs(note):
        as_flow = False
    if as_flow is False:
        return _run(warehouse, one, dry_run)
    try:
        return _flow_run(warehouse, one, dry_run)
    except NoAnswer as silence:
        if as_flow:
            raise
        note(f"kbw: {silence}; this ingest goes on without it")
    return _run(warehouse, one, dry_run)


def _ingest_one(
    warehouse: Home, one: Followed, dry_run: bool, as_flow: bool | None, as_json: bool, *, apart: bool
) -> int:
    """Ingest one source; its exit status. ``apart``: a failure is told and does not stop the others."""
    try:
        done = _done(warehouse, one, dry_run, as_flow)
        outcome = None if done.of_several else done.only
    except Exception as error:
        if not apart:
            raise
        note(f"kbw: {in_words(error)}")
        return FAILED
    if outcome is None:
        return report_together(warehouse, done, dry_run=dry_run, as_json=as_json)
    _report(warehouse, outcome, dry_run, as_json)
    return status_of(outcome)


def _run(warehouse: Home, one: Followed, dry_run: bool) -> Together:
    from flows.following import follow
    from flows.sequence import Directly

    with progress() as listener:
        return follow(warehouse, one, Directly(listener.step), dry_run=dry_run, listener=listener.words)


def _flow_run(warehouse: Home, one: Followed, dry_run: bool) -> Together:
    from flows.prefect_settings import prefect_at_work

    with prefect_at_work():
        from flows.ingest import flow_run

        return flow_run(warehouse, one, dry_run=dry_run)


def _report(home: Home, outcome: Outcome, dry_run: bool, as_json: bool) -> None:
    if as_json:
        found = discovered_in(outcome)
        show_object(
            {
                **told(outcome),
                "dry_run": dry_run,
                "revisions_unreachable": len(found.unreachable),
                "root": found.layout.root,
                "problems": found.told.problems,
                "bound_anew": found.anew,
                "not_read": list(found.surroundings.unread),
                "refused_files": [{"path": path, "reason": reason} for path, reason in outcome.refused_files],
                "left_out": [str(failure) for failure in outcome.left_out],
            }
        )
    elif outcome.published is None:
        say_nothing_new(outcome)
    elif dry_run:
        _say_rehearsed(outcome)
    else:
        _say_summary(home, outcome)


def _say_rehearsed(outcome: Outcome) -> None:
    counts = counts_of(outcome)
    say_would_add(outcome)
    say(
        f"  {count(counts['runs_withdrawn'])} present runs would be withdrawn, {count(counts['runs_returned'])} return;"
        f" then {count(counts['runs'])} runs, {count(counts['present'])} present"
    )
    _say_rewritten(outcome)
    say_where_read(outcome)
    note_refused(outcome)
    say("nothing was written")


def _say_rewritten(outcome: Outcome) -> None:
    if revisions := len(discovered_in(outcome).unreachable):
        say(
            f"history was rewritten: {count(revisions)} revisions no longer reachable, "
            f"{count(counts_of(outcome)['runs_unreachable'])} runs kept as unreachable"
        )


_NO_FILTER: dict[str, object] = {
    **dict.fromkeys(("problem", "level", "host", "gpu", "mode", "family", "reason", "clear", "moment")),
    "withdrawn": False,
    "sort": "gain",
}
"""The parameters of ``sql/queries/records.sql`` where nothing is asked for."""


def _say_summary(home: Home, outcome: Outcome) -> None:
    found = discovered_in(outcome)
    source = found.source
    with closing(open_reader(home)) as reader:
        held = held_by(reader, source)
        records, _ = counted(reader.query("records", **_NO_FILTER, source=source, at_most=5))
    total = held.total
    since, until = day(total["first_revision_at"]), day(total["newest_revision_at"])
    say(f"{source}: {total['revisions']} revisions, {since} to {until}")
    _say_part("This ingest", changed_by(counts_of(outcome), len(found.chain.new)))
    _say_rewritten(outcome)
    _say_part("The source now", held.lines())
    say_where_read(outcome)
    for line in held.remarks():
        note(line)
    note_refused(outcome)
    if records:
        say()
        say("Some records, the largest gains over eager (docs/records.md says how they are decided):")
        show(records, RECORDS, Format.TABLE)
    say_published(home)


def _say_part(heading: str, lines: Iterable[tuple[str, str]]) -> None:
    say(heading)
    for name, words in lines:
        say_long(f"  {name:<10} {words}", _MARGIN)


_MARGIN = 13
"""Where the words of a line go on."""
