"""Measuring again: versions of a figure, how far they disagree, and what was not measured."""

from __future__ import annotations

from transforms.contracts.columns import flag, integer, number, text
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
    "How far repeated measurements of equal code disagree. Grain: environment (source, host, GPU).",
    "environment_id",
    "source",
    "host",
    "hardware",
    "product",
    integer("pairs", "Versions whose reason is measured_again, each with the version before it.", ge=0),
    integer(
        "pairs_redeclared",
        "Of these, with other software or timing scripts declared then, or with it in conflict.",
        ge=0,
    ),
    integer("beyond_interval", "Of the pairs, those whose 95 % intervals, widened by rounding, do not overlap.", ge=0),
    number("share_beyond_interval", "Their share; intervals promise 0.05 or so.", null=""),
    number("median_change", "Median of the greater mean over the smaller, less 1", null="no pair", ge=0),
    number("p90_change", "Its 90th percentile, by linear interpolation", null="no pair", ge=0),
    number("max_change", "Its greatest", null="no pair", ge=0),
    text(
        "limit_basis",
        "What limit_ratio rests on: 30 pairs or more of this host and GPU, else of all hosts of the source",
        null="fewer",
        one_of=["host", "all hosts"],
    ),
    integer("limit_pairs", "How many pairs that are.", null="", ge=30),
    number(
        "limit_ratio", "1 + the 90th percentile of their change: a margin above it is worth trusting.", null="", ge=1
    ),
    key=("environment_id",),
)

COVERAGE = contract(
    "coverage",
    "view",
    "For what a problem's code at head was measured on, and for what not. Grain: source, problem, GPU, mode.",
    FIELDS["source"].but("Lineage: its problems at head, every GPU and every mode that it reported."),
    "level",
    "problem",
    "title",
    "family",
    FIELDS["hardware"].but("GPU as reported: form factors and memory sizes are told apart."),
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
    FIELDS["host"].but("Host of that run", null="not measured"),
    FIELDS["mean_ns"].but("Mean of that run in ns", null="not measured"),
    FIELDS["observed_at"].but("When that run first appeared (UTC)", null="not measured"),
    FIELDS["present"].but("Whether that run is present", null="not measured"),
    FIELDS["withdrawn_at"].but("When that run was taken away (UTC)", null="it is present, or not measured"),
    integer(
        "gap_rank",
        "Place among the gaps of its source, the most useful first: modes, then GPUs, of which "
        "most is present; not_measured, withdrawn, equivalent",
        null="measured",
        ge=1,
    ),
    text("command", "KernelBench's command that would fill it", null="measured, or the host has no name"),
    key=("source", "level", "problem", "hardware", "mode"),
)

CONTRACTS = (BASELINE_HISTORY, REPEATABILITY, COVERAGE)
