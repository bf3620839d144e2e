-- records: who holds each cohort now.
-- Grain:  cohort.
-- Reads:  record_holders, leaderboard, staleness, repeatability, records_among.
-- Ties:   as in holders_among.
create or replace view records as
select *
from records_among(record_holders, leaderboard, staleness, repeatability);
