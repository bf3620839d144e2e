-- removals: the rows of removals in the order in which a snapshot holds them.
-- Grain:  as removals.
-- Reads:  removals.
select *
from removals
order by run_id, removed_position
