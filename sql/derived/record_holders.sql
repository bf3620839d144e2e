-- record_holders: who holds each cohort, and how far ahead; what of records does not depend on the clock.
-- Grain:  cohort.
-- Reads:  record_history, presence, holders_among, touched, eligibility.
-- Ties:   as in holders_among.
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
events as (
    select record_history.*
    from record_history
    semi join touched_cohorts using (cohort_id)
)

select *
from holders_among(events, presence);
