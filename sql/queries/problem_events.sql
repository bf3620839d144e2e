-- problem_events: how the records of one problem moved, up to a moment.
-- Grain:  event.
-- Reads:  record_history_as_of, runs, environments, implementations, workloads, gpu_name,
--         names_gpu.
-- Rule:   in the order of each lineage, lineages beside each other by date. computation: as in problem_computations.
select
    record_history.changed_at,
    record_history.revision,
    record_history.cause,
    coalesce(leader.source, before.source) as source,
    coalesce(leader.host, before.host) as host,
    gpu_name(environments.product, environments.hardware) as gpu,
    leader.mode,
    implementations.title as implementation,
    before.mode as previous_mode,
    record_history.mean_ns,
    record_history.previous_mean_ns,
    record_history.improvement,
    coalesce(leader.code_digest, before.code_digest) as code_digest,
    coalesce(workloads.compute_digest, workloads.code_digest) as computation,
    record_history.run_id,
    record_history.previous_run_id,
    record_history.cohort_id
from record_history_as_of($moment) as record_history
left join runs as leader on record_history.run_id = leader.run_id
left join runs as before on record_history.previous_run_id = before.run_id
left join environments on environments.environment_id = coalesce(leader.environment_id, before.environment_id)
left join implementations on leader.mode = implementations.mode
left join workloads on workloads.workload_id = coalesce(leader.workload_id, before.workload_id)
where
    coalesce(leader.level, before.level) = $level
    and coalesce(leader.problem, before.problem) = $problem
    and ($source is null or coalesce(leader.source, before.source) = $source)
    and ($host is null or coalesce(leader.host, before.host) = $host)
    and ($mode is null or coalesce(leader.mode, before.mode) = $mode)
    and names_gpu(environments.product, environments.hardware, $gpu)
order by
    max(record_history.changed_at) over (
        partition by coalesce(leader.source, before.source)
        order by record_history.position
    ) asc,
    record_history.position asc,
    host asc,
    record_history.cohort_id asc
