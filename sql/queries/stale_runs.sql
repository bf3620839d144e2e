-- stale_runs: figures that can no longer be trusted without a second look, as of a moment.
-- Grain:  run.
-- Reads:  staleness_as_of, runs, environments, implementations, workloads, gpu_name, names_gpu.
-- Rule:   those that stand, copies aside; with $withdrawn also those that do not, were they taken away or are they
--         unreachable. $severity: at least that grave. matching*: how many there are in all, and of each severity.
select
    runs.level,
    runs.problem,
    workloads.title,
    runs.host,
    gpu_name(environments.product, environments.hardware) as gpu,
    runs.mode,
    implementations.title as implementation,
    runs.mean_ns,
    (runs.ci95_high_ns - runs.ci95_low_ns) / 2 as ci95_half_ns,
    runs.rounding_ns,
    runs.observed_at,
    staleness.age_days,
    staleness.severity,
    staleness.reasons,
    staleness.equivalent,
    staleness.change,
    staleness.withdrawn_at,
    runs.source,
    runs.run_id,
    count(*) over () as matching,
    count(*) filter (where staleness.severity = 'error') over () as matching_error,
    count(*) filter (where staleness.severity = 'warn') over () as matching_warn,
    count(*) filter (where staleness.severity = 'note') over () as matching_note
from staleness_as_of($moment) as staleness
inner join runs on staleness.run_id = runs.run_id
inner join environments on runs.environment_id = environments.environment_id
inner join implementations on runs.mode = implementations.mode
left join workloads on runs.workload_id = workloads.workload_id
where
    staleness.stale
    and runs.copy_of is null
    and (
        $withdrawn
        or not list_has_any(staleness.reasons, ['withdrawn', 'unreachable'])
        or $reason in ('withdrawn', 'unreachable')
    )
    and ($reason is null or list_contains(staleness.reasons, $reason))
    and (
        $severity is null
        or list_position(['note', 'warn', 'error'], staleness.severity)
        >= list_position(['note', 'warn', 'error'], $severity)
    )
    and ($source is null or runs.source = $source)
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and ($level is null or runs.level = $level)
    and ($family is null or workloads.family = $family)
    and names_gpu(environments.product, environments.hardware, $gpu)
order by
    list_position(['note', 'warn', 'error'], staleness.severity) desc,
    len(staleness.reasons) desc,
    runs.observed_at asc,
    runs.level asc,
    runs.problem asc,
    runs.host asc,
    runs.mode asc,
    runs.run_id asc
limit $at_most
