-- baselines: everything about a run in one wide row, for people who write SQL.
-- Grain:  run.
-- Reads:  runs, sources, environments, workloads, implementations, revisions, presence, leaderboard, last_places,
--         record_holders, staleness, harnesses.
-- Rule:   durations also in milliseconds; a run without a readable module has no workload columns. The
--         place of a run that no longer stands is that of the last moment when it did.
create or replace view baselines as
with
presences as (
    select
        run_id,
        count(*) as intervals
    from presence
    group by run_id
),

places as (
    select *
    from leaderboard
    union all
    select *
    from last_places
)

select
    runs.run_id,
    runs.cohort_id,
    runs.source,
    sources.url,
    runs.host,
    runs.host_title,
    runs.mode,
    implementations.title as implementation,
    implementations.is_baseline,
    runs.level,
    runs.problem,
    runs.problem_number,
    workloads.title,
    workloads.family,
    runs.precision,
    environments.hardware,
    runs.gpu,
    environments.vendor,
    environments.product,
    environments.form_factor,
    environments.architecture,
    environments.memory_gb,
    runs.mean_ns,
    runs.std_ns,
    runs.min_ns,
    runs.max_ns,
    runs.median_ns,
    runs.ci95_low_ns,
    runs.ci95_high_ns,
    runs.rounding_ns,
    runs.num_trials,
    runs.mean_ns / 1e6::double as mean_ms,
    (runs.ci95_high_ns - runs.mean_ns) / 1e6::double as ci95_half_ms,
    places.rank,
    places.rank_shared,
    places.cohort_size,
    places.vs_first,
    places.vs_baseline,
    record_holders.run_id is not null as is_record,
    runs.observed_at,
    runs.first_revision,
    runs.present,
    runs.reachable,
    staleness.withdrawn_at,
    coalesce(presences.intervals, 0) as intervals,
    staleness.age_days,
    staleness.stale,
    staleness.severity,
    staleness.reasons as stale_reasons,
    staleness.equivalent,
    staleness.change,
    runs.eligible,
    runs.ineligible_reasons,
    runs.flags,
    runs.copy_of,
    workloads.inputs,
    workloads.axes,
    workloads.scalars,
    workloads.flops,
    workloads.parameter_bytes,
    workloads.input_bytes,
    workloads.output_bytes,
    runs.code_digest,
    workloads.compute_digest,
    revisions.requirements_torch,
    revisions.readme_torch,
    revisions.readme_cuda,
    revisions.harness_digest,
    harnesses.l2_cleared as harness_l2_cleared,
    runs.path,
    runs.blob,
    runs.environment_id,
    runs.workload_id,
    runs.protocol_id,
    runs.source_metrics
from runs
inner join sources on runs.source = sources.source
inner join environments on runs.environment_id = environments.environment_id
inner join implementations on runs.mode = implementations.mode
inner join revisions
    on
        runs.source = revisions.source
        and runs.first_revision = revisions.revision
left join harnesses on revisions.harness_digest = harnesses.harness_digest
left join presences on runs.run_id = presences.run_id
inner join staleness on runs.run_id = staleness.run_id
left join workloads on runs.workload_id = workloads.workload_id
left join places on runs.run_id = places.run_id
left join record_holders on runs.run_id = record_holders.run_id;
