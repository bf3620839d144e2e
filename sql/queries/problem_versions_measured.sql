-- problem_versions_measured: each set of figures of one problem, with the intervals in which it stood, up to a moment.
-- Grain:  run, interval.
-- Reads:  runs, presence, environments, implementations.
select
    runs.source,
    runs.host,
    coalesce(environments.product, environments.hardware, 'GPU not reported') as gpu,
    runs.mode,
    implementations.title as implementation,
    runs.mean_ns,
    (runs.ci95_high_ns - runs.ci95_low_ns) / 2 as ci95_half_ns,
    presence.from_at,
    presence.from_revision,
    case when presence.until_at <= $moment then presence.until_at end as until_at,
    case when presence.until_at <= $moment then presence.until_revision end as until_revision,
    runs.code_digest,
    runs.workload_id,
    runs.eligible,
    runs.run_id
from runs
inner join presence on runs.run_id = presence.run_id
inner join environments on runs.environment_id = environments.environment_id
inner join implementations on runs.mode = implementations.mode
where
    runs.level = $level
    and runs.problem = $problem
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and presence.from_at <= $moment
order by runs.source asc, runs.host asc, gpu asc, runs.mode asc, presence.from_at asc, runs.run_id asc
