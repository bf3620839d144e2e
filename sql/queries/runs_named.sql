-- runs_named: the runs that a person may mean by an id, the beginning of one, or an external id; or,
-- where $name is null, those of a problem.
-- Grain:  run.
-- Reads:  runs, environments, implementations, names_gpu.
-- Rule:   originals before copies, then present runs first, those that are not reachable any more last, then the latest
--         observed.
select
    runs.run_id,
    runs.source,
    runs.host,
    runs.mode,
    implementations.external_mode,
    runs.level,
    runs.problem,
    runs.hardware,
    runs.path,
    runs.source_metrics,
    runs.num_trials,
    runs.first_revision,
    runs.observed_at,
    runs.present,
    runs.reachable,
    runs.eligible,
    runs.copy_of
from runs
inner join implementations on runs.mode = implementations.mode
inner join environments on runs.environment_id = environments.environment_id
where
    (
        starts_with(runs.run_id, $name)
        or concat_ws('/', runs.host, implementations.external_mode, runs.level, runs.problem) = $name
        or concat_ws('/', runs.host, runs.mode, runs.level, runs.problem) = $name
        or ($name is null and runs.level = $level and runs.problem = $problem)
    )
    and ($source is null or runs.source = $source)
    and ($host is null or runs.host = $host)
    and ($mode is null or runs.mode = $mode)
    and names_gpu(environments.product, environments.hardware, $gpu)
order by runs.copy_of is not null asc, runs.present desc, runs.reachable desc, runs.observed_at desc, runs.run_id asc
