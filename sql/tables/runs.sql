-- runs: every set of figures ever shown, bound to the code it measured.
-- Grain:  run.
-- Reads:  batch_runs, touched, gpus, short_gpu.
-- Rule:   the rows of touched series are replaced; whether a run is a copy is decided in copies. gpu is
--         that of the hardware reported; what is told of a host comes with environments.
delete from runs
where run_id in (select run_id from replaced_runs);

insert into runs by name
select batch_runs.* replace (short_gpu(gpus.product, batch_runs.hardware) as gpu)
from batch_runs
left join gpus on batch_runs.hardware = gpus.hardware;
