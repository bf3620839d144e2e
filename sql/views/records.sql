-- records: who holds each cohort now.
-- Grain:  cohort.
-- Reads:  record_holders, leaderboard, last_places, staleness, repeatability, records_among.
-- Ties:   as in holders_among.
create or replace view records as
with
places as (
    select *
    from leaderboard
    union all
    select *
    from last_places
)

select *
from records_among(record_holders, places, staleness, repeatability);
