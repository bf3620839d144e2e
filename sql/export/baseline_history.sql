-- baseline_history: the rows of baseline_history in the order in which a snapshot holds them.
-- Grain:  as baseline_history.
-- Reads:  baseline_history.
select *
from baseline_history
order by source, host, hardware, mode, level, problem, version
