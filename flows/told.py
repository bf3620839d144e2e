"""What was said of a source is remembered with its lineage; what is said otherwise later must be meant (section 2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from flows.sources.interface import Chain, SourceError
from flows.sources.kinds import Said, SourceOptions
from transforms.layout import Layout
from warehouse.landing import Landing, Lineage, Told
from warehouse.landing.names import refuse_wrong_name

_MEANT = "say --change-settings if that is meant"


def with_remembered_name(landing: Landing, source: str, options: SourceOptions) -> SourceOptions:
    """The options of a source, with the name that it was given by hand before; raises SourceError for several.

    Raises WrongUsage for a name that no lineage can have.
    """
    if options.name is not None:
        refuse_wrong_name(options.name)
        return options
    names = {one.source.partition("//")[0] for one in landing.lineages() if one.told.source == source}
    if len(names) > 1:
        raise SourceError(
            f"{source}: was ingested under several names; say which with --name: {', '.join(sorted(names))}"
        )
    return replace(options, name=next(iter(names), None))


def told_now(landing: Landing, before: Lineage | None, said: Said, layout: Layout) -> Told:
    """What counts as told from now on: what was said first, unless it is to be changed.

    Raises SourceError, with what would change, where something else is said than before and no change is asked for.
    """
    options = said.options
    now = Told(said.source if options.name else None, options.problems, options.observed_at is not None)
    if before is None:
        return now
    if options.change_settings:
        return Told(before.told.source, now.problems, now.observed)
    if before.root != layout.root:
        raise SourceError(
            f"{before.source}: was read at root {before.root or '.'} before, and would be read at "
            f"{layout.root or '.'}, its whole history anew; give it another --name, or {_MEANT}"
        )
    if options.problems in (None, before.told.problems):
        return before.told
    if before.told.problems is None and not _has_own_modules(landing, before):
        return Told(before.told.source, options.problems, before.told.observed)
    raise SourceError(
        f"{before.source}: measured {before.told.problems or 'its own modules'} by what was said before; the figures "
        f"of all its {len(before.revisions)} revisions would be bound to {options.problems} instead; {_MEANT}"
    )


def refuse_other_date(before: Lineage, options: SourceOptions, chain: Chain, was: datetime) -> None:
    """Raise SourceError where a folder's state is dated in another way than before, and no change is asked for.

    ``was`` (UTC, without a time zone) is the date of the state known last.
    """
    if options.change_settings:
        return
    if options.observed_at is None and before.told.observed and chain.new:
        raise SourceError(
            f"{before.source}: was dated by --observed-at before; say when its new state was measured, or "
            "--change-settings to date it by its files from now on"
        )
    if options.observed_at is None:
        return
    if not before.told.observed:
        raise SourceError(f"{before.source}: is dated by its files, last {_day(was)}, not by --observed-at; {_MEANT}")
    now = chain.head.committed_at.astimezone(UTC).replace(tzinfo=None)
    if not chain.new and now != was:
        raise SourceError(f"{before.source}: this state was dated {_day(was)}, and would be {_day(now)}; {_MEANT}")


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _has_own_modules(landing: Landing, lineage: Lineage) -> bool:
    """Whether any commit of a lineage shows a module beside its figures."""
    trees = (landing.tree(lineage.source, commit) for commit in lineage.commits)
    return any(lineage.layout.module_path(path) for tree in trees for path in tree.files)
