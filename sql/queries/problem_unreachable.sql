-- problem_unreachable: the figures of one problem, observed by a moment, that a branch, rewritten since, shows no more.
-- Grain:  run.
-- Reads:  runs, revisions, environments, implementations, workloads, gpu_name, names_gpu.
select
    runs.source,
    runs.host,
    gpu_name(environments.product, environments.hardware) as gpu,
    runs.mode,
    implementations.title as implementation,
    runs.mean_ns,
    (runs.ci95_high_ns - runs.ci95_low_ns) / 2 as ci95_half_ns,
    runs.rounding_ns,
    runs.observed_at,
    runs.first_revision,
    revisions.unreachable_since,
    runs.code_digest,
    coalesce(workloads.compute_digest, workloads.code_digest) as computation,
    runs.run_id
from runs
inner join revisions
    on
        runs.source = revisions.source
        and runs.first_revision = revisions.revision
inner join environments on runs.environment_id = environments.environment_id
inner join implementations on runs.mode = implementations.mode
left join workloads on runs.workload_id = workloads.workload_id
where
    not runs.reachable
    and runs.level = $level
    and runs.problem = $problem
    and ($source is null or runs.source = $source)
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and names_gpu(environments.product, environments.hardware, $gpu)
    and runs.observed_at <= $moment
order by runs.source asc, runs.host asc, gpu asc, runs.mode asc, runs.observed_at asc, runs.run_id asc
