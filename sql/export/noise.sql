-- noise: the rows of noise in the order in which a snapshot holds them.
-- Grain:  as noise.
-- Reads:  noise.
select *
from noise
order by run_id
