-- runs_of_workload: the runs of one workload, by the beginning of its id, or of one problem.
-- Grain:  run.
-- Reads:  runs, implementations.
-- Rule:   originals before copies, then those that stand first, those that are not reachable any more last, then the
--         eager ones, then the latest
--         observed.
select runs.run_id
from runs
inner join implementations on runs.mode = implementations.mode
where
    ($workload_id is not null and starts_with(runs.workload_id, $workload_id))
    or ($workload_id is null and runs.level = $level and runs.problem = $problem)
order by
    runs.copy_of is not null asc,
    runs.present desc,
    runs.reachable desc,
    implementations.is_baseline desc,
    runs.observed_at desc,
    runs.host asc,
    runs.run_id asc
