-- record_holders: who holds each cohort, and how far ahead; what of records does not depend on the clock.
-- Grain:  cohort.
-- Reads:  record_history, runs, presence, touched.
-- Ties:   as in record_history. A holder that was withdrawn is measured against those that stood beside it last.
create table if not exists record_holders (
    cohort_id varchar,
    run_id varchar,
    present boolean,
    held_since timestamp,
    lead_changes bigint,
    next_run_id varchar,
    margin_ratio double,
    clear boolean
);

delete from record_holders
where cohort_id in (select cohort_id from touched_cohorts);

insert into record_holders by name
with
holders as (
    select
        cohort_id,
        arg_max(coalesce(run_id, previous_run_id), position) as run_id,
        arg_max("at", position) filter (where run_id is not null) as held_since,
        arg_max(run_id is not null, position) as present,
        max(position) as last_position,
        count(*) filter (where cause in ('faster', 'remeasured', 'holder_gone')) as lead_changes
    from record_history
    inner join touched_cohorts using (cohort_id)
    group by cohort_id
),

-- Where nothing stands now, the last position at which something did is the one before the last event.
beside as (
    select
        holders.cohort_id,
        runs.run_id,
        runs.mean_ns,
        runs.observed_at,
        runs.mode,
        runs.ci95_low_ns - runs.rounding_ns as low_ns,
        runs.ci95_high_ns + runs.rounding_ns as high_ns
    from holders
    inner join runs
        on
            holders.cohort_id = runs.cohort_id
            and holders.run_id <> runs.run_id
            and runs.eligible
    inner join presence
        on
            runs.run_id = presence.run_id
            and case
                when holders.present then presence.until_position is null
                else holders.last_position = presence.until_position
            end
),

nearest as (
    select
        beside.cohort_id,
        arg_min(beside.run_id, (beside.mean_ns, beside.observed_at, beside.mode, beside.run_id)) as next_run_id,
        min(beside.mean_ns) / any_value(holder.mean_ns) as margin_ratio,
        not bool_or(
            beside.low_ns <= holder.ci95_high_ns + holder.rounding_ns
            and beside.high_ns >= holder.ci95_low_ns - holder.rounding_ns
        ) as clear
    from beside
    inner join holders using (cohort_id)
    inner join runs as holder on holders.run_id = holder.run_id
    group by beside.cohort_id
)

select
    holders.cohort_id,
    holders.run_id,
    holders.present,
    holders.held_since,
    holders.lead_changes,
    nearest.next_run_id,
    nearest.margin_ratio,
    nearest.clear
from holders
left join nearest using (cohort_id);
