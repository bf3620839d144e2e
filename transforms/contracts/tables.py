"""The published tables: one strict, ordered, keyed contract each (DESIGN.md section 9).

A field's description is its entry in the data dictionary and the comment on the DuckDB column. The first line of a
contract's docstring is the comment on the table. Times are UTC without a time zone attached; durations are integer
nanoseconds.
"""

from __future__ import annotations

from typing import Annotated

import pandera.polars as pa
import polars as pl

Time = Annotated[pl.Datetime, "us", None]
Texts = Annotated[pl.List, pl.String]

_HEX64 = r"^[0-9a-f]{64}$"
_DIGEST = r"^sha256:[0-9a-f]{64}$"
_HEX40 = r"^[0-9a-f]{40}$"
_LEVEL = r"^level[\s\S]*$"
_PROBLEM = r"^\d+_[\s\S]*\.py$"


class Table(pa.DataFrameModel):
    """Columns exactly as written here.

    A key of several columns is the ``unique`` of ``Config``; else the first unique column is the key. A snapshot holds
    the rows in the order of the key, or of the columns that ``metadata`` of ``Config`` names as ``order``.
    """

    class Config:
        """Strict: an unknown, missing or displaced column stops the publish."""

        strict = True
        ordered = True


class Sources(Table):
    """A lineage of figures: one repository's ref or one folder, whichever way it was fetched. Grain: source."""

    source: pl.String = pa.Field(
        unique=True, str_length={"min_value": 1}, description="Name of the lineage: owner/repo, or owner/repo@ref."
    )
    url: pl.String = pa.Field(nullable=True, description="Where a person can look at it; null for a folder.")
    head: pl.String = pa.Field(description="Newest commit of its ref; its modules say whether a problem has changed.")
    head_at: Time = pa.Field(description="Committer date of the head (UTC).")
    newest_revision: pl.String = pa.Field(description="Newest revision: what is present is present there.")
    newest_revision_at: Time = pa.Field(description="Committer date of the newest revision (UTC).")
    revisions: pl.Int64 = pa.Field(ge=1, description="How many revisions are known.")
    requirements_torch: pl.String = pa.Field(
        nullable=True, description="PyTorch that the requirements declare at the head, as written."
    )
    readme_torch: pl.String = pa.Field(
        nullable=True, description="PyTorch that the README of the timings declares at the head."
    )
    readme_cuda: pl.String = pa.Field(
        nullable=True, description="CUDA that the README of the timings declares at the head."
    )
    harness_digest: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="Digest of the timing scripts at the head."
    )


class Revisions(Table):
    """A first-parent commit that changed something under results/timing. Grain: source, revision."""

    source: pl.String = pa.Field(description="Lineage it belongs to.")
    revision: pl.String = pa.Field(description="Commit id, or content digest of a folder.")
    position: pl.Int64 = pa.Field(
        nullable=True, ge=0, description="Its place in the lineage, oldest first, from 0; null: not reachable any more."
    )
    reachable: pl.Boolean = pa.Field(description="False: the branch was rewritten and does not contain it any more.")
    lost_at: Time = pa.Field(
        nullable=True, description="When an ingest noticed that it is not reachable any more (UTC); null: it is."
    )
    committed_at: Time = pa.Field(description="Committer date (UTC): when the branch began to show it.")
    timing_files: pl.Int64 = pa.Field(ge=0, description="Timing files it shows.")
    problem_modules: pl.Int64 = pa.Field(ge=0, description="Problem modules it shows.")
    requirements_torch: pl.String = pa.Field(
        nullable=True, description="PyTorch that its requirements declare, as written: declared, never measured."
    )
    readme_torch: pl.String = pa.Field(nullable=True, description="PyTorch that the README of the timings declares.")
    readme_cuda: pl.String = pa.Field(nullable=True, description="CUDA that the README of the timings declares.")
    harness_digest: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="Digest of the timing scripts; null where it has none."
    )

    class Config:
        """Keyed by source and revision; in the lineage's order, then what is unreachable, by date."""

        unique = ["source", "revision"]
        metadata = {"order": ["source", "position", "committed_at", "revision"]}


class Files(Table):
    """A version of a timing file or problem module at a path. Grain: source, path, blob."""

    source: pl.String = pa.Field(description="Lineage it was seen in.")
    path: pl.String = pa.Field(description="Path in the repository.")
    blob: pl.String = pa.Field(str_matches=_HEX40, description="Git id of its bytes.")
    kind: pl.String = pa.Field(isin=["timing", "module"], description="timing or module.")
    host: pl.String = pa.Field(nullable=True, description="Host folder that a timing file's path gives.")
    mode: pl.String = pa.Field(nullable=True, description="Mode that a timing file's path gives.")
    level: pl.String = pa.Field(nullable=True, description="Level of a module.")
    problem: pl.String = pa.Field(nullable=True, description="File name of a module.")
    first_revision: pl.String = pa.Field(description="First revision, of those looked at, that shows it.")
    last_revision: pl.String = pa.Field(description="Last revision, of those looked at, that shows it.")
    present: pl.Boolean = pa.Field(
        description="Shown by the newest revision (a timing file) or by the head (a module)."
    )
    reachable: pl.Boolean = pa.Field(
        description="False: the branch was rewritten, and no commit looked at that it still contains shows it."
    )

    class Config:
        """Keyed by source, path and blob."""

        unique = ["source", "path", "blob"]


class Problems(Table):
    """A problem module at the head of a source: what would be measured now. Grain: source, level, problem."""

    source: pl.String = pa.Field(description="Lineage whose head shows it.")
    level: pl.String = pa.Field(str_matches=_LEVEL, description="Level folder.")
    problem: pl.String = pa.Field(str_matches=_PROBLEM, description="File name.")
    title: pl.String = pa.Field(description="File name without number and ending, in words.")
    family: pl.String = pa.Field(description="Family of operations, by the problem's name.")
    path: pl.String = pa.Field(description="Path in the repository.")
    blob: pl.String = pa.Field(str_matches=_HEX40, description="Git id of the module.")
    workload_id: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="The workload it would be; null where the module cannot be read."
    )
    code_digest: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="Digest of its code without comments and docstrings."
    )
    compute_digest: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="Digest of what is computed on which shapes."
    )
    unreadable_reason: pl.String = pa.Field(nullable=True, description="Why the module cannot be read; null: it can.")
    unreadable_detail: pl.String = pa.Field(nullable=True, description="The reason in words.")

    class Config:
        """Keyed by source, level and problem."""

        unique = ["source", "level", "problem"]


class ProblemVersions(Table):
    """What code each problem had at the commits looked at: a row whenever it changed. Grain: problem, first commit."""

    source: pl.String = pa.Field(description="Lineage that showed it.")
    level: pl.String = pa.Field(str_matches=_LEVEL, description="Level folder.")
    problem: pl.String = pa.Field(str_matches=_PROBLEM, description="File name.")
    from_position: pl.Int64 = pa.Field(
        ge=0, description="Position of the first revision with this code; a head that is no revision follows the last."
    )
    from_revision: pl.String = pa.Field(description="The first commit looked at that has this code.")
    from_at: Time = pa.Field(description="Committer date of that commit (UTC).")
    code_digest: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="Digest of the code; null: cannot be parsed, or gone."
    )
    compute_digest: pl.String = pa.Field(
        nullable=True,
        str_matches=_HEX64,
        description="Digest of what is computed on which shapes; null: cannot be read, or gone.",
    )
    workload_id: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="The workload it is; null: cannot be read, or gone."
    )
    present: pl.Boolean = pa.Field(description="Whether there is a module; false: from here on it is gone.")

    class Config:
        """Keyed by problem and start."""

        unique = ["source", "level", "problem", "from_position"]


class ProblemCodes(Table):
    """What one exact code of one problem declares, measured or not. Grain: level, problem, code digest."""

    workload_id: pl.String = pa.Field(
        unique=True, str_matches=_HEX64, description="The workload it is, or would be once measured."
    )
    level: pl.String = pa.Field(str_matches=_LEVEL, description="Level folder.")
    problem: pl.String = pa.Field(str_matches=_PROBLEM, description="File name.")
    code_digest: pl.String = pa.Field(
        str_matches=_HEX64, description="Digest of the code without comments and docstrings."
    )
    compute_digest: pl.String = pa.Field(
        str_matches=_HEX64, description="Digest of what is computed on which shapes: equal means equivalent work."
    )
    inputs: pl.String = pa.Field(description="Inputs as JSON: name, dtype, shape of axis names and sizes.")
    axes: pl.String = pa.Field(description="Sizes of the named axes, as JSON.")
    scalars: pl.String = pa.Field(description="Numeric constructor arguments by name, as JSON.")
    init: pl.String = pa.Field(description="Constructor arguments in order, as JSON.")
    dtype: pl.String = pa.Field(description="Of the inputs; several are joined by a plus sign.")


class Environments(Table):
    """One GPU model behind one host folder of one source. Grain: source, host, reported hardware."""

    environment_id: pl.String = pa.Field(
        unique=True, str_matches=_HEX64, description="SHA-256 over source, host and reported hardware."
    )
    source: pl.String = pa.Field(description="Lineage whose files report it.")
    host: pl.String = pa.Field(description="Host folder: a machine, or a provider's pool of them.")
    host_title: pl.String = pa.Field(description="The host in words.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as the timing file reports it; null: not reported.")
    known: pl.Boolean = pa.Field(description="Whether the GPU is in the registry.")
    vendor: pl.String = pa.Field(nullable=True, description="GPU vendor.")
    product: pl.String = pa.Field(nullable=True, description="GPU product.")
    form_factor: pl.String = pa.Field(nullable=True, description="SXM5, PCIe, ...")
    architecture: pl.String = pa.Field(nullable=True, description="Compute architecture, e.g. sm_90.")
    memory_gb: pl.Int64 = pa.Field(nullable=True, gt=0, description="Memory in GB.")


class Workloads(Table):
    """One exact code of one problem that was measured, and what it computes on. Grain: level, problem, code digest."""

    workload_id: pl.String = pa.Field(
        unique=True, str_matches=_HEX64, description="SHA-256 over level, file name and code digest."
    )
    level: pl.String = pa.Field(str_matches=_LEVEL, description="Level folder.")
    problem: pl.String = pa.Field(str_matches=_PROBLEM, description="File name.")
    title: pl.String = pa.Field(description="File name without number and ending, in words.")
    family: pl.String = pa.Field(description="Family of operations, by the problem's name.")
    code_digest: pl.String = pa.Field(
        str_matches=_HEX64, description="Digest of the code without comments and docstrings: is it the same code?"
    )
    compute_digest: pl.String = pa.Field(
        str_matches=_HEX64, description="Digest of computation and shapes: equal means equivalent work."
    )
    inputs: pl.String = pa.Field(description="Inputs as JSON: name, dtype, shape of axis names and sizes.")
    axes: pl.String = pa.Field(description="Sizes of the named axes, as JSON.")
    scalars: pl.String = pa.Field(description="Numeric constructor arguments by name, as JSON.")
    init: pl.String = pa.Field(description="Constructor arguments in order, as JSON.")
    dtype: pl.String = pa.Field(description="Of the inputs; several are joined by a plus sign.")
    output: pl.String = pa.Field(description="The output: its shape follows the module, so it is one symbolic axis.")
    axis_kind: pl.String = pa.Field(description="Kind of the named axes: variable, an operation holds for any size.")
    determinism: pl.String = pa.Field(description="What the module promises of repeated results.")
    constraints: pl.String = pa.Field(description="What an implementation must keep to.")
    flops: pl.Int64 = pa.Field(
        nullable=True,
        ge=0,
        description="Floating-point operations of one forward pass, a multiply-add as two; null: not traced.",
    )
    parameter_bytes: pl.Int64 = pa.Field(
        nullable=True, ge=0, description="Bytes of parameters and buffers; null: not traced."
    )
    input_bytes: pl.Int64 = pa.Field(nullable=True, ge=0, description="Bytes of the inputs; null: not traced.")
    output_bytes: pl.Int64 = pa.Field(nullable=True, ge=0, description="Bytes of the outputs; null: not traced.")
    not_traced: pl.String = pa.Field(
        nullable=True, description="Why there are no costs: the error that ended tracing, or never tried."
    )


class Runs(Table):
    """One set of figures, bound to the code at the revision where it first appeared. Grain: run."""

    run_id: pl.String = pa.Field(
        unique=True,
        str_matches=_HEX64,
        description="SHA-256 over environment, mode, level, problem, code digest and figures.",
    )
    source: pl.String = pa.Field(description="Lineage that shows it.")
    host: pl.String = pa.Field(description="Host folder.")
    mode: pl.String = pa.Field(description="How the module was run: torch is eager, the baseline.")
    level: pl.String = pa.Field(str_matches=_LEVEL, description="Level.")
    problem: pl.String = pa.Field(str_matches=_PROBLEM, description="File name of the problem.")
    cohort_id: pl.String = pa.Field(
        nullable=True,
        str_matches=_HEX64,
        description="What it may be compared with: same workload, environment, protocol; null: unresolved.",
    )
    environment_id: pl.String = pa.Field(str_matches=_HEX64, description="Where it was measured.")
    workload_id: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="What was measured; null where there is no readable module."
    )
    protocol_id: pl.String = pa.Field(str_matches=_HEX64, description="How it was measured.")
    code_digest: pl.String = pa.Field(
        nullable=True, str_matches=_HEX64, description="Code of the problem when the figures first appeared."
    )
    observed_at: Time = pa.Field(description="Committer date of the revision where it first appeared (UTC).")
    first_revision: pl.String = pa.Field(description="The revision where it first appeared.")
    path: pl.String = pa.Field(description="Timing file in which it first appeared.")
    blob: pl.String = pa.Field(str_matches=_HEX40, description="Git id of that file.")
    mean_ns: pl.Int64 = pa.Field(gt=0, description="Mean of the trials in ns: the figure that ranks.")
    std_ns: pl.Int64 = pa.Field(ge=0, description="Standard deviation of the trials in ns.")
    min_ns: pl.Int64 = pa.Field(gt=0, description="Fastest trial in ns.")
    max_ns: pl.Int64 = pa.Field(gt=0, description="Slowest trial in ns.")
    ci95_low_ns: pl.Int64 = pa.Field(
        gt=0, description="Low end of the mean's 95 % interval in ns: mean - 1.96 std/sqrt(n), not below the minimum."
    )
    ci95_high_ns: pl.Int64 = pa.Field(gt=0, description="High end of the mean's 95 % interval in ns.")
    rounding_ns: pl.Int64 = pa.Field(
        ge=0, description="Half-width in ns of the interval that the rounded mean stands for."
    )
    num_trials: pl.Int64 = pa.Field(gt=0, description="Trials.")
    hardware: pl.String = pa.Field(nullable=True, description="GPU as reported; null: not reported.")
    device: pl.String = pa.Field(nullable=True, description="Device as reported, e.g. cuda:0.")
    present: pl.Boolean = pa.Field(description="Shown by the newest revision of its source.")
    reachable: pl.Boolean = pa.Field(
        description="False: the branch was rewritten, and no revision that it still contains shows it."
    )
    eligible: pl.Boolean = pa.Field(description="May hold a record.")
    ineligible_reasons: Texts = pa.Field(description="Why not: unreachable, workload_unresolved, copy.")
    flags: Texts = pa.Field(
        description="Worth knowing, still ranked: few_trials, hardware_missing, noisy, unknown_gpu, unknown_mode, "
        "zero_spread."
    )
    copy_of: pl.String = pa.Field(
        nullable=True, description="The run of another source that this one repeats; null: it is its own."
    )
    copy_key: pl.String = pa.Field(
        str_matches=_HEX64, description="SHA-256 over host, hardware, mode, problem, code and figures, without source."
    )
    source_metrics: pl.String = pa.Field(
        description="The entry's figures in reported milliseconds, and any further keys, as JSON."
    )


class Presence(Table):
    """An interval in which a run stood without a break. Grain: run, first revision of the interval."""

    run_id: pl.String = pa.Field(str_matches=_HEX64, description="The run.")
    source: pl.String = pa.Field(description="Its lineage.")
    from_position: pl.Int64 = pa.Field(ge=0, description="Position of the first revision that shows it.")
    from_revision: pl.String = pa.Field(description="The first revision that shows it.")
    from_at: Time = pa.Field(description="Committer date of that revision (UTC).")
    until_position: pl.Int64 = pa.Field(
        nullable=True, gt=0, description="Position of the first revision that no longer shows it; null: it stands."
    )
    until_revision: pl.String = pa.Field(
        nullable=True, description="The first revision that no longer shows it; null: it stands."
    )
    until_at: Time = pa.Field(nullable=True, description="Committer date of that revision (UTC); null: it stands.")

    class Config:
        """Keyed by run and start."""

        unique = ["run_id", "from_position"]


class Quarantine(Table):
    """Something refused, with the reason: an entry, or (problem_key null) a whole file. Grain: see the columns' key."""

    source: pl.String = pa.Field(description="Lineage. Key: source, host, mode, level, problem_key, reason.")
    host: pl.String = pa.Field(nullable=True, description="Host folder.")
    mode: pl.String = pa.Field(nullable=True, description="Mode.")
    level: pl.String = pa.Field(nullable=True, description="Level key as written; null: a whole file.")
    problem_key: pl.String = pa.Field(nullable=True, description="Problem key as written; null: a whole file.")
    reason: pl.String = pa.Field(description="The first reason that applies (docs/reading.md lists them).")
    first_revision: pl.String = pa.Field(description="First revision that shows it.")
    last_revision: pl.String = pa.Field(description="Last revision that shows it.")
    present: pl.Boolean = pa.Field(description="Shown by the newest revision.")
    path: pl.String = pa.Field(nullable=True, description="File in which it was last seen.")
    detail: pl.String = pa.Field(nullable=True, description="The reason in words, with the offending values.")
    raw: pl.String = pa.Field(nullable=True, description="What was refused, as written, cut to 2,000 characters.")

    class Config:
        """Keyed by place and reason."""

        unique = ["source", "host", "mode", "level", "problem_key", "reason"]


class Implementations(Table):
    """A way of running a reference module. Grain: mode."""

    mode: pl.String = pa.Field(unique=True, description="As the timing file's name says it.")
    known: pl.Boolean = pa.Field(description="Whether the registry knows what the mode runs.")
    title: pl.String = pa.Field(description="In words.")
    framework: pl.String = pa.Field(nullable=True, description="What runs it.")
    language: pl.String = pa.Field(nullable=True, description="Language of the source.")
    interface: pl.String = pa.Field(description="The public index's name of the interface.")
    external_mode: pl.String = pa.Field(description="The public index's name of the mode.")
    is_baseline: pl.Boolean = pa.Field(description="Whether the others of a cohort are compared with it.")
    what: pl.String = pa.Field(nullable=True, description="What runs, in a sentence.")
    licence: pl.String = pa.Field(description="Licence of what runs.")
    availability: pl.String = pa.Field(description="How it can be had.")
    package: pl.String = pa.Field(description="Whether there is a package of it.")
    trust: pl.String = pa.Field(description="How far the figures have been confirmed.")
    trust_meaning: pl.String = pa.Field(description="What that means, in words.")


class PinnedProblems(Table):
    """A readable module at the newest revision: what its interoperable digests are made of. Grain: source, problem."""

    source: pl.String = pa.Field(description="Lineage.")
    revision: pl.String = pa.Field(description="The pin: the newest revision of the source.")
    level: pl.String = pa.Field(str_matches=_LEVEL, description="Level folder.")
    problem: pl.String = pa.Field(str_matches=_PROBLEM, description="File name.")
    path: pl.String = pa.Field(description="Path in the repository.")
    module_sha256: pl.String = pa.Field(str_matches=_HEX64, description="SHA-256 of the module's bytes.")
    module_size_bytes: pl.Int64 = pa.Field(ge=0, description="Bytes of the module.")
    inputs: pl.String = pa.Field(description="Inputs as JSON, in order.")
    axes: pl.String = pa.Field(description="Sizes of the named axes as JSON, in order of use.")
    scalars: pl.String = pa.Field(description="Numeric constructor arguments by name as JSON, in order.")

    class Config:
        """Keyed by source, level and problem."""

        unique = ["source", "level", "problem"]


class Interop(Table):
    """Interoperable digests at the newest revision of each source. Grain: run present there."""

    source: pl.String = pa.Field(description="Lineage.")
    revision: pl.String = pa.Field(description="The pin: the newest revision of the source.")
    external_id: pl.String = pa.Field(description="host/mode/level/file, as the public index names a run.")
    run_id: pl.String = pa.Field(unique=True, str_matches=_HEX64, description="The run.")
    operation_digest: pl.String = pa.Field(
        nullable=True, str_matches=_DIGEST, description="What is computed; null: no readable module at the pin."
    )
    workload_digest: pl.String = pa.Field(nullable=True, str_matches=_DIGEST, description="On which sizes.")
    implementation_digest: pl.String = pa.Field(nullable=True, str_matches=_DIGEST, description="By what.")
    environment_digest: pl.String = pa.Field(str_matches=_DIGEST, description="On which GPU; the host is not in it.")
    protocol_digest: pl.String = pa.Field(str_matches=_DIGEST, description="How it was measured.")
    run_digest: pl.String = pa.Field(nullable=True, str_matches=_DIGEST, description="The figures, dated by the pin.")

    class Config:
        """In the order of the names that the public index gives."""

        metadata = {"order": ["source", "external_id", "run_id"]}


class Protocols(Table):
    """A way of measuring. Grain: protocol."""

    protocol_id: pl.String = pa.Field(
        unique=True, str_matches=_HEX64, description="SHA-256 over its identity document."
    )
    name: pl.String = pa.Field(description="Name.")
    title: pl.String = pa.Field(description="In words.")
    timer: pl.String = pa.Field(description="What takes the time.")
    primary_statistic: pl.String = pa.Field(description="The statistic that ranks.")
    notes: pl.String = pa.Field(description="What is comparable, in words.")
    document: pl.String = pa.Field(description="The identity document as JSON.")


class Gpus(Table):
    """A GPU as timing files report it, with its datasheet. Grain: reported hardware string."""

    hardware: pl.String = pa.Field(unique=True, description="The string that timing files report.")
    vendor: pl.String = pa.Field(description="Vendor.")
    product: pl.String = pa.Field(description="Product.")
    form_factor: pl.String = pa.Field(description="SXM5, PCIe, ...")
    architecture: pl.String = pa.Field(description="Compute architecture, e.g. sm_90.")
    memory_gb: pl.Int64 = pa.Field(gt=0, description="Memory in GB.")
    memory_type: pl.String = pa.Field(description="HBM3, GDDR6, ...")
    dram_gb_per_s: pl.Float64 = pa.Field(nullable=True, gt=0, description="Datasheet memory bandwidth in 10^9 B/s.")
    l2_mb: pl.Float64 = pa.Field(nullable=True, gt=0, description="L2 cache in MB.")
    last_cache_mb: pl.Float64 = pa.Field(
        nullable=True, gt=0, description="Last cache before memory in MB: L2, or the larger one behind it (AMD)."
    )
    fp32_tflops: pl.Float64 = pa.Field(nullable=True, gt=0, description="Datasheet peak fp32, no tensor cores.")
    tf32_tflops: pl.Float64 = pa.Field(nullable=True, gt=0, description="Datasheet peak TF32, dense; null: none.")
    bf16_tflops: pl.Float64 = pa.Field(nullable=True, gt=0, description="Datasheet peak bf16, dense; null: none.")
    fp8_tflops: pl.Float64 = pa.Field(nullable=True, gt=0, description="Datasheet peak fp8, dense; null: none.")
    datasheet: pl.String = pa.Field(description="The documents that the figures come from.")


class Harnesses(Table):
    """What is known of timing scripts; scripts that are not here are unknown. Grain: digest of the scripts."""

    harness_digest: pl.String = pa.Field(unique=True, str_matches=_HEX64, description="Digest of the timing scripts.")
    first_seen: pl.String = pa.Field(description="Day of upstream's first revision that shows them.")
    l2_cleared: pl.Boolean = pa.Field(
        nullable=True, description="Whether they clear the L2 cache between trials; null: not known."
    )
    first_trial_discarded: pl.Boolean = pa.Field(
        nullable=True, description="Whether they leave the first trial out; null: not known."
    )
    basis: pl.String = pa.Field(description="What this rests on.")


class Ingests(Table):
    """The log of ingests that changed something. Grain: ingest."""

    ingest_id: pl.String = pa.Field(unique=True, description="Start time and process.")
    source: pl.String = pa.Field(description="What was ingested.")
    started_at: Time = pa.Field(description="Start (UTC).")
    finished_at: Time = pa.Field(description="When the new database was ready to be published (UTC).")
    seconds: pl.Float64 = pa.Field(ge=0, description="Between the two.")
    head: pl.String = pa.Field(description="Head of the source that was read.")
    rebuilt: pl.Boolean = pa.Field(description="Whether the whole database was made again from landing.")
    revisions_new: pl.Int64 = pa.Field(ge=0, description="Revisions not known before.")
    requests: pl.Int64 = pa.Field(ge=0, description="Requests sent to the source; none for one on the same machine.")
    blobs_fetched: pl.Int64 = pa.Field(ge=0, description="Blobs that had not landed before.")
    files_read: pl.Int64 = pa.Field(ge=0, description="Timing files read, each content once.")
    files_refused: pl.Int64 = pa.Field(ge=0, description="Timing files refused, each content once.")
    runs: pl.Int64 = pa.Field(ge=0, description="Runs of the source afterwards.")
    runs_present: pl.Int64 = pa.Field(ge=0, description="Of these, present.")
    runs_new: pl.Int64 = pa.Field(ge=0, description="Runs not known before.")
    runs_withdrawn: pl.Int64 = pa.Field(ge=0, description="Runs present before and no longer.")
    runs_stale: pl.Int64 = pa.Field(
        ge=0, nullable=True, description="Present runs of the source that were stale then; null: not counted."
    )
    revisions_lost: pl.Int64 = pa.Field(ge=0, description="Revisions no longer reachable: the branch was rewritten.")
    runs_lost: pl.Int64 = pa.Field(ge=0, description="Runs that are no longer reachable for it; they are kept.")
    entries_refused: pl.Int64 = pa.Field(ge=0, description="Entries of the source in quarantine afterwards.")
    step_seconds: pl.String = pa.Field(description="Seconds of each step before publishing, as JSON.")


class Meta(Table):
    """Facts about the database itself. Grain: key."""

    key: pl.String = pa.Field(unique=True, description="What is stated.")
    value: pl.String = pa.Field(description="The statement.")


TABLES: dict[str, type[Table]] = {
    "sources": Sources,
    "revisions": Revisions,
    "files": Files,
    "problems": Problems,
    "problem_versions": ProblemVersions,
    "problem_codes": ProblemCodes,
    "environments": Environments,
    "workloads": Workloads,
    "runs": Runs,
    "presence": Presence,
    "quarantine": Quarantine,
    "implementations": Implementations,
    "pinned_problems": PinnedProblems,
    "interop": Interop,
    "protocols": Protocols,
    "gpus": Gpus,
    "harnesses": Harnesses,
    "ingests": Ingests,
    "meta": Meta,
}
"""Every stored table by its name, in an order in which none refers to a later one."""
