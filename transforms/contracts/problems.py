"""Problem modules: what each declares, when its code changed and how."""

from __future__ import annotations

from transforms.contracts.columns import HEX64, integer, text
from transforms.contracts.contract import contract
from transforms.contracts.fields import FIELDS

PROBLEMS = contract(
    "problems",
    "table",
    "A problem module at the head of a source: what would be measured now. Grain: source, level, problem.",
    "source",
    "level",
    "problem",
    "title",
    "family",
    "path",
    "blob",
    FIELDS["workload_id"].but("The workload it would be", null="the module cannot be read"),
    FIELDS["code_digest"].but(null="cannot be parsed"),
    FIELDS["compute_digest"].but(null="cannot be read"),
    text("unreadable_reason", "Why the module cannot be read", null="it can"),
    text("unreadable_detail", "The reason in words.", null=""),
    key=("source", "level", "problem"),
)

PROBLEM_VERSIONS = contract(
    "problem_versions",
    "table",
    "What code each problem had from commit to commit: a row whenever it changed. Grain: problem, first commit.",
    "source",
    "level",
    "problem",
    FIELDS["from_position"].but(
        "Position of the first revision with this code; a head that is no revision follows the last."
    ),
    FIELDS["from_revision"].but("The first commit that has this code."),
    "from_at",
    FIELDS["code_digest"].but(null="cannot be parsed, or gone"),
    FIELDS["compute_digest"].but(null="cannot be read, or gone"),
    FIELDS["workload_id"].but(null="cannot be read, or gone"),
    FIELDS["present"].but("Whether there is a module; false: from here on it is gone."),
    key=("source", "level", "problem", "from_position"),
)

PROBLEM_CODES = contract(
    "problem_codes",
    "table",
    "What one exact code of one problem declares, measured or not. Grain: level, problem, code digest.",
    "workload_id",
    "level",
    "problem",
    "code_digest",
    "compute_digest",
    "inputs",
    "axes",
    "scalars",
    text("init", "Constructor arguments in order, as JSON."),
    text("dtype", "Of the inputs; several are joined by a plus sign."),
    key=("workload_id",),
)

WORKLOADS = contract(
    "workloads",
    "table",
    "One exact code of one problem that was measured, and what it computes on. Grain: level, problem, code digest.",
    FIELDS["workload_id"].but("SHA-256 over level, file name and code digest."),
    "level",
    "problem",
    "title",
    "family",
    "code_digest",
    "compute_digest",
    "inputs",
    "axes",
    "scalars",
    PROBLEM_CODES["init"],
    PROBLEM_CODES["dtype"],
    text("output", "The output: its shape follows the module, so it is one symbolic axis."),
    text("axis_kind", "Kind of the named axes: variable, an operation holds for any size."),
    text("determinism", "What the module promises of repeated results."),
    text("constraints", "What an implementation must keep to."),
    "flops",
    "parameter_bytes",
    "input_bytes",
    "output_bytes",
    "not_traced",
    key=("workload_id",),
)

PINNED_PROBLEMS = contract(
    "pinned_problems",
    "table",
    "A readable module at the newest revision: what its interoperable digests are made of. Grain: source, problem.",
    "source",
    FIELDS["revision"].but("The pin: the newest revision of the source."),
    "level",
    "problem",
    "path",
    text("module_sha256", "SHA-256 of the module's bytes.", matches=HEX64),
    integer("module_size_bytes", "Bytes of the module.", ge=0),
    "inputs",
    FIELDS["axes"].but("Sizes of the named axes as JSON, in order of use."),
    FIELDS["scalars"].but("Numeric constructor arguments by name as JSON, in order."),
    key=("source", "level", "problem"),
)

WORKLOAD_CHANGES = contract(
    "workload_changes",
    "derived",
    "What differs between two codes of one problem. Grain: ordered pair of its codes, measured or not.",
    FIELDS["workload_id"].but("The one code."),
    text("other_workload_id", "The other code; every pair stands in both orders."),
    "level",
    "problem",
    text(
        "change",
        "The first that holds: inputs_redrawn (the same computation on the same shapes), inputs_changed (shapes, "
        "dtypes or constructor arguments, whatever else), computation_changed (the rest of the computation alone).",
        one_of=["inputs_redrawn", "inputs_changed", "computation_changed"],
    ),
    key=("workload_id", "other_workload_id"),
)

CONTRACTS = (PROBLEMS, PROBLEM_VERSIONS, PROBLEM_CODES, WORKLOADS, PINNED_PROBLEMS, WORKLOAD_CHANGES)
