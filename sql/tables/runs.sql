-- runs: every set of figures ever shown, bound to the code it measured.
-- Grain:  run.
-- Reads:  batch_runs, touched.
-- Rule:   the rows of touched series are replaced; whether a run is a copy is decided in copies.
delete from runs
where run_id in (select run_id from replaced_runs);

insert into runs by name select * from batch_runs;
