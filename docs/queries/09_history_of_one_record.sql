-- How did the record of one problem move on one machine? A cohort is one exact code of the problem.
select
    record_history.changed_at,
    record_history.cause,
    baselines.mode,
    record_history.mean_ns / 1e6::double as mean_ms,
    record_history.improvement
from record_history
inner join baselines on coalesce(record_history.run_id, record_history.previous_run_id) = baselines.run_id
where
    baselines.host = 'T4_modal'
    and baselines.level = 'level2'
    and baselines.problem = '1_Conv2D_ReLU_BiasAdd.py'
order by record_history.changed_at, record_history.cohort_id;
