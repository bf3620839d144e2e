"""Sources, their revisions and files, what they declare, what was refused of them, and when they were checked."""

from __future__ import annotations

from transforms.contracts.columns import flag, integer, moment, number, text
from transforms.contracts.contract import contract
from transforms.contracts.fields import FIELDS

SOURCES = contract(
    "sources",
    "table",
    "A lineage of figures: one repository's ref or one folder, whichever way it was fetched. Grain: source.",
    FIELDS["source"].but("Name of the lineage: owner/repo, or owner/repo@ref."),
    "url",
    "head",
    moment("head_at", "Committer date of the head (UTC)."),
    "newest_revision",
    "newest_revision_at",
    integer("revisions", "How many revisions are known.", ge=1),
    FIELDS["requirements_torch"].but("PyTorch that the requirements declare at the head, as written.", null=""),
    FIELDS["readme_torch"].but("PyTorch that the README of the timings declares at the head.", null=""),
    FIELDS["readme_cuda"].but("CUDA that the README of the timings declares at the head.", null=""),
    FIELDS["harness_digest"].but("Digest of the timing scripts at the head", null="there are none"),
    text("licence", "SPDX name of the licence of its figures, as far as the registry knows it", null="not known"),
    text("copyright", "Whose figures they are, by that licence", null="not known"),
    key=("source",),
)

REVISIONS = contract(
    "revisions",
    "table",
    "A first-parent commit that changed something under results/timing. Grain: source, revision.",
    "source",
    "revision",
    FIELDS["position"].but(null="not reachable any more"),
    FIELDS["reachable"].but("False: the branch was rewritten and does not contain it any more."),
    moment("unreachable_since", "When an ingest noticed that it is not reachable any more (UTC)", null="it is"),
    moment("committed_at", "Committer date (UTC): when the branch began to show it."),
    integer("timing_files", "Timing files it shows.", ge=0),
    integer("problem_modules", "Problem modules it shows.", ge=0),
    "requirements_torch",
    "readme_torch",
    "readme_cuda",
    "harness_digest",
    key=("source", "revision"),
    order=("source", "position", "committed_at", "revision"),
)

FILES = contract(
    "files",
    "table",
    "A version of a timing file or problem module at a path. Grain: source, path, blob.",
    "source",
    "path",
    "blob",
    text("kind", "timing or module.", one_of=["timing", "module"]),
    FIELDS["host"].but(null="a module"),
    FIELDS["mode"].but(null="a module"),
    FIELDS["level"].but(null="a timing file"),
    FIELDS["problem"].but(null="a timing file"),
    "first_revision",
    "last_revision",
    FIELDS["present"].but("Shown by the newest revision (a timing file) or by the head (a module)."),
    "reachable",
    key=("source", "path", "blob"),
)

QUARANTINE = contract(
    "quarantine",
    "table",
    "Something refused, with the reason: an entry, or (problem_key null) a whole file. Grain: "
    "source, host, mode, level, problem_key, reason.",
    "source",
    FIELDS["host"].but(null=""),
    FIELDS["mode"].but(null=""),
    text("level", "Level key as written", null="a whole file"),
    text("problem_key", "Problem key as written", null="a whole file"),
    text("reason", "The first reason that applies (docs/reading.md lists them)."),
    "first_revision",
    "last_revision",
    "present",
    FIELDS["path"].but("File in which it was last seen.", null=""),
    text("detail", "The reason in words, with the offending values.", null=""),
    text("raw", "What was refused, as written, cut to 2,000 characters.", null=""),
    key=("source", "host", "mode", "level", "problem_key", "reason"),
)

INGESTS = contract(
    "ingests",
    "table",
    "The log of ingests that changed something. Grain: ingest.",
    text("ingest_id", "Start time and process."),
    "source",
    moment("started_at", "Start (UTC)."),
    moment("finished_at", "When the new database was ready to be published (UTC)."),
    number("seconds", "Between the two.", ge=0),
    "head",
    flag("rebuilt", "Whether the whole database was made again from landing."),
    integer("revisions_new", "Revisions not known before.", ge=0),
    integer("requests", "Requests sent to the source; none for one on the same machine.", ge=0),
    integer("blobs_fetched", "Blobs that had not landed before.", ge=0),
    integer("files_read", "Timing files read, each content once.", ge=0),
    integer("files_refused", "Timing files refused, each content once.", ge=0),
    integer("runs", "Runs of the source afterwards.", ge=0),
    integer("runs_present", "Of these, present.", ge=0),
    integer("runs_new", "Runs not known before.", ge=0),
    integer("runs_withdrawn", "Runs present before and no longer.", ge=0),
    integer("runs_stale", "Present runs of the source that were stale then", null="not counted", ge=0),
    integer("revisions_unreachable", "Revisions no longer reachable: the branch was rewritten.", ge=0),
    integer("runs_unreachable", "Runs that are no longer reachable for it; they are kept.", ge=0),
    integer("entries_refused", "Entries of the source in quarantine afterwards.", ge=0),
    text("step_seconds", "Seconds of each step before publishing, as JSON."),
    key=("ingest_id",),
)

DECLARED_SOFTWARE = contract(
    "declared_software",
    "derived",
    "What a repository declared at each commit: declared, never measured. Grain: source, revision.",
    "source",
    FIELDS["position"].but(
        "Its place in the lineage; a head that is no revision is last", null="not reachable any more"
    ),
    "revision",
    "requirements_torch",
    "readme_torch",
    "readme_cuda",
    "toolchain_conflict",
    "toolchain",
    "harness_digest",
    "harness_l2_cleared",
    key=("source", "revision"),
    order=("source", "position", "revision"),
)

SOURCE_HEALTH = contract(
    "source_health",
    "view",
    "When each source was last checked, by the heartbeat that the session knows. Grain: source.",
    FIELDS["source"].but("Lineage: published, or only tried so far."),
    text(
        "status",
        "By the hours since the last check that succeeded: fresh, due (more than "
        "due_after_hours), stale (more than stale_after_hours, or none ever succeeded); failing: not stale yet, but "
        "the last check failed; unknown: the session knows no heartbeat of it, or it was checked in the future.",
        one_of=["fresh", "due", "failing", "stale", "unknown"],
    ),
    moment("checked_at", "Last check that succeeded (UTC)", null="none, or not known"),
    moment("changed_at", "Last check that found something new (UTC).", null=""),
    moment("due_at", "When the next check is due (UTC).", null=""),
    FIELDS["newest_revision"].but(null="not published"),
    FIELDS["newest_revision_at"].but(null="not published"),
    integer("files_present", "Timing files that the newest revision shows.", ge=0),
    integer("files_refused", "Of these, those refused as a whole.", ge=0),
    integer("requests", "Requests sent for the last check that succeeded", null="none did", ge=0),
    text("last_error", "What the last check failed with", null="it succeeded"),
    moment("failed_at", "When it failed (UTC).", null=""),
    number("due_after_hours", "Hours after a check until the next is due.", null=""),
    number("stale_after_hours", "Hours after a check from which on silence is no longer borne.", null=""),
    key=("source",),
)

CONTRACTS = (SOURCES, REVISIONS, FILES, QUARANTINE, INGESTS, DECLARED_SOFTWARE, SOURCE_HEALTH)
