"""One source's history as rows of the published tables. Pure: bytes and trees in, frames out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from transforms.contracts.frames import frame, part, schema
from transforms.history.declared import declared, harness_digest, harness_scripts
from transforms.history.entries import version_entries
from transforms.history.lineage import History, RevisionFiles, modules_of
from transforms.history.quarantine import quarantine_rows
from transforms.history.reading import Needed, Read
from transforms.history.runs import problem_codes, run_tables
from transforms.history.series import Series, version_intervals
from transforms.history.unreachable import with_unreachable
from transforms.identities import workload_id
from transforms.layout import Layout
from transforms.manifests.exported import pinned_rows
from transforms.manifests.facts import Pin, PinnedProblem
from transforms.problems.names import family, title
from transforms.protocol import protocol_id
from transforms.registry import harness_facts, lineages, repository
from transforms.timings.paths import timing_path


@dataclass(frozen=True)
class Normalised:
    """Rows of one source: of ``series`` for runs and what hangs on them, of the whole source for the rest."""

    source: str
    series: pl.DataFrame
    pin: Pin
    pinned: tuple[PinnedProblem, ...]
    tables: dict[str, pl.DataFrame]


def normalise(history: History, series: Collection[Series], wanted: Needed, read: Read) -> Normalised:
    """Derive ``series`` anew from all their versions, and describe the source as it stands now.

    The result depends on the lineage alone, not on how many ingests brought it here. Each former history is derived as
    if it were the only one; of it, the runs are kept that the history of now does not show.
    """
    refused = set(read.timings.files.filter(pl.col("reason").is_not_null())["blob"])
    histories = (history, *(one.history for one in history.former))
    timelines = (wanted.timeline, *wanted.former_timelines)
    codes = problem_codes(read.modules)
    intervals = [version_intervals(timeline, refused) for timeline in timelines]
    entries = [version_entries(*pair, read.timings) for pair in zip(histories, intervals, strict=True)]
    now, *former = (
        run_tables(one, told.kept, present, read.modules, codes, protocol_id())
        for one, told, present in zip(histories, entries, intervals, strict=True)
    )
    derived = with_unreachable(now, former)
    pinned = _pinned(history, read)
    newest = history.revisions[-1]
    return Normalised(
        source=history.source,
        series=series_frame(history.source, series),
        pin=Pin(history.url, newest.revision, newest.committed_at, newest.layout),
        pinned=pinned,
        tables={
            "sources": _sources(history, read),
            "revisions": _revisions(history, read),
            "harnesses": _harnesses(history),
            "files": _files(history),
            "problems": _problems(history, read),
            "problem_versions": _problem_versions(history, read),
            "problem_codes": codes,
            "pinned_problems": pinned_rows(history.source, history.revisions[-1].revision, pinned),
            "environments": derived.environments,
            "workloads": derived.workloads,
            "runs": derived.runs,
            "presence": derived.presence,
            "quarantine": quarantine_rows(history, wanted.timeline, read.timings, entries[0], intervals[0]),
        },
    )


def _pinned(history: History, read: Read) -> tuple[PinnedProblem, ...]:
    """The readable modules of the newest revision, to which interoperable digests are pinned."""
    modules = sorted(modules_of(history.revisions[-1]).values())
    found = (PinnedProblem.of(read.modules[path, blob], path) for path, blob in modules)
    return tuple(problem for problem in found if problem is not None)


def series_frame(source: str, series: Collection[Series]) -> pl.DataFrame:
    """The series of a source that are derived anew, as the batch names them."""
    schema = {"source": pl.String, "host": pl.String, "mode": pl.String}
    return pl.DataFrame([(source, *one) for one in sorted(series)], schema=schema, orient="row")


def _declared_values(shown: RevisionFiles, read: Read) -> tuple[str | None, ...]:
    stated = declared(shown.files, read.texts, shown.layout)
    return (stated.requirements_torch, stated.readme_torch, stated.readme_cuda, stated.harness_digest)


def _sources(history: History, read: Read) -> pl.DataFrame:
    newest = history.revisions[-1]
    row = (
        history.source,
        history.url,
        history.head.revision,
        history.head.committed_at,
        newest.revision,
        newest.committed_at,
        len(history.revisions),
        *_declared_values(history.head, read),
        *_terms(history.source),
    )
    return frame("sources", [row])


def _terms(source: str) -> tuple[str | None, str | None]:
    """Licence and copyright of a lineage's figures; null where the registry does not know them."""
    known = next((one for one in lineages().values() if repository(one.source) == repository(source)), None)
    return (known.licence, known.copyright) if known else (None, None)


def _revisions(history: History, read: Read) -> pl.DataFrame:
    """The history of now in its order, then what is unreachable, by date."""
    reachable = [(position, shown, None) for position, shown in enumerate(history.revisions)]
    rows = [
        (
            history.source,
            shown.revision,
            position,
            unreachable_since is None,
            unreachable_since,
            shown.committed_at,
            sum(timing_path(path, shown.layout) is not None for path in shown.files),
            len(modules_of(shown)),
            *_declared_values(shown, read),
        )
        for position, shown, unreachable_since in [*reachable, *((None, *pair) for pair in history.unreachable)]
    ]
    return frame("revisions", rows)


def _harnesses(history: History) -> pl.DataFrame:
    """What the timing scripts of every commit do, as far as the registry knows their texts."""
    every = (*_in_order(history), *(shown for shown, _ in history.unreachable))
    found = {harness_digest(one.files, one.layout): harness_scripts(one.files, one.layout) for one in every}
    facts = {digest: harness_facts(scripts) for digest, scripts in found.items() if digest is not None}
    columns = schema("harnesses").names()[1:]
    rows = [(digest, *(getattr(told, column) for column in columns)) for digest, told in sorted(facts.items())]
    return frame("harnesses", rows)


def _files(history: History) -> pl.DataFrame:
    first, last = _sightings(_in_order(history))
    reachable = set(first)
    gone_first, gone_last = _sightings(shown for shown, _ in history.unreachable)
    first, last = {**gone_first, **first}, {**gone_last, **last}
    rows = []
    for (path, blob), since in first.items():
        kind, names = _file_kind(path, since.layout)
        if kind is not None:
            newest = history.head if kind == "module" else history.revisions[-1]
            still = newest.files.get(path) == blob
            seen = (since.revision, last[path, blob].revision, still, (path, blob) in reachable)
            rows.append((history.source, path, blob, kind, *names, *seen))
    return frame("files", rows).sort("path", "blob")


_Sightings = dict[tuple[str, str], RevisionFiles]
"""By path and blob."""


def _sightings(order: Iterable[RevisionFiles]) -> tuple[_Sightings, _Sightings]:
    """Where each file was first shown, and where last."""
    first: _Sightings = {}
    last: _Sightings = {}
    for shown in order:
        for pair in shown.files.items():
            first.setdefault(pair, shown)
            last[pair] = shown
    return first, last


def _in_order(history: History) -> Iterator[RevisionFiles]:
    yield from history.revisions
    if history.head.revision != history.revisions[-1].revision:
        yield history.head


def _file_kind(path: str, layout: Layout) -> tuple[str | None, tuple[str | None, str | None, str | None, str | None]]:
    """``timing`` or ``module`` and (host, mode, level, problem); None for a file that holds neither."""
    if (timing := timing_path(path, layout)) is not None:
        return "timing", (timing.host, timing.mode, None, None)
    if (module := layout.module_path(path)) is not None:
        return "module", (None, None, *module)
    return None, (None, None, None, None)


def _problems(history: History, read: Read) -> pl.DataFrame:
    rows = []
    for (level, file), (path, blob) in sorted(modules_of(history.head).items()):
        module = read.modules[path, blob]
        computed = module.problem.compute_digest if module.problem else None
        named = (history.source, level, file, title(file), family(level, file), path, blob)
        code = (module.code_digest, computed)
        rows.append((*named, *code, module.reason, module.detail))
    return _with_workload("problems", rows)


def _problem_versions(history: History, read: Read) -> pl.DataFrame:
    """Grain: problem, first commit that shows its code, or (``present`` false) no longer has a module."""
    before: dict[tuple[str, str], tuple[bool, str | None]] = {}
    rows = []
    for position, shown in enumerate(_in_order(history)):
        modules = {name: read.modules[pair] for name, pair in modules_of(shown).items()}
        for name in sorted(modules.keys() | before.keys()):
            module = modules.get(name)
            code = module.code_digest if module else None
            if before.get(name) == (module is not None, code):
                continue
            before[name] = (module is not None, code)
            computed = module.problem.compute_digest if module and module.problem else None
            since = (position, shown.revision, shown.committed_at)
            rows.append((history.source, *name, *since, code, computed, module is not None))
    return _with_workload("problem_versions", rows).sort("level", "problem", "from_position")


def _with_workload(table: str, rows: Iterable[tuple[object, ...]]) -> pl.DataFrame:
    """The rows of a table, given without its ``workload_id``: that of a module that is Python, else null."""
    columns = schema(table).names()
    named = part(table, [column for column in columns if column != "workload_id"], rows)
    is_code = pl.col("code_digest").is_not_null()
    return named.with_columns(workload_id=pl.when(is_code).then(workload_id())).select(columns)
