"""What an ingest changed, and what its source holds since: the words of its summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flows.cli.reasons import by_severity
from flows.cli.render import count

if TYPE_CHECKING:
    from warehouse.database import Reader

_UNKNOWN_GPUS = 8
"""So many are listed; `kbw sql` has more."""


def changed_by(counts: Mapping[str, int], revisions: int) -> Iterator[tuple[str, str]]:
    """What this ingest brought and took away; what is nothing is not said."""
    copies = counts["runs_new_copies"]
    own = f"{count(counts['runs_new'] - copies)} runs of its own"
    yield "new", f"{count(revisions)} revisions, {own}" + (f", {count(copies)} copies" if copies else "")
    for name, words, key in _CHANGES:
        if counts[key]:
            yield name, words.format(count(counts[key]))


_CHANGES = (
    ("withdrawn", "{} runs", "runs_withdrawn"),
    ("returned", "{} runs", "runs_returned"),
    ("refused", "{} entries and files", "refusals_new"),
    ("unresolved", "{} new runs: module_missing", "runs_new_module_missing"),
    ("unresolved", "{} new runs: module_not_python", "runs_new_module_not_python"),
    ("doubtful", "{} new runs: taken on other code than the modules beside them", "runs_new_doubtful"),
)
"""Heading, words and the count, of ``sql/queries/changes.sql``."""


@dataclass(frozen=True)
class Held:
    """What one source holds, as the queries give it."""

    source: str
    total: dict[str, Any]
    refusals: list[dict[str, Any]]
    flags: list[dict[str, Any]]
    severities: dict[str, Any]
    unknown_gpus: list[dict[str, Any]]
    files_without_figures: list[dict[str, Any]]

    def lines(self) -> Iterator[tuple[str, str]]:
        """Heading and words of each line; a line with nothing to say is left out."""
        total = self.total
        copies = f", {count(total['copies'])} of them copies" if total["copies"] else ""
        yield "holds", f"{count(total['runs'])} runs{copies}, {count(total['present'])} present"
        yield "measured", f"on {count(total['gpus'])} GPUs on {count(total['hosts'])} hosts"
        yield "refused", _listed(self.refusals, "reason")
        yield "flagged", _listed(self.flags, "flag")
        if unranked := _unranked(total):
            yield "unranked", ", ".join(unranked)
        yield (
            "records",
            f"{count(total['records'])}, {count(total['records_present'])} of them standing; "
            f"{count(total['record_changes'])} changed hands",
        )
        severities = self.severities
        yield (
            "today",
            f"of {count(severities['stand'])} figures that stand: {by_severity(severities, severities['nothing'])}",
        )

    def remarks(self) -> Iterator[str]:
        """What somebody should do something about, each in a line."""
        for row in self.files_without_figures:
            yield f"{row['path']}: every entry was refused ({count(row['entries'])}, {row['reason']})"
        for row in self.unknown_gpus[:_UNKNOWN_GPUS]:
            name = f'"{row["hardware"]}"' if row["hardware"] else "no GPU is reported"
            yield f"unknown GPU: {name} on {', '.join(row['hosts'])} ({count(row['runs'])} runs)"
        if self.unknown_gpus:
            host = self.unknown_gpus[0]["hosts"][0]
            yield (
                f"  add a row to transforms/registry/gpus.json, or say in kbw.toml what the host is: "
                f'[hosts."{host}"] gpu = "..."; `kbw sql "from gpus"` lists the names'
            )


def held_by(reader: Reader, source: str) -> Held:
    """What one source holds."""
    return Held(
        source,
        reader.query("summary", source=source).records()[0],
        reader.query("refusals", source=source).records(),
        reader.query("flags", source=source).records(),
        reader.query("severities", source=source).records()[0],
        reader.query("unknown_gpus", source=source).records(),
        reader.query("files_without_figures", source=source).records(),
    )


def _unranked(total: Mapping[str, Any]) -> list[str]:
    kinds = ("module_missing", "module_not_python", "doubtful", "unreachable")
    return [f"{count(total[kind])} {kind.replace('doubtful', 'binding_doubtful')}" for kind in kinds if total[kind]]


def _listed(rows: list[dict[str, Any]], what: str) -> str:
    return ", ".join(f"{count(row['times'])} {row[what]}" for row in rows) or "nothing"
