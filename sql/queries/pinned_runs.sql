-- pinned_runs: the runs that the newest revision of a source shows, with the path of their file there.
-- Grain:  run.
-- Reads:  runs, files.
select
    runs.run_id,
    runs.host,
    runs.mode,
    runs.level,
    runs.problem,
    runs.hardware,
    files.path,
    runs.source_metrics,
    runs.num_trials
from runs
inner join files
    on
        runs.source = files.source
        and runs.host = files.host
        and runs.mode = files.mode
        and files.kind = 'timing'
        and files.present
where
    runs.source = $source
    and runs.present
qualify row_number() over (partition by runs.run_id order by files.path = runs.path desc, files.path asc) = 1
order by runs.run_id asc
