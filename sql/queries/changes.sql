-- changes: what the batch being published changes in the runs and refusals of one source.
-- Grain:  one row.
-- Reads:  batch_runs, replaced_runs, batch_quarantine, replaced_refusals, runs.
-- Rule:   runs_new are all that were not known; of these are copies, without a module and doubtful those that were
--         judged so once they were in. refusals_new: refusals that were not known, of entries and files.
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
    count(*) as runs_new,
    count(*) filter (where news.copy_of is not null) as runs_new_copies,
    count(*) filter (where list_contains(news.ineligible_reasons, 'module_missing')) as runs_new_module_missing,
    count(*) filter (where list_contains(news.ineligible_reasons, 'module_not_python')) as runs_new_module_not_python,
    count(*) filter (where list_contains(news.ineligible_reasons, 'binding_doubtful')) as runs_new_doubtful,
    (
        select count(*)
        from batch_quarantine
        anti join replaced_refusals
            on
                batch_quarantine.source = replaced_refusals.source
                and (batch_quarantine.host is not distinct from replaced_refusals.host)
                and (batch_quarantine.mode is not distinct from replaced_refusals.mode)
                and (batch_quarantine.level is not distinct from replaced_refusals.level)
                and (batch_quarantine.problem_key is not distinct from replaced_refusals.problem_key)
                and batch_quarantine.reason = replaced_refusals.reason
        where batch_quarantine.source = $source
    ) as refusals_new,
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
from runs as news
where
    news.run_id in (select batch.run_id from batch)
    and news.run_id not in (select replaced.run_id from replaced)
