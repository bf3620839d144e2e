-- staleness: may this figure still be trusted?
-- Grain:  run.
-- Reads:  staleness_seen.
-- Rule:   depends on the clock, so it is never stored. Everything ever shown, whatever the clock says of its date; aged
--         to now. The reasons and their order: macros/staleness_seen.sql.
create or replace view staleness as
select *
from staleness_seen('infinity', (now() at time zone 'UTC'));
