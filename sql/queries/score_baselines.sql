-- score_baselines: the figures against which results may be held, of every lineage, host and mode.
-- Grain:  source, host, mode, level, problem, code, precision.
-- Reads:  presence_as_of, runs, environments, revisions, harnesses, repeatability_as_of, problem_number,
--         duration_class, workloads.
-- Rule:   what had been shown by $moment: what was present then, else what was withdrawn last. Runs that may hold no
--         record (not of a known module, doubtful, ...) and copies are left out. limit_ratio: what a second session
--         stays within nine times in ten (macros/repeatability_as_of.sql).
with
shown as (
    select
        runs.*,
        seen.until_position,
        seen.from_position
    from presence_as_of($moment) as seen
    inner join runs on seen.run_id = runs.run_id
    where
        runs.eligible
        and runs.copy_of is null
        and ($levels::varchar[] is null or list_contains($levels::varchar[], runs.level))
    qualify row_number() over (
        partition by runs.source, runs.host, runs.mode, runs.level, runs.problem, runs.code_digest, runs.precision
        order by (seen.until_position is null) desc, seen.from_position desc
    ) = 1
)

select
    shown.run_id,
    shown.source,
    shown.host,
    shown.mode,
    shown.level,
    problem_number(shown.problem) as number,
    shown.problem,
    shown.code_digest,
    workloads.compute_digest,
    shown.precision,
    coalesce(environments.known_as, shown.hardware) as gpu,
    shown.hardware,
    shown.source_metrics,
    shown.mean_ns,
    shown.ci95_low_ns - shown.rounding_ns as low_ns,
    shown.ci95_high_ns + shown.rounding_ns as high_ns,
    shown.until_position is null as present,
    shown.observed_at,
    shown.first_revision,
    coalesce(revisions.requirements_torch, revisions.readme_torch) as torch,
    harnesses.l2_cleared,
    limits.limit_ratio
from shown
left join environments on shown.environment_id = environments.environment_id
left join workloads on shown.workload_id = workloads.workload_id
left join revisions on shown.source = revisions.source and shown.first_revision = revisions.revision
left join harnesses on revisions.harness_digest = harnesses.harness_digest
left join repeatability_as_of($moment) as limits
    on
        shown.environment_id = limits.environment_id
        and duration_class(shown.mean_ns) = limits.duration_class
order by shown.source, shown.host, shown.mode, shown.level, number, shown.problem, shown.code_digest, shown.run_id;
