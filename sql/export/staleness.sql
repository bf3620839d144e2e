-- staleness: the rows of staleness in the order in which a snapshot holds them.
-- Grain:  as staleness.
-- Reads:  staleness.
select *
from staleness
order by run_id
