-- workload_changes: the rows of workload_changes in the order in which a snapshot holds them.
-- Grain:  as workload_changes.
-- Reads:  workload_changes.
select *
from workload_changes
order by workload_id, other_workload_id
