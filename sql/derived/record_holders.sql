-- record_holders: who holds each cohort, and how far ahead; what of records does not depend on the clock.
-- Grain:  cohort.
-- Reads:  record_history, presence, holders_among, touched, eligibility.
-- Ties:   as in holders_among.
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
