-- changes: what the batch being published changes in the runs of one source.
-- Grain:  one row.
-- Reads:  batch_runs, replaced_runs.
with
batch as (
    from batch_runs
    where source = $source
),

replaced as (
    from replaced_runs
    where source = $source
)

select
    (select count(*) from replaced) as runs_replaced,
    (select count(*) from batch anti join replaced using (run_id)) as runs_new,
    (select count(*) from replaced anti join batch using (run_id)) as runs_gone,
    (
        select count(*)
        from replaced
        inner join batch using (run_id)
        where replaced.present and batch.reachable and not batch.present
    ) as runs_withdrawn,
    (
        select count(*)
        from replaced
        inner join batch using (run_id)
        where batch.present and not replaced.present
    ) as runs_returned,
    (
        select count(*)
        from batch
        left join replaced using (run_id)
        where not batch.reachable and coalesce(replaced.reachable, true)
    ) as runs_unreachable
