"""Columns that several contracts share: each described once, for all of them.

A contract names them; where a column means something else in one table, or may be null there, it says so in place
(``FIELDS["host"].but(null="a module")``). What only the contracts of one module share stands in the first of them.
"""

from __future__ import annotations

from transforms.contracts.columns import HEX40, HEX64, Column, flag, integer, moment, number, text, texts

_LEVEL = r"^level[\s\S]*$"
_PROBLEM = r"^\d+_[\s\S]*\.py$"

_SHARED = (
    # Where it comes from
    text("source", "Lineage.", shortest=1),
    text("url", "Where a person can look at the lineage", null="a folder"),
    text("head", "Newest commit of the lineage's ref: its modules say whether a problem has changed."),
    text("newest_revision", "Newest revision: what is present is present there."),
    moment("newest_revision_at", "Committer date of the newest revision (UTC)."),
    text("revision", "Commit id, or content digest of a folder."),
    integer("position", "Its place in the lineage, oldest first, from 0.", ge=0),
    text("first_revision", "First revision that shows it."),
    text("last_revision", "Last revision that shows it."),
    integer("from_position", "Position of the first revision that shows it.", ge=0),
    text("from_revision", "The first revision that shows it."),
    moment("from_at", "Committer date of that revision (UTC)."),
    integer("until_position", "Position of the first revision that no longer shows it", null="it is present", gt=0),
    text("until_revision", "The first revision that no longer shows it", null="it is present"),
    moment("until_at", "Committer date of that revision (UTC)", null="it is present"),
    text("path", "Path in the repository."),
    text("blob", "Git id of its bytes.", matches=HEX40),
    flag("present", "Shown by the newest revision of its source."),
    flag("reachable", "False: the branch was rewritten, and no revision that it still contains shows it."),
    # What the repository declares
    text("requirements_torch", "PyTorch that the requirements declare, as written: never measured.", null=""),
    text("readme_torch", "PyTorch that the README of the timings declares.", null=""),
    text("readme_cuda", "CUDA that the README of the timings declares.", null=""),
    text("harness_digest", "Digest of the timing scripts", null="there are none", matches=HEX64),
    flag("harness_l2_cleared", "Whether the timing scripts clear the L2 cache between trials", null="not known"),
    text("toolchain", "Software declared, PyTorch and CUDA in one", null="none is named, or in conflict"),
    flag("toolchain_conflict", "Requirements and README name different versions of PyTorch: which is used is unknown."),
    # What was measured
    text("level", "Level folder.", matches=_LEVEL),
    text("problem", "File name of the problem.", matches=_PROBLEM),
    integer("problem_number", "The number with which that name begins", null="too long a one", ge=0),
    text("title", "The problem in words: its file name without number and ending."),
    text("family", "Family of operations, by the problem's name."),
    text("workload_id", "Workload: one exact code of one problem.", matches=HEX64),
    text(
        "code_digest", "Digest of the code without comments and docstrings: equal means the same code.", matches=HEX64
    ),
    text("compute_digest", "Digest of what is computed on which shapes: equal means equivalent work.", matches=HEX64),
    text("inputs", "Inputs as JSON, in order: name, dtype, shape of axis names and sizes."),
    text("axes", "Sizes of the named axes, as JSON."),
    text("scalars", "Numeric constructor arguments by name, as JSON."),
    integer("flops", "Floating-point operations of one forward pass, a multiply-add as two", null="not traced", ge=0),
    integer("parameter_bytes", "Bytes of parameters and buffers", null="not traced", ge=0),
    integer("input_bytes", "Bytes of the inputs", null="not traced", ge=0),
    integer("output_bytes", "Bytes of the outputs", null="not traced", ge=0),
    text("not_traced", "Why there are no costs: the error that ended tracing, or never tried", null="there are"),
    # Where and how
    text("environment_id", "Where it was measured: source, host and GPU.", matches=HEX64),
    text("protocol_id", "How it was measured.", matches=HEX64),
    text("host", "Host folder: a machine, or a provider's pool of them."),
    text("host_title", "The host in words."),
    text("mode", "How the module was run, as the timing file's name says it: torch is eager, the baseline."),
    text("implementation", "The mode in words."),
    text("precision", "Number format as the entry, its file or its mode tells", null="as the module says"),
    flag("is_baseline", "Whether the others of a cohort are compared with it: eager."),
    text("hardware", "GPU as reported", null="not reported"),
    text("gpu", "GPU in a word, without the maker: H100, RTX 4090", null="neither reported nor known"),
    text("vendor", "GPU vendor", null="not in the registry"),
    text("product", "GPU product", null="not in the registry"),
    text("form_factor", "How the GPU is built in: SXM5, PCIe, ...", null="not known, or the report fits several"),
    text("architecture", "Compute architecture, e.g. sm_90", null="not in the registry"),
    integer("memory_gb", "GPU memory in GB", null="not in the registry", gt=0),
    number("dram_gb_per_s", "Datasheet memory bandwidth in 10^9 B/s.", null="", gt=0),
    number("last_cache_mb", "Last cache before memory in MB: L2, or the larger one behind it (AMD).", null="", gt=0),
    number("fp32_tflops", "Datasheet peak fp32 in 10^12 operations/s, no tensor cores.", null="", gt=0),
    number("tf32_tflops", "Datasheet peak TF32 in 10^12 operations/s, dense", null="none", gt=0),
    # The figures
    text("run_id", "The run; join with runs or baselines.", matches=HEX64),
    text("cohort_id", "Cohort: same workload, environment and protocol.", matches=HEX64),
    moment("observed_at", "Committer date of the revision where the figures first appeared (UTC)."),
    integer("mean_ns", "Mean of the trials in ns: the figure that ranks.", gt=0),
    integer(
        "ci95_low_ns",
        "Low end of the mean's 95 % interval in ns: mean - 1.96 std/sqrt(n), not below the minimum.",
        gt=0,
    ),
    integer("ci95_high_ns", "High end of the mean's 95 % interval in ns.", gt=0),
    integer("rounding_ns", "Half-width in ns of the interval that the rounded mean stands for.", ge=0),
    integer("num_trials", "Trials.", gt=0),
    # How it ranks, and whether it can be trusted
    integer(
        "rank", "Place in its cohort by mean, from 1; equal means: the earlier observed, then the mode's name.", ge=1
    ),
    integer("rank_shared", "Rank (1, 1, 2) that runs share whose intervals, widened by rounding, all overlap.", ge=1),
    integer("cohort_size", "Runs that stand in the cohort.", ge=1),
    number("vs_first", "Mean over the first's mean.", ge=1),
    number("vs_baseline", "Eager mean over mean: how many times faster than eager", null="no eager run stands", gt=0),
    integer("age_days", "Days since it was observed."),
    flag("stale", "Whether there is any reason not to trust it."),
    text(
        "severity",
        "Of the gravest reason: error (it does not answer for today's code), warn (it may not), note (it is old)",
        null="none",
        one_of=["error", "warn", "note"],
    ),
    texts("stale_reasons", "The reasons; see staleness."),
    moment("withdrawn_at", "When it was last taken away (UTC)", null="it is present, or never was"),
)

FIELDS: dict[str, Column] = {one.name: one for one in _SHARED}
"""By name."""
