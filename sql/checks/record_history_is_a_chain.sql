-- record_history_is_a_chain: each cohort with an eligible run begins with first, each event follows from the one
-- before, and its cause fits who leads.
-- Grain:  event or cohort that breaks this.
-- Reads:  record_history, runs.
with
chained as (
    select
        *,
        lag(run_id) over timeline as run_before,
        last_value(run_id ignore nulls)
            over (timeline rows between unbounded preceding and 1 preceding)
            as holder_before,
        row_number() over timeline as event
    from record_history
    window timeline as (partition by cohort_id order by position)
),

cohorts as (
    select distinct cohort_id
    from runs
    where eligible
)

select
    cohort_id,
    chained.position,
    chained.cause
from chained
full join cohorts using (cohort_id)
left join runs as holder on chained.run_id = holder.run_id
left join runs as before on chained.previous_run_id = before.run_id
where
    chained.cause is null
    or cohorts.cohort_id is null
    or (chained.event = 1) <> (chained.cause = 'first')
    or (chained.run_id is null) <> (chained.cause in ('withdrawn', 'problem_changed'))
    or (chained.cause = 'returned') <> (chained.event > 1 and chained.run_before is null)
    or chained.run_id is not distinct from chained.run_before
    or chained.previous_run_id is distinct from chained.holder_before
    or (chained.cause = 'faster' and chained.improvement < 0)
    or (chained.cause = 'remeasured' and holder.mode <> before.mode)
    or (chained.cause in ('faster', 'overtaken', 'holder_gone') and holder.mode = before.mode)
