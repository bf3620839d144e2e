-- runs_named: the runs that a person may mean by an id, the beginning of one, or an external id.
-- Grain:  run.
-- Reads:  runs, implementations.
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
where
    starts_with(runs.run_id, $name)
    or concat_ws('/', runs.host, implementations.external_mode, runs.level, runs.problem) = $name
    or concat_ws('/', runs.host, runs.mode, runs.level, runs.problem) = $name
order by runs.copy_of is not null asc, runs.present desc, runs.reachable desc, runs.observed_at desc, runs.run_id asc
