-- changes: what the batch being published changes in the runs and records of its source.
-- Grain:  one row.
-- Reads:  batch_runs, replaced_runs, batch_quarantine, replaced_refusals, runs.
-- Rule:   runs_new are all that were not known; of these are copies, without a module and doubtful those that were
--         judged so once they were in. refusals_new: refusals that were not known, of entries and files.
select
    (select count(*) from replaced_runs) as runs_replaced,
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
                (batch_quarantine.host is not distinct from replaced_refusals.host)
                and (batch_quarantine.mode is not distinct from replaced_refusals.mode)
                and (batch_quarantine.level is not distinct from replaced_refusals.level)
                and (batch_quarantine.problem_key is not distinct from replaced_refusals.problem_key)
                and batch_quarantine.reason = replaced_refusals.reason
    ) as refusals_new,
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
from runs as news
where
    news.run_id in (select batch_runs.run_id from batch_runs)
    and news.run_id not in (select replaced_runs.run_id from replaced_runs)
