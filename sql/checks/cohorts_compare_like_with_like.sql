-- cohorts_compare_like_with_like: a cohort has one source, one environment, one workload, one protocol.
-- Grain:  cohort that has more.
-- Reads:  runs.
select cohort_id
from runs
where cohort_id is not null
group by cohort_id
having
    count(distinct source) > 1
    or count(distinct environment_id) > 1
    or count(distinct workload_id) > 1
    or count(distinct protocol_id) > 1
