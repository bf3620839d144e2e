"""One source's history as rows of the published tables. Pure: bytes and trees in, frames out."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import polars as pl
import rfc8785
from polars.datatypes import DataType

from transforms.history.declared import Declared, declared
from transforms.history.lineage import History, Shown, module_path, modules_of
from transforms.history.quarantine import quarantine_rows
from transforms.history.reading import Needed, Read
from transforms.history.runs import problem_codes, run_tables
from transforms.history.series import Series, standings
from transforms.history.unreachable import with_unreachable
from transforms.identities import workload_id
from transforms.manifests.exported import pinned_rows
from transforms.manifests.facts import Pin, PinnedProblem
from transforms.problems.names import family, title
from transforms.registry import protocol
from transforms.timings.paths import timing_path


@dataclass(frozen=True)
class Normalised:
    """Rows of one source: of ``series`` for runs and what hangs on them, of the whole source for the rest."""

    source: str
    series: pl.DataFrame
    pin: Pin
    pinned: tuple[PinnedProblem, ...]
    tables: dict[str, pl.DataFrame]


@cache
def protocol_id() -> str:
    """Digest of the protocol's identity document: of ``apiVersion, kind, spec``."""
    document = protocol()
    body = {member: document[member] for member in ("apiVersion", "kind", "spec")}
    return hashlib.sha256(rfc8785.dumps(body)).hexdigest()  # type: ignore[arg-type]


def normalise(history: History, series: Collection[Series], wanted: Needed, read: Read) -> Normalised:
    """Derive ``series`` anew from all their versions, and describe the source as it stands now.

    The result depends on the lineage alone, not on how many ingests brought it here. Each lost line is derived as if it
    were the only one; of it, the runs are kept that the line of now does not show.
    """
    refused = set(read.timings.files.filter(pl.col("reason").is_not_null())["blob"])
    lines = zip((history, *(one.line for one in history.lost)), (wanted.timeline, *wanted.lost_timelines), strict=True)
    codes = problem_codes(read.modules)
    now, *lost = (
        run_tables(line, read.timings.entries, standings(timeline, refused), read.modules, codes, protocol_id())
        for line, timeline in lines
    )
    derived = with_unreachable(now, lost)
    pinned = _pinned(history, read)
    return Normalised(
        source=history.source,
        series=_series_frame(history.source, series),
        pin=Pin(history.url, history.revisions[-1].revision, history.revisions[-1].committed_at),
        pinned=pinned,
        tables={
            "sources": _sources(history, read),
            "revisions": _revisions(history, read),
            "files": _files(history),
            "problems": _problems(history, read),
            "problem_versions": _problem_versions(history, read),
            "problem_codes": codes,
            "pinned_problems": pinned_rows(history.source, history.revisions[-1].revision, pinned),
            "environments": derived.environments,
            "workloads": derived.workloads,
            "runs": derived.runs,
            "presence": derived.presence,
            "quarantine": quarantine_rows(history, wanted.timeline, read.timings),
        },
    )


def _pinned(history: History, read: Read) -> tuple[PinnedProblem, ...]:
    """The readable modules of the newest revision, to which interoperable digests are pinned."""
    modules = sorted(modules_of(history.revisions[-1]).values())
    found = (PinnedProblem.of(read.modules[path, blob], path) for path, blob in modules)
    return tuple(problem for problem in found if problem is not None)


def _series_frame(source: str, series: Collection[Series]) -> pl.DataFrame:
    schema = {"source": pl.String, "host": pl.String, "mode": pl.String}
    return pl.DataFrame([(source, *one) for one in sorted(series)], schema=schema, orient="row")


_DECLARED: dict[str, DataType] = {
    "requirements_torch": pl.String(),
    "readme_torch": pl.String(),
    "readme_cuda": pl.String(),
    "harness_digest": pl.String(),
}


def _declared_values(stated: Declared) -> tuple[str | None, ...]:
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
        *_declared_values(declared(history.head.files, read.texts)),
    )
    schema: dict[str, DataType] = {
        "source": pl.String(),
        "url": pl.String(),
        "head": pl.String(),
        "head_at": pl.Datetime("us"),
        "newest_revision": pl.String(),
        "newest_revision_at": pl.Datetime("us"),
        "revisions": pl.Int64(),
        **_DECLARED,
    }
    return pl.DataFrame([row], schema=schema, orient="row")


def _revisions(history: History, read: Read) -> pl.DataFrame:
    """The line of now in its order, then what is unreachable, by date."""
    in_line = [(position, shown, None) for position, shown in enumerate(history.revisions)]
    rows = [
        (
            history.source,
            shown.revision,
            position,
            lost_at is None,
            lost_at,
            shown.committed_at,
            sum(timing_path(path) is not None for path in shown.files),
            len(modules_of(shown)),
            *_declared_values(declared(shown.files, read.texts)),
        )
        for position, shown, lost_at in [*in_line, *((None, *pair) for pair in history.unreachable)]
    ]
    schema: dict[str, DataType] = {
        "source": pl.String(),
        "revision": pl.String(),
        "position": pl.Int64(),
        "reachable": pl.Boolean(),
        "lost_at": pl.Datetime("us"),
        "committed_at": pl.Datetime("us"),
        "timing_files": pl.Int64(),
        "problem_modules": pl.Int64(),
        **_DECLARED,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _files(history: History) -> pl.DataFrame:
    first, last = _sightings(_in_order(history))
    reachable = set(first)
    lost_first, lost_last = _sightings(shown for shown, _ in history.unreachable)
    first, last = {**lost_first, **first}, {**lost_last, **last}
    rows = []
    for (path, blob), since in first.items():
        kind, names = _file_kind(path)
        if kind is not None:
            newest = history.head if kind == "module" else history.revisions[-1]
            still = newest.files.get(path) == blob
            seen = (since.revision, last[path, blob].revision, still, (path, blob) in reachable)
            rows.append((history.source, path, blob, kind, *names, *seen))
    texts = ["source", "path", "blob", "kind", "host", "mode", "level", "problem", "first_revision", "last_revision"]
    schema = {**dict.fromkeys(texts, pl.String), "present": pl.Boolean, "reachable": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row").sort("path", "blob")


def _sightings(order: Iterable[Shown]) -> tuple[dict[tuple[str, str], Shown], dict[tuple[str, str], Shown]]:
    """Where each (path, blob) was first shown, and where last."""
    first: dict[tuple[str, str], Shown] = {}
    last: dict[tuple[str, str], Shown] = {}
    for shown in order:
        for pair in shown.files.items():
            first.setdefault(pair, shown)
            last[pair] = shown
    return first, last


def _in_order(history: History) -> Iterator[Shown]:
    yield from history.revisions
    if history.head.revision != history.revisions[-1].revision:
        yield history.head


def _file_kind(path: str) -> tuple[str | None, tuple[str | None, str | None, str | None, str | None]]:
    """``timing`` or ``module`` and (host, mode, level, problem); None for a file that holds neither."""
    if (timing := timing_path(path)) is not None:
        return "timing", (timing.host, timing.mode, None, None)
    if (module := module_path(path)) is not None:
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
    columns = ["source", "level", "problem", "title", "family", "path", "blob"]
    columns += ["code_digest", "compute_digest", "unreadable_reason", "unreadable_detail"]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
    readable = pl.col("compute_digest").is_not_null()
    return frame.select(*columns[:7], pl.when(readable).then(workload_id()).alias("workload_id"), *columns[7:])


def _problem_versions(history: History, read: Read) -> pl.DataFrame:
    """Grain: problem, first commit looked at that shows its code, or (``present`` false) no longer has a module."""
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
    schema: dict[str, DataType] = {
        **dict.fromkeys(("source", "level", "problem"), pl.String()),
        "from_position": pl.Int64(),
        "from_revision": pl.String(),
        "from_at": pl.Datetime("us"),
        **dict.fromkeys(("code_digest", "compute_digest"), pl.String()),
        "present": pl.Boolean(),
    }
    frame = pl.DataFrame(rows, schema=schema, orient="row").sort("level", "problem", "from_position")
    readable = pl.col("compute_digest").is_not_null()
    return frame.with_columns(workload_id=pl.when(readable).then(workload_id())).select(
        *list(schema)[:-1], "workload_id", "present"
    )
