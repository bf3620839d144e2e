-- repeatability: the rows of repeatability in the order in which a snapshot holds them.
-- Grain:  as repeatability.
-- Reads:  repeatability.
select *
from repeatability
order by environment_id
