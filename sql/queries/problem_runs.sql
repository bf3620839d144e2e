-- problem_runs: every run of one problem, whatever moment is asked for.
-- Grain:  run.
-- Reads:  runs, sources, environments, implementations, workloads, gpu_name, names_gpu.
-- Rule:   computation: the compute digest, or, where the reader cannot tell it, the code's; null: no module is known.
--         What no clock changes; how each stands at a moment: problem_standing.
select
    runs.run_id,
    runs.cohort_id,
    runs.source,
    runs.host,
    environments.host_title,
    runs.hardware,
    environments.told_by,
    gpu_name(environments.product, environments.hardware) as gpu,
    environments.form_factor,
    environments.memory_gb,
    runs.mode,
    implementations.title as implementation,
    implementations.framework,
    implementations.is_baseline,
    runs.precision,
    runs.mean_ns,
    (runs.ci95_high_ns - runs.ci95_low_ns) / 2 as ci95_half_ns,
    runs.median_ns,
    runs.rounding_ns,
    runs.num_trials,
    runs.observed_at,
    runs.first_revision,
    runs.eligible,
    runs.ineligible_reasons,
    runs.flags,
    runs.copy_of,
    runs.path,
    runs.blob,
    sources.url,
    runs.environment_id,
    runs.workload_id,
    runs.code_digest,
    workloads.compute_digest,
    coalesce(workloads.compute_digest, workloads.code_digest) as computation
from runs
inner join sources on runs.source = sources.source
inner join environments on runs.environment_id = environments.environment_id
inner join implementations on runs.mode = implementations.mode
left join workloads on runs.workload_id = workloads.workload_id
where
    runs.level = $level
    and runs.problem = $problem
    and ($source is null or runs.source = $source)
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and names_gpu(environments.product, environments.hardware, $gpu)
