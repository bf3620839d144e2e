-- workloads: the rows of workloads in the order in which a snapshot holds them.
-- Grain:  as workloads.
-- Reads:  workloads.
select *
from workloads
order by workload_id
