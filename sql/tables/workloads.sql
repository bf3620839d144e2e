-- workloads: one exact code of one problem.
-- Grain:  workload.
-- Reads:  batch_workloads, runs.
-- Rule:   kept as long as a run measured it; the same in every source that carries the module.
insert into workloads by name
from batch_workloads
anti join workloads using (workload_id);

delete from workloads
where workload_id not in (
    select workload_id from runs
    where workload_id is not null
);
