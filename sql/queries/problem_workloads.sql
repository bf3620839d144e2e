-- problem_workloads: what the runs of one problem measured, and what the head of each source would measure now.
-- Grain:  source, workload.
-- Reads:  workloads, runs, problems, sources.
-- Rule:   the workload at head first, then the latest measured.
select
    runs.source,
    sources.url,
    sources.head,
    problems.path as module_path,
    workloads.*,
    coalesce(workloads.workload_id = problems.workload_id, false) as at_head,
    max(runs.observed_at) as last_observed_at,
    count(*) as runs
from workloads
inner join runs on workloads.workload_id = runs.workload_id
inner join sources on runs.source = sources.source
left join problems
    on
        runs.source = problems.source
        and runs.level = problems.level
        and runs.problem = problems.problem
where
    workloads.level = $level
    and workloads.problem = $problem
group by all
order by at_head desc, last_observed_at desc, runs.source asc
