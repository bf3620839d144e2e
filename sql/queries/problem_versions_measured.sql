-- problem_versions_measured: each set of figures of one problem, with its intervals of presence, up to a moment.
-- Grain:  run that is no copy, interval.
-- Reads:  runs, presence_as_of, environments, implementations, workloads, gpu_name, names_gpu.
-- Rule:   copies are told by problem_copies: a figure is shown once. computation: as in problem_computations.
select
    runs.source,
    runs.host,
    gpu_name(environments.product, environments.hardware) as gpu,
    runs.mode,
    implementations.title as implementation,
    runs.mean_ns,
    (runs.ci95_high_ns - runs.ci95_low_ns) / 2 as ci95_half_ns,
    runs.rounding_ns,
    presence.from_at,
    presence.from_revision,
    presence.until_at,
    presence.until_revision,
    runs.code_digest,
    coalesce(workloads.compute_digest, workloads.code_digest) as computation,
    runs.workload_id,
    runs.eligible,
    runs.ineligible_reasons,
    runs.run_id
from runs
inner join presence_as_of($moment) as presence on runs.run_id = presence.run_id
inner join environments on runs.environment_id = environments.environment_id
inner join implementations on runs.mode = implementations.mode
left join workloads on runs.workload_id = workloads.workload_id
where
    runs.level = $level
    and runs.problem = $problem
    and runs.copy_of is null
    and ($source is null or runs.source = $source)
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and names_gpu(environments.product, environments.hardware, $gpu)
order by runs.source asc, runs.host asc, gpu asc, runs.mode asc, presence.from_position asc, runs.run_id asc
