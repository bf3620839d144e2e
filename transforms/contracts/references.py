"""Which columns name a row of another table: what SQL calls foreign keys.

They stand in the data dictionary, in ``sql/schema.sql`` and in the pictures of the design, and are no constraints of
the database: DuckDB lets no row be replaced that another one names, and every publish replaces rows. A test holds all
of them on the sample, ``sql/checks`` those of runs before every publish.
"""

from __future__ import annotations

from transforms.contracts.objects import OBJECTS

_Names = dict[tuple[str, ...], str]

_SOURCE: _Names = {("source",): "sources"}
_RUN: _Names = {("run_id",): "runs"}
_COHORT: _Names = {("cohort_id",): "record_holders"}

REFERENCES: dict[str, _Names] = {
    "sources": {("harness_digest",): "harnesses", ("source", "newest_revision"): "revisions"},
    "revisions": {**_SOURCE, ("harness_digest",): "harnesses"},
    "files": _SOURCE,
    "quarantine": _SOURCE,
    "declared_software": _SOURCE,
    "source_health": _SOURCE,
    "problems": {**_SOURCE, ("workload_id",): "problem_codes"},
    "problem_versions": {**_SOURCE, ("workload_id",): "problem_codes"},
    "workloads": {("workload_id",): "problem_codes"},
    "pinned_problems": _SOURCE,
    "environments": {**_SOURCE, ("known_as",): "gpus"},
    "runs": {
        **_SOURCE,
        ("source", "first_revision"): "revisions",
        ("environment_id",): "environments",
        ("workload_id",): "workloads",
        ("protocol_id",): "protocols",
        ("mode",): "implementations",
        ("copy_of",): "runs",
    },
    "presence": {**_RUN, ("source", "from_revision"): "revisions", ("source", "until_revision"): "revisions"},
    "interop": {**_RUN, **_SOURCE, ("source", "revision"): "revisions"},
    "staleness": _RUN,
    "baselines": _RUN,
    "noise": _RUN,
    "removals": _RUN,
    "leaderboard": {**_RUN, **_COHORT},
    "last_places": {**_RUN, **_COHORT},
    "record_history": {**_RUN, ("previous_run_id",): "runs", **_COHORT},
    "record_events": {("cohort_id", "position"): "record_history"},
    "record_holders": {**_RUN, ("next_run_id",): "runs"},
    "records": {**_RUN, **_COHORT},
    "headroom_v1": {**_RUN, ("cohort_id",): "records"},
    "headroom_v2": {**_RUN, ("cohort_id",): "records"},
    "baseline_history": {**_RUN, ("previous_run_id",): "runs", ("environment_id",): "environments"},
    "repeatability": {("environment_id",): "environments"},
    "binding_doubts": _SOURCE,
    "coverage": _RUN,
}
"""By table or view: the columns that name a row, and where that is. They stand in the order of the key there."""


def references(name: str) -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """Of a table or view: columns, the table whose row they name, and the columns of its key."""
    return [(columns, target, OBJECTS[target].key) for columns, target in REFERENCES.get(name, {}).items()]
