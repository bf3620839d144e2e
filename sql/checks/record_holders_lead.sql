-- record_holders_lead: each cohort with an eligible run has one holder; where runs stand it is the first of them.
-- Grain:  cohort that breaks this.
-- Reads:  record_holders, leaderboard, runs.
with
cohorts as (
    select
        cohort_id,
        bool_or(present) as present
    from runs
    where eligible
    group by cohort_id
)

select
    cohort_id,
    record_holders.run_id
from cohorts
full join record_holders using (cohort_id)
left join leaderboard
    on
        cohorts.cohort_id = leaderboard.cohort_id
        and leaderboard.rank = 1
where
    record_holders.run_id is null
    or cohorts.cohort_id is null
    or record_holders.present <> cohorts.present
    or (cohorts.present and record_holders.run_id is distinct from leaderboard.run_id)
    or record_holders.margin_ratio < 1
