-- problem_removals: when figures of one problem were taken away, with none in their place, by a moment.
-- Grain:  run that is no copy, revision that no longer shows it.
-- Reads:  removals, runs, workloads, revisions, implementations, environments, seen_as_of,
--         gpu_name, names_gpu.
-- Rule:   a return after the moment is not known yet.
with
known as (
    select
        removals.*,
        runs.environment_id,
        coalesce(workloads.compute_digest, workloads.code_digest) as computation,
        coalesce(put_back.position <= seen.position, false) as returned
    from removals
    inner join runs on removals.run_id = runs.run_id
    left join workloads on runs.workload_id = workloads.workload_id
    inner join seen_as_of($moment) as seen
        on
            removals.source = seen.source
            and removals.removed_position <= seen.position
    left join revisions as put_back
        on
            removals.source = put_back.source
            and removals.returned_revision = put_back.revision
    where
        runs.copy_of is null
        and removals.level = $level
        and removals.problem = $problem
        and ($source is null or removals.source = $source)
        and ($host is null or removals.host = $host)
        and ($mode is null or removals.mode = $mode)
)

select
    known.host,
    gpu_name(environments.product, environments.hardware) as gpu,
    known.mode,
    implementations.title as implementation,
    known.mean_ns,
    known.removed_at,
    known.removed_revision,
    known.whole_file,
    case when known.returned then known.returned_at end as returned_at,
    case when known.returned then known.returned_revision end as returned_revision,
    case when known.returned then known.gap_days end as gap_days,
    known.computation,
    known.source,
    known.run_id
from known
inner join implementations on known.mode = implementations.mode
inner join environments on known.environment_id = environments.environment_id
where names_gpu(environments.product, environments.hardware, $gpu)
order by known.removed_position asc, known.host asc, known.mode asc, known.run_id asc
