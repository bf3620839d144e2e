-- changes: what the batch being published changes in the runs and records of its source.
-- Grain:  one row.
-- Reads:  batch_runs, replaced_runs, record_history, touched_cohorts.
select
    (select count(*) from replaced_runs) as runs_replaced,
    (select count(*) from batch_runs anti join replaced_runs using (run_id)) as runs_new,
    (select count(*) from replaced_runs anti join batch_runs using (run_id)) as runs_gone,
    (
        select count(*)
        from replaced_runs
        inner join batch_runs using (run_id)
        where replaced_runs.present and batch_runs.reachable and not batch_runs.present
    ) as runs_withdrawn,
    (
        select count(*)
        from replaced_runs
        inner join batch_runs using (run_id)
        where batch_runs.present and not replaced_runs.present
    ) as runs_returned,
    (
        select count(*)
        from batch_runs
        left join replaced_runs using (run_id)
        where not batch_runs.reachable and coalesce(replaced_runs.reachable, true)
    ) as runs_unreachable
