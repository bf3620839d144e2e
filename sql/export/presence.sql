-- presence: the rows of presence in the order in which a snapshot holds them.
-- Grain:  as presence.
-- Reads:  presence.
select *
from presence
order by run_id, from_position
