-- baselines: the rows of baselines in the order in which a snapshot holds them.
-- Grain:  as baselines.
-- Reads:  baselines.
select *
from baselines
order by run_id
