"""Measuring again: versions of a figure, how far they disagree, and what was not measured."""

from __future__ import annotations

from transforms.contracts.columns import flag, integer, number, text, texts
from transforms.contracts.contract import contract
from transforms.contracts.fields import FIELDS

BASELINE_HISTORY = contract(
    "baseline_history",
    "derived",
    "Each version of a figure, how it differs from the one before, and why. Grain: figure's place, version.",
    "source",
    "host",
    "hardware",
    "mode",
    "level",
    "problem",
    integer("version", "From 1 in the order in which they were present, a new one for each interval.", ge=1),
    "run_id",
    text("previous_run_id", "The version before", null="the first"),
    "environment_id",
    FIELDS["workload_id"].but("What was measured", null="no readable module"),
    "mean_ns",
    "ci95_low_ns",
    "ci95_high_ns",
    "rounding_ns",
    "num_trials",
    "from_position",
    "from_revision",
    "from_at",
    "until_position",
    "until_revision",
    "until_at",
    "present",
    integer("previous_mean_ns", "Mean of the version before in ns", null="the first", gt=0),
    number("ratio", "Mean over the mean of the version before: above 1 it got slower", null="the first", gt=0),
    text(
        "reason",
        "Why there is a new version: measured_again (equal code), inputs_redrawn, inputs_changed, computation_changed "
        "(see workload_changes), returned (the run itself was present before and was put back)",
        null="the first version, or a module is missing",
        one_of=["measured_again", "inputs_redrawn", "inputs_changed", "computation_changed", "returned"],
    ),
    flag("beyond_interval", "The two 95 % intervals, widened by rounding, do not overlap", null="the first"),
    integer("gap_days", "Days for which nothing was present in between", null="no revision without it"),
    "toolchain",
    "toolchain_conflict",
    "requirements_torch",
    "readme_torch",
    "readme_cuda",
    "harness_digest",
    "harness_l2_cleared",
    text("previous_toolchain", "The same of the version before.", null=""),
    flag("previous_toolchain_conflict", "The same of the version before.", null=""),
    text("previous_requirements_torch", "The same of the version before.", null=""),
    text("previous_readme_torch", "The same of the version before.", null=""),
    text("previous_readme_cuda", "The same of the version before.", null=""),
    text("previous_harness_digest", "The same of the version before.", null=""),
    flag("previous_harness_l2_cleared", "The same of the version before.", null=""),
    key=("source", "host", "hardware", "mode", "level", "problem", "version"),
)

REPEATABILITY = contract(
    "repeatability",
    "view",
    "How far repeated measurements of equal code disagree. Grain: environment, class of duration.",
    "environment_id",
    "source",
    "host",
    "host_title",
    "hardware",
    "gpu",
    "product",
    text(
        "duration_class",
        "How long the earlier figure of a pair takes, coarsely.",
        one_of=["below 0.1 ms", "0.1 to 1 ms", "1 to 10 ms", "above 10 ms"],
    ),
    integer("pairs", "Two measurements of equal code on one machine in one mode.", ge=0),
    integer(
        "sessions", "Distinct pairs of commits, or of folders declared to be one machine, that they come from.", ge=0
    ),
    integer("beyond_interval", "Of the pairs, those that differ by more than intervals and rounding explain.", ge=0),
    number("share_beyond_interval", "Their share; intervals promise 0.05 or so.", null=""),
    number("median_log_ratio", "Median of |ln(one mean / the other)|", null="no pair", ge=0),
    number("p90_log_ratio", "Its 90th percentile, by linear interpolation", null="no pair", ge=0),
    number("max_log_ratio", "Its greatest", null="no pair", ge=0),
    text(
        "limit_basis",
        "What limit_ratio rests on: 30 pairs or more of 2 sessions or more of this environment, else of this GPU, "
        "else of all, each of this class",
        null="fewer",
        one_of=["environment", "GPU", "all"],
    ),
    integer("limit_pairs", "How many pairs that are.", null="", ge=30),
    integer("limit_sessions", "How many sessions that are.", null="", ge=2),
    number(
        "limit_ratio",
        "e to the 90th percentile of their log_ratio: a margin above it is clear of what sessions show.",
        null="",
        ge=1,
    ),
    key=("environment_id", "duration_class"),
)

BINDING_DOUBTS = contract(
    "binding_doubts",
    "derived",
    "How many figures of a version of a timing file are faster than the hardware, under the code beside it. "
    "Grain: version with figures of its own.",
    "source",
    "host",
    "mode",
    FIELDS["path"].but("The timing file."),
    FIELDS["blob"].but("Git id of the version."),
    integer("figures", "Figures that first appeared in it, copies aside, of known code.", ge=1),
    integer("figures_costed", "Of these, those whose floor is known.", ge=0),
    integer("figures_below_floor", "Of these, those that lie below it.", ge=0),
    flag("doubtful", "At least 20 lie below, and at least a tenth of those whose floor is known."),
    key=("source", "host", "mode", "path", "blob"),
)

COVERAGE = contract(
    "coverage",
    "view",
    "For what a computation at head was measured on, and for what not. Grain: problem, computation, GPU, mode.",
    "level",
    "problem",
    "problem_number",
    text("computation", "Compute digest; where that is not known, code digest", null="the module is not Python"),
    "title",
    "family",
    texts("sources", "Lineages whose head shows it."),
    FIELDS["hardware"].but("GPU: form factors and memory sizes are told apart."),
    FIELDS["gpu"].but(),
    "vendor",
    "product",
    "form_factor",
    "memory_gb",
    "mode",
    "implementation",
    text(
        "status",
        "The first that holds, of eligible runs: measured (of the code at head, present), "
        "equivalent (of other code with equal computation, present or withdrawn), withdrawn (of "
        "the code at head, no longer shown), not_measured.",
        one_of=["measured", "equivalent", "withdrawn", "not_measured"],
    ),
    FIELDS["run_id"].but("The run it rests on: the latest observed, then the fastest", null="not measured"),
    FIELDS["source"].but("Lineage of that run", null="not measured"),
    FIELDS["host"].but("Host of that run", null="not measured"),
    FIELDS["mean_ns"].but("Mean of that run in ns", null="not measured"),
    FIELDS["observed_at"].but("When that run first appeared (UTC)", null="not measured"),
    FIELDS["present"].but("Whether that run is present", null="not measured"),
    FIELDS["withdrawn_at"].but("When that run was taken away (UTC)", null="it is present, or not measured"),
    integer(
        "gap_rank",
        "Place among the gaps, the most useful first: modes, then GPUs, of which "
        "most is present; not_measured, withdrawn, equivalent",
        null="measured",
        ge=1,
    ),
    text("command", "KernelBench's command that would fill it", null="measured, or the host has no name"),
    key=("level", "problem", "computation", "hardware", "mode"),
)

CONTRACTS = (BASELINE_HISTORY, REPEATABILITY, BINDING_DOUBTS, COVERAGE)
