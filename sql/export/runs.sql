-- runs: the rows of runs in the order in which a snapshot holds them.
-- Grain:  as runs.
-- Reads:  runs.
select *
from runs
order by run_id
