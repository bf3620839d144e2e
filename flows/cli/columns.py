"""Columns of tables that several commands show, or that are built of the same parts."""

from __future__ import annotations

from flows.cli.render import Column, Row, count, day, duration, interval, ratio, text

PROBLEM = Column("problem", lambda row: problem_name(row), whole=True)
HOST = Column("host", lambda row: str(row["host"]))
GPU = Column("GPU", lambda row: str(row["gpu"]))
MODE = Column("mode", lambda row: str(row["mode"]))
SOURCE = Column("source", lambda row: str(row["source"]))
IMPLEMENTATION = Column("implementation", lambda row: str(row["implementation"]))
HELD_BY = Column("held by", lambda row: str(row["implementation"]))
MEAN = Column("mean", lambda row: duration(row["mean_ns"]), right=True)
INTERVAL = Column("mean, 95 % interval", lambda row: interval(row["mean_ns"], row["ci95_half_ns"]), right=True)
VERSUS_EAGER = Column("vs eager", lambda row: ratio(row["vs_baseline"]), right=True)
OBSERVED = Column("observed", lambda row: day(row["observed_at"]))

RECORDS = (
    PROBLEM,
    HOST,
    Column("GPU", lambda row: str(row["product"] or row["hardware"] or "not reported")),
    HELD_BY,
    INTERVAL,
    VERSUS_EAGER,
    Column("margin", lambda row: ratio(row["margin_ratio"]), right=True),
    Column("clear", lambda row: "" if row["clear"] is None else "yes" if row["clear"] else "no"),
    OBSERVED,
    Column("stale", lambda row: ", ".join(row["stale_reasons"])),
)
"""The rows of ``sql/queries/records.sql``."""

HEALTH = (
    Column("source", lambda row: str(row["source"]), whole=True),
    Column("health", lambda row: str(row["status"])),
    Column("looked at (UTC)", lambda row: text(row["checked_at"])),
    Column("changed", lambda row: text(row["changed_at"])),
    Column("next due", lambda row: text(row["due_at"])),
    Column("newest revision", lambda row: day(row["newest_revision_at"])),
    Column("files", lambda row: count(row["files_present"]), right=True),
    Column("refused", lambda row: count(row["files_refused"]), right=True),
    Column("requests", lambda row: text(row["requests"]), right=True),
    Column("last error", lambda row: str(row["last_error"] or "")),
)
"""The rows of ``sql/queries/source_health.sql``."""


def problem_name(row: Row) -> str:
    """``level3/28_VisionTransformer``."""
    return f"{row['level']}/{row['problem'].removesuffix('.py')}"


def gpu_name(row: Row) -> str:
    """``NVIDIA A100 SXM4 40 GB``: enough to tell cards of one product apart."""
    if row["product"] is None:
        return str(row["hardware"] or "GPU not reported")
    return " ".join(str(part) for part in (row["product"], row["form_factor"], f"{row['memory_gb']} GB") if part)
