-- How did the record of one problem move on one machine? A cohort is one exact code of the problem.
select
    changed_at,
    cause,
    coalesce(mode, previous_mode) as mode,
    mean_ns / 1e6::double as mean_ms,
    improvement
from record_events
where
    host = 'T4_modal'
    and level = 'level2'
    and problem = '1_Conv2D_ReLU_BiasAdd.py'
order by changed_at, cohort_id;
