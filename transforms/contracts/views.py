"""What SQL derives: one contract per derived table and view (DESIGN.md section 10).

They are not validated row by row before publishing (the checks in ``sql/checks`` do that); a test holds their columns,
types and keys to what is written here.
"""

from __future__ import annotations

import pandera.polars as pa
import polars as pl

from transforms.contracts.tables import TABLES, Table, Texts, Time

_RUN = "The run; join with runs or baselines."
_COHORT = "Cohort: same workload, environment and protocol."


class Leaderboard(Table):
    """The runs that stand now, ranked within their cohort. Grain: present, eligible run."""

    cohort_id: pl.String = pa.Field(description=_COHORT)
    run_id: pl.String = pa.Field(unique=True, description=_RUN)
    rank: pl.Int64 = pa.Field(
        ge=1, description="Place by mean, from 1; equal means: the earlier observed, then the mode's name."
    )
    rank_shared: pl.Int64 = pa.Field(
        ge=1, description="Rank (1, 1, 2) that runs share whose intervals, widened by rounding, all overlap."
    )
    cohort_size: pl.Int64 = pa.Field(ge=1, description="Runs that stand in the cohort.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean of the trials in ns.")
    low_ns: pl.Int64 = pa.Field(description="Low end of the 95 % interval, less rounding, in ns.")
    high_ns: pl.Int64 = pa.Field(description="High end of the 95 % interval, plus rounding, in ns.")
    vs_first: pl.Float64 = pa.Field(ge=1, description="Mean over the first's mean.")
    vs_baseline: pl.Float64 = pa.Field(
        nullable=True, gt=0, description="Eager mean over mean: how many times faster than eager; null: no eager run."
    )

    class Config:
        """Cohort by cohort, the first of each first."""

        metadata = {"order": ["cohort_id", "rank"]}


class RecordHistory(Table):
    """How the record of each cohort moved. Grain: revision at which the leader of a cohort changed."""

    cohort_id: pl.String = pa.Field(description=_COHORT)
    position: pl.Int64 = pa.Field(ge=0, description="Position of the revision in its source.")
    revision: pl.String = pa.Field(description="Revision at which the leader changed.")
    at: Time = pa.Field(description='Committer date of the revision (UTC); a reserved word: write it as "at".')
    cause: pl.String = pa.Field(
        isin=["first", "faster", "remeasured", "holder_gone", "problem_changed", "withdrawn", "returned"],
        description="first; faster (the old holder still stands, another beats it); remeasured (the holder's mode has "
        "new figures); holder_gone (its mode is gone, another leads); problem_changed (no run is left, the host's "
        "figures now belong to other code); withdrawn (no run is left); returned.",
    )
    run_id: pl.String = pa.Field(nullable=True, description="The new holder; null: nothing stands any more.")
    previous_run_id: pl.String = pa.Field(nullable=True, description="The last holder before; null: the first.")
    mean_ns: pl.Int64 = pa.Field(nullable=True, gt=0, description="Mean of the new holder in ns.")
    previous_mean_ns: pl.Int64 = pa.Field(nullable=True, gt=0, description="Mean of the last holder before in ns.")
    improvement: pl.Float64 = pa.Field(
        nullable=True, lt=1, description="1 - new mean / old mean; negative: the record got slower; null: no pair."
    )

    class Config:
        """Keyed by cohort and position."""

        unique = ["cohort_id", "position"]


class RecordHolders(Table):
    """Who holds each cohort, and how far ahead: what of records does not depend on the clock. Grain: cohort."""

    cohort_id: pl.String = pa.Field(unique=True, description=_COHORT)
    run_id: pl.String = pa.Field(
        unique=True, description="Its holder: of the present runs, or, where none is present, the last."
    )
    present: pl.Boolean = pa.Field(description="Whether a run of the cohort stands now.")
    held_since: Time = pa.Field(description="When it last became the holder (UTC).")
    lead_changes: pl.Int64 = pa.Field(ge=0, description="How often the lead passed from one run to another.")
    next_run_id: pl.String = pa.Field(
        nullable=True, description="The next of those that stand, or that stood beside it last; null: alone."
    )
    margin_ratio: pl.Float64 = pa.Field(nullable=True, ge=1, description="Next mean / holder's mean; null: alone.")
    clear: pl.Boolean = pa.Field(
        nullable=True, description="No other interval, widened by rounding, overlaps the holder's; null: alone."
    )


class Staleness(Table):
    """May this figure still be trusted? Depends on the clock. Grain: run."""

    run_id: pl.String = pa.Field(unique=True, description=_RUN)
    age_days: pl.Int64 = pa.Field(description="Days since it was observed.")
    stale: pl.Boolean = pa.Field(description="Whether there is any reason.")
    reasons: Texts = pa.Field(
        description="unreachable (the branch was rewritten), withdrawn (no longer shown), problem_changed (the code at "
        "head is not the code measured), toolchain_changed and harness_changed (declared otherwise at head than then), "
        "age (older than meta.stale_after_days), source_unchecked (its source was not looked at within "
        "stale_after_hours of source_health, or never; only where the session knows the heartbeat)."
    )
    equivalent: pl.Boolean = pa.Field(
        nullable=True,
        description="Where the problem changed: whether the head still computes the same on the same shapes.",
    )
    change: pl.String = pa.Field(
        nullable=True,
        isin=["inputs_redrawn", "inputs_changed", "computation_changed", "gone"],
        description="Where the problem changed: how, as in workload_changes; gone: no such module at head any more; "
        "null: it did not, or a module cannot be read.",
    )
    withdrawn_at: Time = pa.Field(nullable=True, description="When it was taken away (UTC); null while it stands.")


class Records(Table):
    """Who holds each cohort now. Grain: cohort."""

    cohort_id: pl.String = pa.Field(unique=True, description=_COHORT)
    run_id: pl.String = pa.Field(unique=True, description="The holder, or the last one where none is present.")
    source: pl.String = pa.Field(description="Lineage.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported.")
    product: pl.String = pa.Field(nullable=True, description="GPU product.")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    title: pl.String = pa.Field(description="The problem in words.")
    family: pl.String = pa.Field(description="Family of operations.")
    mode: pl.String = pa.Field(description="Mode of the holder.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean in ns.")
    ci95_low_ns: pl.Int64 = pa.Field(description="Low end of the mean's 95 % interval in ns.")
    ci95_high_ns: pl.Int64 = pa.Field(description="High end of the mean's 95 % interval in ns.")
    rounding_ns: pl.Int64 = pa.Field(description="Half-width in ns of what the rounded mean stands for.")
    num_trials: pl.Int64 = pa.Field(description="Trials.")
    observed_at: Time = pa.Field(description="When the figures first appeared (UTC).")
    held_since: Time = pa.Field(description="When it last became the holder (UTC).")
    present: pl.Boolean = pa.Field(description="Whether a run of the cohort stands now.")
    clear: pl.Boolean = pa.Field(nullable=True, description="No other interval overlaps the holder's; null: alone.")
    clear_between_sessions: pl.Boolean = pa.Field(
        nullable=True,
        description="Clear, and the margin exceeds what repeated sessions on this host and GPU show "
        "(repeatability.limit_ratio); null: alone, or too few sessions were repeated.",
    )
    margin_ratio: pl.Float64 = pa.Field(nullable=True, description="Next mean / holder's mean; null: alone.")
    next_run_id: pl.String = pa.Field(nullable=True, description="The next; null: alone.")
    lead_changes: pl.Int64 = pa.Field(description="How often the lead passed from one run to another.")
    vs_baseline: pl.Float64 = pa.Field(
        nullable=True, description="Eager mean over mean; null: no eager run stands, or nothing does."
    )
    cohort_size: pl.Int64 = pa.Field(nullable=True, description="Runs that stand in the cohort; null: none.")
    stale: pl.Boolean = pa.Field(description="Whether there is any reason not to trust the holder's figure.")
    stale_reasons: Texts = pa.Field(description="The reasons; see staleness.")
    age_days: pl.Int64 = pa.Field(description="Days since the holder was observed.")


class Baselines(Table):
    """Everything about a run in one wide row. Grain: run."""

    run_id: pl.String = pa.Field(unique=True, description="Identity of the run.")
    cohort_id: pl.String = pa.Field(nullable=True, description=_COHORT)
    source: pl.String = pa.Field(description="Lineage.")
    url: pl.String = pa.Field(nullable=True, description="Where a person can look at the source.")
    host: pl.String = pa.Field(description="Host folder.")
    host_title: pl.String = pa.Field(description="The host in words.")
    mode: pl.String = pa.Field(description="How the module was run.")
    implementation: pl.String = pa.Field(description="The mode in words.")
    is_baseline: pl.Boolean = pa.Field(description="Whether the others of its cohort are compared with it: eager.")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    title: pl.String = pa.Field(nullable=True, description="The problem in words; null: no readable module.")
    family: pl.String = pa.Field(nullable=True, description="Family of operations.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported.")
    vendor: pl.String = pa.Field(nullable=True, description="GPU vendor.")
    product: pl.String = pa.Field(nullable=True, description="GPU product.")
    form_factor: pl.String = pa.Field(nullable=True, description="SXM5, PCIe, ...")
    architecture: pl.String = pa.Field(nullable=True, description="Compute architecture.")
    memory_gb: pl.Int64 = pa.Field(nullable=True, description="GPU memory in GB.")
    mean_ns: pl.Int64 = pa.Field(description="Mean of the trials in ns.")
    std_ns: pl.Int64 = pa.Field(description="Standard deviation in ns.")
    min_ns: pl.Int64 = pa.Field(description="Fastest trial in ns.")
    max_ns: pl.Int64 = pa.Field(description="Slowest trial in ns.")
    ci95_low_ns: pl.Int64 = pa.Field(description="Low end of the mean's 95 % interval in ns.")
    ci95_high_ns: pl.Int64 = pa.Field(description="High end of the mean's 95 % interval in ns.")
    rounding_ns: pl.Int64 = pa.Field(description="Half-width in ns of what the rounded mean stands for.")
    num_trials: pl.Int64 = pa.Field(description="Trials.")
    mean_ms: pl.Float64 = pa.Field(description="Mean in milliseconds.")
    ci95_half_ms: pl.Float64 = pa.Field(description="Half-width of the mean's 95 % interval in milliseconds.")
    rank: pl.Int64 = pa.Field(nullable=True, description="Place in its cohort; null: does not stand, or not ranked.")
    rank_shared: pl.Int64 = pa.Field(nullable=True, description="Shared rank in its cohort.")
    cohort_size: pl.Int64 = pa.Field(nullable=True, description="Runs that stand in its cohort.")
    vs_first: pl.Float64 = pa.Field(nullable=True, description="Mean over the first's mean.")
    vs_baseline: pl.Float64 = pa.Field(nullable=True, description="Eager mean over mean.")
    is_record: pl.Boolean = pa.Field(description="Holds its cohort's record, or held it last.")
    observed_at: Time = pa.Field(description="When the figures first appeared (UTC).")
    first_revision: pl.String = pa.Field(description="Revision where they first appeared.")
    present: pl.Boolean = pa.Field(description="Shown by the newest revision.")
    reachable: pl.Boolean = pa.Field(description="False: the branch was rewritten and shows it no more.")
    withdrawn_at: Time = pa.Field(nullable=True, description="When it was last taken away (UTC); null: it was not.")
    intervals: pl.Int64 = pa.Field(description="In how many unbroken intervals it stood.")
    age_days: pl.Int64 = pa.Field(description="Days since it was observed.")
    stale: pl.Boolean = pa.Field(description="Whether there is a reason not to trust it.")
    stale_reasons: Texts = pa.Field(description="The reasons; see staleness.")
    equivalent: pl.Boolean = pa.Field(
        nullable=True, description="Where the problem changed: whether the head still computes the same."
    )
    change: pl.String = pa.Field(nullable=True, description="Where the problem changed: how; see staleness.")
    eligible: pl.Boolean = pa.Field(description="May hold a record.")
    ineligible_reasons: Texts = pa.Field(description="Why not.")
    flags: Texts = pa.Field(description="Worth knowing, still ranked.")
    copy_of: pl.String = pa.Field(nullable=True, description="The run of another source that it repeats.")
    inputs: pl.String = pa.Field(nullable=True, description="Inputs as JSON.")
    axes: pl.String = pa.Field(nullable=True, description="Sizes of the named axes as JSON.")
    scalars: pl.String = pa.Field(nullable=True, description="Numeric constructor arguments as JSON.")
    flops: pl.Int64 = pa.Field(nullable=True, description="Operations of one forward pass; null: not traced.")
    parameter_bytes: pl.Int64 = pa.Field(nullable=True, description="Bytes of parameters and buffers.")
    input_bytes: pl.Int64 = pa.Field(nullable=True, description="Bytes of the inputs.")
    output_bytes: pl.Int64 = pa.Field(nullable=True, description="Bytes of the outputs.")
    code_digest: pl.String = pa.Field(nullable=True, description="Code of the problem that was measured.")
    compute_digest: pl.String = pa.Field(nullable=True, description="Computation and shapes that were measured.")
    requirements_torch: pl.String = pa.Field(nullable=True, description="PyTorch declared then by the requirements.")
    readme_torch: pl.String = pa.Field(nullable=True, description="PyTorch declared then by the README.")
    readme_cuda: pl.String = pa.Field(nullable=True, description="CUDA declared then by the README.")
    harness_digest: pl.String = pa.Field(nullable=True, description="Timing scripts then.")
    harness_l2_cleared: pl.Boolean = pa.Field(
        nullable=True, description="Whether these clear the L2 cache between trials; null: not known."
    )
    path: pl.String = pa.Field(description="Timing file in which it first appeared.")
    blob: pl.String = pa.Field(description="Git id of that file.")
    environment_id: pl.String = pa.Field(description="Where it was measured.")
    workload_id: pl.String = pa.Field(nullable=True, description="What was measured.")
    protocol_id: pl.String = pa.Field(description="How it was measured.")
    source_metrics: pl.String = pa.Field(description="The figures as reported, and further keys, as JSON.")


class Coverage(Table):
    """For what a problem's code at head was measured on, and for what not. Grain: source, problem, GPU, mode."""

    source: pl.String = pa.Field(
        description="Lineage: its problems at head, every GPU and every mode that it reported."
    )
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    title: pl.String = pa.Field(description="The problem in words.")
    family: pl.String = pa.Field(description="Family of operations.")
    hardware: pl.String = pa.Field(description="GPU as reported: form factors and memory sizes are told apart.")
    vendor: pl.String = pa.Field(nullable=True, description="GPU vendor; null: not in the registry.")
    product: pl.String = pa.Field(nullable=True, description="GPU product; null: not in the registry.")
    form_factor: pl.String = pa.Field(nullable=True, description="SXM5, PCIe, ...")
    memory_gb: pl.Int64 = pa.Field(nullable=True, description="GPU memory in GB.")
    mode: pl.String = pa.Field(description="How the module is run.")
    implementation: pl.String = pa.Field(description="The mode in words.")
    status: pl.String = pa.Field(
        isin=["measured", "equivalent", "withdrawn", "not_measured"],
        description="The first that holds, of eligible runs: measured (of the code at head, standing), equivalent (of "
        "other code with equal computation, standing or withdrawn), withdrawn (of the code at head, no longer shown), "
        "not_measured.",
    )
    run_id: pl.String = pa.Field(
        nullable=True, description="The run it rests on: the latest observed, then the fastest; null: not measured."
    )
    host: pl.String = pa.Field(nullable=True, description="Host of that run.")
    mean_ns: pl.Int64 = pa.Field(nullable=True, gt=0, description="Mean of that run in ns.")
    observed_at: Time = pa.Field(nullable=True, description="When that run first appeared (UTC).")
    present: pl.Boolean = pa.Field(nullable=True, description="Whether that run stands.")
    withdrawn_at: Time = pa.Field(nullable=True, description="When that run was taken away (UTC); null: it stands.")
    gap_rank: pl.Int64 = pa.Field(
        nullable=True,
        ge=1,
        description="Place among the gaps of its source, the most useful first: modes, then GPUs, of which most "
        "stands; not_measured, withdrawn, equivalent; null: measured.",
    )
    command: pl.String = pa.Field(
        nullable=True, description="KernelBench's command that would fill it; null: measured, or the host has no name."
    )

    class Config:
        """Keyed by cell of the grid."""

        unique = ["source", "level", "problem", "hardware", "mode"]


class HeadroomV1(Table):
    """The floor under a record as the public index states it: an estimate, not evidence. Grain: cohort."""

    cohort_id: pl.String = pa.Field(unique=True, description=_COHORT)
    run_id: pl.String = pa.Field(description="The holder, or the last one where none is present.")
    source: pl.String = pa.Field(description="Lineage.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported; its datasheet: gpus.")
    product: pl.String = pa.Field(nullable=True, description="GPU product; null: not in the registry.")
    form_factor: pl.String = pa.Field(nullable=True, description="SXM5, PCIe, ...")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    title: pl.String = pa.Field(description="The problem in words.")
    family: pl.String = pa.Field(description="Family of operations.")
    mode: pl.String = pa.Field(description="Mode of the holder.")
    present: pl.Boolean = pa.Field(description="Whether the record stands now.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean of the holder in ns.")
    dtype: pl.String = pa.Field(description="The type of number whose peak applies: fp32 unless an input says other.")
    bytes: pl.Int64 = pa.Field(nullable=True, ge=0, description="Bytes of the declared inputs.")
    flops: pl.Int64 = pa.Field(nullable=True, ge=0, description="Operations by the family's formula; null: none.")
    dram_gb_per_s: pl.Float64 = pa.Field(nullable=True, description="Datasheet memory bandwidth in 10^9 B/s.")
    peak_tflops: pl.Float64 = pa.Field(
        nullable=True, description="Fastest datasheet peak that the dtype permits, dense, in 10^12 operations/s."
    )
    dram_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="Bytes at that bandwidth, in ns.")
    compute_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="Operations at that peak, in ns; null: none.")
    floor_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="The longer of the two, in ns; not rounded.")
    bound: pl.String = pa.Field(nullable=True, isin=["bandwidth", "compute"], description="Which of the two it is.")
    ratio: pl.Float64 = pa.Field(nullable=True, gt=0, description="Mean over floor: how far above it the record is.")
    policy: pl.String = pa.Field(description="Version of the rule: headroom-v1.")
    policy_text: pl.String = pa.Field(description="The rule in a sentence.")
    assumptions: Texts = pa.Field(description="What is assumed, in words.")


class HeadroomV2(Table):
    """The floor under a record from traced bytes and arithmetic: an estimate, not evidence. Grain: cohort."""

    cohort_id: pl.String = pa.Field(unique=True, description=_COHORT)
    run_id: pl.String = pa.Field(description="The holder, or the last one where none is present.")
    source: pl.String = pa.Field(description="Lineage.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported; its datasheet: gpus.")
    product: pl.String = pa.Field(nullable=True, description="GPU product; null: not in the registry.")
    form_factor: pl.String = pa.Field(nullable=True, description="SXM5, PCIe, ...")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    title: pl.String = pa.Field(description="The problem in words.")
    family: pl.String = pa.Field(description="Family of operations.")
    mode: pl.String = pa.Field(description="Mode of the holder.")
    present: pl.Boolean = pa.Field(description="Whether the record stands now.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean of the holder in ns.")
    dtype: pl.String = pa.Field(description="The type of number whose peak applies: fp32 unless an input says other.")
    parameter_bytes: pl.Int64 = pa.Field(nullable=True, description="Bytes of parameters and buffers.")
    input_bytes: pl.Int64 = pa.Field(nullable=True, description="Bytes of the inputs.")
    output_bytes: pl.Int64 = pa.Field(nullable=True, description="Bytes of the outputs.")
    bytes: pl.Int64 = pa.Field(nullable=True, ge=0, description="The three together; null: not traced.")
    flops: pl.Int64 = pa.Field(nullable=True, ge=0, description="Traced operations of a forward pass.")
    not_traced: pl.String = pa.Field(nullable=True, description="Why bytes and operations are not known.")
    dram_gb_per_s: pl.Float64 = pa.Field(nullable=True, description="Datasheet memory bandwidth in 10^9 B/s.")
    last_cache_mb: pl.Float64 = pa.Field(nullable=True, description="Last cache before memory in MB.")
    harness_l2_cleared: pl.Boolean = pa.Field(
        nullable=True, description="Whether the timing scripts declared then clear the L2 cache; null: not known."
    )
    fp32_tflops: pl.Float64 = pa.Field(nullable=True, description="Datasheet peak fp32 in 10^12 operations/s.")
    tf32_tflops: pl.Float64 = pa.Field(nullable=True, description="Datasheet peak TF32, dense; null: none.")
    peak_tflops: pl.Float64 = pa.Field(nullable=True, description="Fastest datasheet peak that the dtype permits.")
    dram_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="Bytes at that bandwidth, in ns.")
    fp32_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="Operations at the fp32 peak, in ns.")
    tf32_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="Operations at the TF32 peak, in ns.")
    compute_ns: pl.Float64 = pa.Field(nullable=True, ge=0, description="Operations at peak_tflops, in ns.")
    floor_ns: pl.Float64 = pa.Field(
        nullable=True, ge=0, description="The longer of dram_ns and compute_ns; not rounded."
    )
    bound: pl.String = pa.Field(nullable=True, isin=["bandwidth", "compute"], description="Which of the two it is.")
    ratio: pl.Float64 = pa.Field(nullable=True, gt=0, description="Mean over floor: how far above it the record is.")
    faster_than_floor: pl.Boolean = pa.Field(
        nullable=True,
        description="Not to be believed as it stands: below compute_ns, or below dram_ns though the bytes exceed the "
        "last cache or the L2 cache is known to have been cleared; null: cannot be said.",
    )
    policy: pl.String = pa.Field(description="Version of the rule: headroom-v2.")
    policy_text: pl.String = pa.Field(description="The rule in a sentence.")
    assumptions: Texts = pa.Field(description="What is assumed, in words.")


class WorkloadChanges(Table):
    """What differs between two codes of one problem. Grain: ordered pair of its codes, measured or not."""

    workload_id: pl.String = pa.Field(description="The one code.")
    other_workload_id: pl.String = pa.Field(description="The other code; every pair stands in both orders.")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    change: pl.String = pa.Field(
        isin=["inputs_redrawn", "inputs_changed", "computation_changed"],
        description="The first that holds: inputs_redrawn (the same computation on the same shapes), inputs_changed "
        "(shapes, dtypes or constructor arguments, whatever else), computation_changed (the rest of the computation "
        "alone).",
    )

    class Config:
        """Keyed by the pair."""

        unique = ["workload_id", "other_workload_id"]


class DeclaredSoftware(Table):
    """What a repository declared at each commit looked at: declared, never measured. Grain: source, revision."""

    source: pl.String = pa.Field(description="Lineage.")
    position: pl.Int64 = pa.Field(
        nullable=True,
        ge=0,
        description="Its place in the lineage; a head that is no revision is last; null: not reachable any more.",
    )
    revision: pl.String = pa.Field(description="The commit.")
    requirements_torch: pl.String = pa.Field(nullable=True, description="PyTorch declared by the requirements.")
    readme_torch: pl.String = pa.Field(nullable=True, description="PyTorch declared by the README.")
    readme_cuda: pl.String = pa.Field(nullable=True, description="CUDA declared by the README.")
    toolchain_conflict: pl.Boolean = pa.Field(
        description="Requirements and README name different versions of PyTorch: which is used is unknown."
    )
    toolchain: pl.String = pa.Field(nullable=True, description="Both in one; null: none is named, or in conflict.")
    harness_digest: pl.String = pa.Field(nullable=True, description="Timing scripts.")
    harness_l2_cleared: pl.Boolean = pa.Field(
        nullable=True, description="Whether these clear the L2 cache between trials; null: not known."
    )

    class Config:
        """Keyed by source and revision."""

        unique = ["source", "revision"]
        metadata = {"order": ["source", "position", "revision"]}


class BaselineHistory(Table):
    """Each version of a figure, how it differs from the one before, and why. Grain: figure's place, version."""

    source: pl.String = pa.Field(description="Lineage. Key: source, host, hardware, mode, level, problem, version.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported; null: not reported.")
    mode: pl.String = pa.Field(description="How the module was run.")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    version: pl.Int64 = pa.Field(
        ge=1, description="From 1 in the order in which they stood, a new one for each interval."
    )
    run_id: pl.String = pa.Field(description=_RUN)
    previous_run_id: pl.String = pa.Field(nullable=True, description="The version before; null: the first.")
    environment_id: pl.String = pa.Field(description="Where it was measured.")
    workload_id: pl.String = pa.Field(nullable=True, description="What was measured; null: no readable module.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean in ns.")
    ci95_low_ns: pl.Int64 = pa.Field(description="Low end of the mean's 95 % interval in ns.")
    ci95_high_ns: pl.Int64 = pa.Field(description="High end of the mean's 95 % interval in ns.")
    rounding_ns: pl.Int64 = pa.Field(description="Half-width in ns of what the rounded mean stands for.")
    num_trials: pl.Int64 = pa.Field(description="Trials.")
    from_position: pl.Int64 = pa.Field(description="Position of the first revision that shows this version.")
    from_revision: pl.String = pa.Field(description="The first revision that shows this version.")
    from_at: Time = pa.Field(description="Committer date of that revision (UTC).")
    until_position: pl.Int64 = pa.Field(nullable=True, description="Position of the first that no longer shows it.")
    until_revision: pl.String = pa.Field(
        nullable=True, description="The first revision that no longer shows it; null: it stands."
    )
    until_at: Time = pa.Field(nullable=True, description="Committer date of that revision (UTC); null: it stands.")
    present: pl.Boolean = pa.Field(description="Whether it stands.")
    previous_mean_ns: pl.Int64 = pa.Field(nullable=True, description="Mean of the version before in ns.")
    ratio: pl.Float64 = pa.Field(
        nullable=True, gt=0, description="Mean over the mean of the version before: above 1 it got slower."
    )
    reason: pl.String = pa.Field(
        nullable=True,
        isin=["measured_again", "inputs_redrawn", "inputs_changed", "computation_changed", "returned"],
        description="Why there is a new version: measured_again (equal code), inputs_redrawn, inputs_changed, "
        "computation_changed (see workload_changes), returned (the run itself stood before and was put back); null: "
        "the first version, or a module is missing.",
    )
    beyond_interval: pl.Boolean = pa.Field(
        nullable=True, description="The two 95 % intervals, widened by rounding, do not overlap; null: the first."
    )
    gap_days: pl.Int64 = pa.Field(
        nullable=True, description="Days for which nothing stood in between; null: no revision without it."
    )
    toolchain: pl.String = pa.Field(
        nullable=True,
        description="Software declared when the figures first appeared, never measured; null: none, or in conflict.",
    )
    toolchain_conflict: pl.Boolean = pa.Field(
        description="Requirements and README named different versions of PyTorch: which was used is unknown."
    )
    requirements_torch: pl.String = pa.Field(nullable=True, description="PyTorch declared by the requirements then.")
    readme_torch: pl.String = pa.Field(nullable=True, description="PyTorch declared by the README then.")
    readme_cuda: pl.String = pa.Field(nullable=True, description="CUDA declared by the README then.")
    harness_digest: pl.String = pa.Field(nullable=True, description="Timing scripts then.")
    harness_l2_cleared: pl.Boolean = pa.Field(
        nullable=True, description="Whether these clear the L2 cache between trials; null: not known."
    )
    previous_toolchain: pl.String = pa.Field(nullable=True, description="The same of the version before.")
    previous_toolchain_conflict: pl.Boolean = pa.Field(nullable=True, description="The same of the version before.")
    previous_requirements_torch: pl.String = pa.Field(nullable=True, description="The same of the version before.")
    previous_readme_torch: pl.String = pa.Field(nullable=True, description="The same of the version before.")
    previous_readme_cuda: pl.String = pa.Field(nullable=True, description="The same of the version before.")
    previous_harness_digest: pl.String = pa.Field(nullable=True, description="The same of the version before.")
    previous_harness_l2_cleared: pl.Boolean = pa.Field(nullable=True, description="The same of the version before.")

    class Config:
        """Keyed by the figure's place and the version."""

        unique = ["source", "host", "hardware", "mode", "level", "problem", "version"]


class Repeatability(Table):
    """How far repeated measurements of equal code disagree. Grain: environment (source, host, GPU)."""

    environment_id: pl.String = pa.Field(unique=True, description="Where it was measured.")
    source: pl.String = pa.Field(description="Lineage.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported.")
    product: pl.String = pa.Field(nullable=True, description="GPU product; null: not in the registry.")
    pairs: pl.Int64 = pa.Field(
        ge=0, description="Versions whose reason is measured_again, each with the version before it."
    )
    pairs_redeclared: pl.Int64 = pa.Field(
        ge=0, description="Of these, with other software or timing scripts declared then, or with it in conflict."
    )
    beyond_interval: pl.Int64 = pa.Field(
        ge=0, description="Of the pairs, those whose 95 % intervals, widened by rounding, do not overlap."
    )
    share_beyond_interval: pl.Float64 = pa.Field(
        nullable=True, description="Their share; intervals promise 0.05 or so."
    )
    median_change: pl.Float64 = pa.Field(
        nullable=True, ge=0, description="Median of the greater mean over the smaller, less 1; null: no pair."
    )
    p90_change: pl.Float64 = pa.Field(
        nullable=True, ge=0, description="Its 90th percentile, by linear interpolation; null: no pair."
    )
    max_change: pl.Float64 = pa.Field(nullable=True, ge=0, description="Its greatest; null: no pair.")
    limit_basis: pl.String = pa.Field(
        nullable=True,
        isin=["host", "all hosts"],
        description="What limit_ratio rests on: 30 pairs or more of this host and GPU, else of all hosts of the "
        "source; null: fewer.",
    )
    limit_pairs: pl.Int64 = pa.Field(nullable=True, ge=30, description="How many pairs that are.")
    limit_ratio: pl.Float64 = pa.Field(
        nullable=True, ge=1, description="1 + the 90th percentile of their change: a margin above it is worth trusting."
    )


class Noise(Table):
    """What speaks for looking twice at a figure, apart from its age and its code. Grain: run."""

    run_id: pl.String = pa.Field(unique=True, description=_RUN)
    source: pl.String = pa.Field(description="Lineage.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported.")
    mode: pl.String = pa.Field(description="How the module was run.")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    present: pl.Boolean = pa.Field(description="Whether it stands.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean in ns.")
    spread: pl.Float64 = pa.Field(ge=0, description="Standard deviation over mean.")
    mean_over_min: pl.Float64 = pa.Field(
        description="Mean over the fastest trial: far above 1, a few trials were slow."
    )
    file_gpus: Texts = pa.Field(
        nullable=True, description="GPUs of the file in which it first appeared; null: it is one GPU."
    )
    twin_hosts: Texts = pa.Field(
        nullable=True,
        description="Other hosts of the source with the same mean, std, minimum, maximum and trials; null: none.",
    )
    eager_ns: pl.Int64 = pa.Field(
        nullable=True,
        gt=0,
        description="Mean of the eager run that stood beside it in its cohort when it first appeared; null: none, or "
        "it is eager itself.",
    )
    vs_eager: pl.Float64 = pa.Field(nullable=True, gt=0, description="Mean over that: above 1, slower than eager.")
    remarks: Texts = pa.Field(
        description="wide_spread (spread > 1/4), skewed (mean_over_min > 1.5), mixed_gpus, same_on_other_host, "
        "slower_than_eager (beyond both intervals and rounding)."
    )


class Removals(Table):
    """A figure taken away with none put in its place. Grain: run, revision that no longer shows it."""

    run_id: pl.String = pa.Field(description=_RUN)
    source: pl.String = pa.Field(description="Lineage.")
    host: pl.String = pa.Field(description="Host folder.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported.")
    mode: pl.String = pa.Field(description="How the module was run.")
    level: pl.String = pa.Field(description="Level.")
    problem: pl.String = pa.Field(description="File name of the problem.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean in ns.")
    shown_from: Time = pa.Field(description="Since when it had stood without a break (UTC).")
    removed_position: pl.Int64 = pa.Field(ge=1, description="Position of the revision that took it away.")
    removed_revision: pl.String = pa.Field(description="The revision that took it away.")
    removed_at: Time = pa.Field(description="Committer date of that revision (UTC).")
    whole_file: pl.Boolean = pa.Field(description="Nothing of its host and mode stood any more.")
    returned_revision: pl.String = pa.Field(
        nullable=True, description="Next revision with a figure in its place, of any code or GPU; null: none yet."
    )
    returned_at: Time = pa.Field(nullable=True, description="Committer date of that revision (UTC); null: none yet.")
    gap_days: pl.Int64 = pa.Field(nullable=True, ge=0, description="Days between the two; null: none yet.")

    class Config:
        """Keyed by run and revision."""

        unique = ["run_id", "removed_position"]


class SourceHealth(Table):
    """When each source was last looked at, by the heartbeat that the session knows. Grain: source."""

    source: pl.String = pa.Field(unique=True, description="Lineage: published, or only tried so far.")
    status: pl.String = pa.Field(
        isin=["fresh", "due", "stale", "unknown"],
        description="By the hours since the last look that succeeded: fresh, due (more than due_after_hours), stale "
        "(more than stale_after_hours, or none ever succeeded); unknown: the session knows no heartbeat of it.",
    )
    checked_at: Time = pa.Field(nullable=True, description="Last look that succeeded (UTC); null: none, or not known.")
    changed_at: Time = pa.Field(nullable=True, description="Last look that found something new (UTC).")
    due_at: Time = pa.Field(nullable=True, description="When the next look is due (UTC).")
    newest_revision: pl.String = pa.Field(nullable=True, description="Its newest revision; null: not published.")
    newest_revision_at: Time = pa.Field(nullable=True, description="Committer date of that revision (UTC).")
    files_present: pl.Int64 = pa.Field(ge=0, description="Timing files that the newest revision shows.")
    files_refused: pl.Int64 = pa.Field(ge=0, description="Of these, those refused as a whole.")
    requests: pl.Int64 = pa.Field(nullable=True, ge=0, description="Requests sent for the last look that succeeded.")
    last_error: pl.String = pa.Field(nullable=True, description="What the last look failed with; null: it succeeded.")
    failed_at: Time = pa.Field(nullable=True, description="When it failed (UTC).")
    due_after_hours: pl.Float64 = pa.Field(nullable=True, description="Hours after a look until the next is due.")
    stale_after_hours: pl.Float64 = pa.Field(
        nullable=True, description="Hours after a look from which on silence is no longer borne."
    )


DERIVED: dict[str, type[Table]] = {
    "leaderboard": Leaderboard,
    "record_history": RecordHistory,
    "record_holders": RecordHolders,
    "workload_changes": WorkloadChanges,
    "declared_software": DeclaredSoftware,
    "baseline_history": BaselineHistory,
}
"""Stored, but made by SQL."""

VIEWS: dict[str, type[Table]] = {
    "staleness": Staleness,
    "records": Records,
    "baselines": Baselines,
    "coverage": Coverage,
    "headroom_v1": HeadroomV1,
    "headroom_v2": HeadroomV2,
    "repeatability": Repeatability,
    "noise": Noise,
    "removals": Removals,
    "source_health": SourceHealth,
}
"""Worked out at each reading."""

MACROS: dict[str, type[Table]] = {
    "leaderboard_as_of": Leaderboard,
    "records_as_of": Records,
    "repeatability_as_of": Repeatability,
    "staleness_as_of": Staleness,
}
"""Worked out for the moment that a reader names (UTC, without a time zone attached): what they answer is what the
object answers whose contract they share. The other macros of ``sql/macros`` serve these."""

OBJECTS: dict[str, type[Table]] = {**TABLES, **DERIVED, **VIEWS}
"""Everything a published database holds."""

NOT_IN_SNAPSHOTS = frozenset({"source_health"})
"""How things stand with the one who asks, at the moment of asking: of no use to a reader of a copy."""
